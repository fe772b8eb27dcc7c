//! The formats a body can be packed in, each one step at a time: some bytes in, some bytes out.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};
use tidemark_engine::fetch::Failure;
use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer};

/// A gzip file of more members than this is made to keep us busy.
const MEMBERS: usize = 1000;

/// The largest window that RFC 9659 allows on the web, as a power of two.
const WINDOW: u32 = 23;

/// A format, somewhere in a body.
pub(super) enum Codec {
    Gzip { state: Option<Decompress>, members: usize },
    Deflate(Deflate),
    Brotli { state: Box<Brotli>, done: bool },
    Zstd { state: DCtx<'static>, missing: usize },
}

type Brotli = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

/// `deflate` is meant to be zlib's format; some servers send it without zlib's header. The first byte tells.
pub(super) enum Deflate {
    Unknown,
    Open(Decompress),
    Done,
}

impl Codec {
    /// The format of a name of `Content-Encoding`; nothing for names that mean "as it is".
    pub(super) fn named(name: &str) -> Result<Option<Self>, Failure> {
        Ok(Some(match name {
            "gzip" | "x-gzip" => Self::Gzip { state: Some(Decompress::new_gzip(15)), members: 1 },
            "deflate" => Self::Deflate(Deflate::Unknown),
            "br" => Self::Brotli { state: Box::new(brotli()), done: false },
            "zstd" => Self::Zstd { state: zstd()?, missing: 1 },
            // Encodings of characters stand here by mistake, on pages that browsers show.
            "" | "identity" | "none" | "binary" | "utf-8" | "utf8" | "iso-8859-1" | "windows-1252" => {
                return Ok(None);
            }
            _ => return Err(Failure::Garbled(format!("packed as '{name}', which is not known here"))),
        }))
    }

    /// Unpacks some: how many bytes were used, and how many made.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<(usize, usize), Failure> {
        match self {
            Self::Gzip { state, members } => gzip_step(state, members, input, output),
            Self::Deflate(state) => state.step(input, output),
            Self::Brotli { done: true, .. } => Ok((input.len(), 0)),
            Self::Brotli { state, done } => brotli_step(state, done, input, output),
            Self::Zstd { state, missing } => zstd_step(state, missing, input, output),
        }
    }

    /// Whether it came to its end.
    pub(super) fn is_done(&self) -> bool {
        match self {
            Self::Gzip { state, .. } => state.is_none(),
            Self::Deflate(state) => matches!(state, Deflate::Done),
            Self::Brotli { done, .. } => *done,
            Self::Zstd { missing, .. } => *missing == 0,
        }
    }
}

impl Deflate {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<(usize, usize), Failure> {
        if let (Self::Unknown, Some(first)) = (&self, input.first()) {
            // zlib says "method 8, window up to 2^15"; in a raw stream these bits would be a stored block with odd padding.
            *self = Self::Open(Decompress::new(first & 0x8f == 8));
        }
        match self {
            Self::Open(state) => {
                let (used, made, done) = inflate(state, input, output)?;
                if done {
                    *self = Self::Done;
                }
                Ok((used, made))
            }
            Self::Unknown | Self::Done => Ok((input.len(), 0)),
        }
    }
}

/// Members follow each other; anything else after the end is padding, as browsers take it.
fn gzip_step(
    state: &mut Option<Decompress>,
    members: &mut usize,
    input: &[u8],
    output: &mut [u8],
) -> Result<(usize, usize), Failure> {
    if state.is_none() && input.first() == Some(&0x1f) && *members > 0 {
        *members += 1;
        *state = Some(Decompress::new_gzip(15));
    }
    if *members > MEMBERS {
        return Err(Failure::Garbled(format!("packed in more than {MEMBERS} parts")));
    }
    let Some(open) = state else {
        if !input.is_empty() {
            *members = 0;
        }
        return Ok((input.len(), 0));
    };
    let (used, made, done) = inflate(open, input, output)?;
    if done {
        *state = None;
    }
    Ok((used, made))
}

fn inflate(state: &mut Decompress, input: &[u8], output: &mut [u8]) -> Result<(usize, usize, bool), Failure> {
    let (used, made) = (state.total_in(), state.total_out());
    let status = state
        .decompress(input, output, FlushDecompress::None)
        .map_err(|error| Failure::Garbled(error.to_string()))?;
    let moved = |now: u64, before: u64| usize::try_from(now - before).unwrap_or(usize::MAX);
    Ok((moved(state.total_in(), used), moved(state.total_out(), made), status == Status::StreamEnd))
}

fn brotli() -> Brotli {
    BrotliState::new_strict(StandardAlloc::default(), StandardAlloc::default(), StandardAlloc::default())
}

fn brotli_step(
    state: &mut Brotli,
    done: &mut bool,
    input: &[u8],
    output: &mut [u8],
) -> Result<(usize, usize), Failure> {
    let (mut given, mut used, mut room, mut made) = (input.len(), 0, output.len(), 0);
    let result =
        BrotliDecompressStream(&mut given, &mut used, input, &mut room, &mut made, output, &mut 0, state);
    match result {
        BrotliResult::ResultFailure => Err(Failure::Garbled("brotli stream".into())),
        BrotliResult::ResultSuccess => {
            *done = true;
            Ok((input.len(), made))
        }
        BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => Ok((used, made)),
    }
}

fn zstd() -> Result<DCtx<'static>, Failure> {
    let mut state = DCtx::create();
    state.set_parameter(DParameter::WindowLogMax(WINDOW)).map_err(zstd_failure)?;
    Ok(state)
}

fn zstd_step(
    state: &mut DCtx<'static>,
    missing: &mut usize,
    input: &[u8],
    output: &mut [u8],
) -> Result<(usize, usize), Failure> {
    let mut from = InBuffer::around(input);
    let mut to = OutBuffer::around(output);
    let hint = state.decompress_stream(&mut to, &mut from).map_err(zstd_failure)?;
    if from.pos() > 0 || to.pos() > 0 {
        *missing = hint;
    }
    Ok((from.pos(), to.pos()))
}

fn zstd_failure(code: usize) -> Failure {
    Failure::Garbled(zstd_safe::get_error_name(code).to_owned())
}
