//! Reading the packed file: blocks, numbers, words and synsets. Whatever is asked, nothing is read past the end.

use super::{BLOCK, Entry, Synset};
use std::ops::Range;

/// One part in blocks, with where each of them starts.
#[derive(Debug)]
pub(super) struct Blocks {
    pub(super) count: u32,
    pub(super) index: &'static [u8],
    pub(super) data: &'static [u8],
}

impl Blocks {
    pub(super) const EMPTY: Self = Self { count: 0, index: &[], data: &[] };

    pub(super) fn block(&self, block: usize) -> Cursor {
        let start = self.index.get(block * 4..block * 4 + 4).and_then(|bytes| bytes.try_into().ok());
        let start = start.map_or(usize::MAX, |bytes| u32::from_le_bytes(bytes) as usize);
        Cursor { rest: self.data.get(start..).unwrap_or_default() }
    }

    /// The numbers of what is in a block.
    pub(super) fn ids(&self, block: usize) -> Range<u32> {
        let start = (block * BLOCK) as u32;
        start..self.count.min(start + BLOCK as u32)
    }

    /// The last of the blocks of which something holds, where it holds of none after one of which it does not.
    pub(super) fn last_block(&self, holds: impl Fn(Cursor) -> bool) -> Option<usize> {
        let mut blocks = 0..self.index.len() / 4;
        while !blocks.is_empty() {
            let middle = blocks.start.midpoint(blocks.end);
            blocks = if holds(self.block(middle)) { middle + 1..blocks.end } else { blocks.start..middle };
        }
        blocks.start.checked_sub(1)
    }
}

/// A place in a part. At the end all numbers are 0 and all bytes nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    pub(super) rest: &'static [u8],
}

impl Cursor {
    /// A number of seven bits a byte, the lowest first.
    pub(super) fn number(&mut self) -> u32 {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let Some((&byte, rest)) = self.rest.split_first() else { break };
            self.rest = rest;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }

    fn bytes(&mut self, length: usize) -> &'static [u8] {
        let (bytes, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        bytes
    }

    /// How much a word shares with the one before it, and what comes then.
    pub(super) fn word(&mut self) -> (usize, &'static [u8]) {
        let shared = self.number() as usize;
        let length = self.number() as usize;
        (shared, self.bytes(length))
    }

    /// What follows the letters of a word.
    pub(super) fn entry(&mut self, id: u32) -> Entry {
        let frequency = self.number();
        let counts = self.number();
        let senses = self.bytes(counts as usize / 2 * 3);
        let exceptions = if counts % 2 == 1 { self.number() as usize } else { 0 };
        Entry { id, frequency, senses, exceptions: Self { rest: self.bytes(exceptions) } }
    }

    /// A whole synset.
    pub(super) fn synset(&mut self, id: u32) -> Synset {
        let head = self.number();
        let has = |flag: u32| head & flag != 0;
        let parent = if has(1) { Some(id.wrapping_sub(self.number())) } else { None };
        let size = if has(2) { self.number() } else { 1 };
        let words = self.numbers(head >> 4);
        let mut others = || if has(8) { self.counted() } else { Numbers::NONE };
        let [others_up, others_down] = [others(), others()];
        Synset { parent, size, is_instance: has(4), words, others_up, others_down }
    }

    fn counted(&mut self) -> Numbers {
        let count = self.number();
        self.numbers(count)
    }

    fn numbers(&mut self, count: u32) -> Numbers {
        let start = *self;
        for _ in 0..count.min(self.rest.len() as u32) {
            self.number();
        }
        Numbers { cursor: start, count }
    }
}

/// Numbers in a row.
#[derive(Clone, Debug)]
pub(in super::super) struct Numbers {
    cursor: Cursor,
    count: u32,
}

impl Numbers {
    pub(super) const NONE: Self = Self { cursor: Cursor { rest: &[] }, count: 0 };
}

impl Iterator for Numbers {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.count = self.count.checked_sub(1).filter(|_| !self.cursor.rest.is_empty())?;
        Some(self.cursor.number())
    }
}
