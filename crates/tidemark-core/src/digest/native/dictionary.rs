//! What many pages share, known to writer and reader alike: the zstd dictionary of the packed variant.
//!
//! `dictionary.bin` is made by `tidemark-lab dictionary` from phrases of markup, style, script and language that
//! occur, letter for letter, on at least two unrelated sites, none longer than 40 bytes; nothing that is one site's alone is in it. It is part of format version 1.
//! Cost: the prepared dictionary is made once a process, 0.3 MB for reading and a few for writing.

use super::NativeError;
use std::sync::LazyLock;
use zstd_safe::{CCtx, CDict, CParameter, DCtx, DDict};

const LEVEL: i32 = 19;

static BYTES: &[u8] = include_bytes!("dictionary.bin");
static FOR_WRITING: LazyLock<CDict<'static>> = LazyLock::new(|| CDict::create(BYTES, LEVEL));
static FOR_READING: LazyLock<DDict<'static>> = LazyLock::new(|| DDict::create(BYTES));

/// Compresses a stream into one frame.
pub(crate) fn compress(stream: &[u8]) -> Vec<u8> {
    let mut context = CCtx::create();
    for parameter in [CParameter::ChecksumFlag(false), CParameter::DictIdFlag(false)] {
        context.set_parameter(parameter).expect("the parameter is within zstd's bounds");
    }
    context.ref_cdict(&FOR_WRITING).expect("a fresh context takes a dictionary");
    let mut frame = Vec::with_capacity(zstd_safe::compress_bound(stream.len()));
    context.compress2(&mut frame, stream).expect("the buffer has room for any input");
    frame
}

/// Decompresses a frame into at most `limit` bytes.
pub(crate) fn decompress(frame: &[u8], limit: usize) -> Result<Vec<u8>, NativeError> {
    let Ok(Some(size)) = zstd_safe::get_frame_content_size(frame) else {
        return Err(NativeError::Malformed("the packed columns do not tell their size"));
    };
    if size > limit as u64 {
        return Err(NativeError::TooLarge("too many bytes"));
    }
    let mut context = DCtx::create();
    let mut stream = Vec::with_capacity(size as usize);
    let malformed = |_| NativeError::Malformed("the packed columns cannot be decompressed");
    context.ref_ddict(&FOR_READING).map_err(malformed)?;
    context.decompress(&mut stream, frame).map_err(malformed)?;
    Ok(stream)
}
