//! The plain variant: the columns as they lie in memory.
//!
//! The file is copied once to where its numbers are aligned; everything after that is borrowed.

use super::container::Container;
use super::{NativeError, Variant, container};
use crate::digest::columns::{Columns, NUMBERS, TEXTS};
use std::ops::Range;

// The columns are read where they lie, so the machine must order its bytes as the file does.
const _: () = assert!(cfg!(target_endian = "little"), "the native form needs a little-endian machine");

/// Sections of a plain file; the columns follow them.
pub(crate) const META: usize = 0;
pub(crate) const RESIDUE: usize = 1;
const COLUMNS: usize = 2;

/// A plain file in memory and where its columns lie.
#[derive(Debug)]
pub(crate) struct Plain {
    words: Vec<u32>,
    columns: [Range<usize>; NUMBERS + TEXTS],
}

impl Plain {
    pub(crate) fn read(container: &Container<'_>) -> Result<Self, NativeError> {
        let bytes = container.bytes;
        let (whole, rest) = bytes.as_chunks::<4>();
        let mut words = Vec::with_capacity(whole.len() + 1);
        words.extend(whole.iter().map(|&word| u32::from_ne_bytes(word)));
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        words.push(u32::from_ne_bytes(last));
        let mut columns = [const { 0..0 }; NUMBERS + TEXTS];
        for (index, column) in columns.iter_mut().enumerate() {
            *column = container.range(COLUMNS + index)?;
        }
        Ok(Self { words, columns })
    }

    pub(crate) fn columns(&self) -> Result<Columns<'_>, NativeError> {
        let bytes: &[u8] = bytemuck::cast_slice(&self.words);
        let (numbers, texts) = self.columns.split_at(NUMBERS);
        let mut number_columns: [&[u32]; NUMBERS] = [&[]; NUMBERS];
        for (column, range) in number_columns.iter_mut().zip(numbers) {
            *column = bytemuck::try_cast_slice(&bytes[range.clone()])
                .map_err(|_| NativeError::Malformed("a column of numbers has a broken length"))?;
        }
        let mut text_columns = [""; TEXTS];
        for (column, range) in text_columns.iter_mut().zip(texts) {
            *column = simdutf8::basic::from_utf8(&bytes[range.clone()])
                .map_err(|_| NativeError::Malformed("a column of text is not UTF-8"))?;
        }
        Ok(Columns::from_parts(number_columns, text_columns))
    }
}

/// Writes the columns as they are.
pub(crate) fn write(columns: &Columns<'_>, meta: &[u8], residue: &[u8]) -> Result<Vec<u8>, NativeError> {
    let numbers = columns.numbers().map(bytemuck::cast_slice::<u32, u8>);
    let texts = columns.texts().map(str::as_bytes);
    let mut sections = vec![meta, residue];
    sections.extend(numbers.into_iter().chain(texts));
    container::write(Variant::Plain, &sections)
}
