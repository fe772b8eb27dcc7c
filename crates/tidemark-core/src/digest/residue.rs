//! The exact bytes of a page, without keeping them.
//!
//! Source: ours; the paper's inverse assumes well-formed input. The arrays give a [serialisation](super::serialise) that
//! resembles the page; what it lacks is kept as a zstd frame that has the serialisation as its prefix. Any
//! bytes can be kept this way, garbage included: a worse guess makes a larger frame, never a wrong page.
//! Cost: linear; a page that is spelled the usual way leaves about a hundred bytes.

use super::native::NativeError;
use super::serialise::serialise;
use super::style::Style;
use super::{About, PageDigest};
use crate::page::decode::Evidence;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64;
use zstd_safe::{CCtx, CParameter, DCtx, DParameter};

/// Where the bytes of a page come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// At hand: the digest was encoded in this process.
    Bytes(Box<[u8]>),
    /// To be made again: the digest was loaded.
    Residue(Residue),
}

/// What the arrays lack to the bytes of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Residue {
    pub(crate) style: Style,
    /// Hash of the bytes, checked whenever they are made again.
    pub(crate) hash: u64,
    /// zstd frame with the serialisation as prefix.
    pub(crate) frame: Vec<u8>,
}

/// How hard to compress the frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    Fast,
    Small,
}

impl Source {
    pub(crate) fn revert(&self, digest: &PageDigest) -> Result<Cow<'_, [u8]>, NativeError> {
        match self {
            Self::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::Residue(residue) => residue.revert(digest).map(Cow::Owned),
        }
    }

    pub(crate) fn residue(&self, digest: &PageDigest, effort: Effort) -> Residue {
        match self {
            Self::Bytes(bytes) => Residue::new(digest, bytes, effort),
            Self::Residue(residue) => residue.clone(),
        }
    }
}

impl Residue {
    fn new(digest: &PageDigest, bytes: &[u8], effort: Effort) -> Self {
        let (text, _) = digest.about.encoding.decode_without_bom_handling(bytes);
        let style = Style::of(digest, &text);
        let prefix = guess(digest, &style);
        Self { style, hash: xxh3_64(bytes), frame: compress(bytes, &prefix, effort) }
    }

    fn revert(&self, digest: &PageDigest) -> Result<Vec<u8>, NativeError> {
        let prefix = guess(digest, &self.style);
        let bytes = decompress(&self.frame, &prefix, digest.about.bytes)?;
        if bytes.len() != digest.about.bytes || xxh3_64(&bytes) != self.hash {
            return Err(NativeError::Residue("the bytes do not match their hash".into()));
        }
        Ok(bytes)
    }
}

/// The best guess at the bytes of the page.
fn guess(digest: &PageDigest, style: &Style) -> Vec<u8> {
    let text = serialise(digest, style);
    let text = match style.newline.text() {
        "\n" => text,
        newline => text.replace('\n', newline),
    };
    encode(&text, &digest.about)
}

fn encode(text: &str, about: &About) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + 3);
    if about.evidence == Evidence::ByteOrderMark {
        bytes.extend_from_slice(byte_order_mark(about.encoding));
    }
    if about.encoding == UTF_16LE {
        bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    } else if about.encoding == UTF_16BE {
        bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
    } else {
        bytes.extend_from_slice(&about.encoding.encode(text).0);
    }
    bytes
}

fn byte_order_mark(encoding: &'static Encoding) -> &'static [u8] {
    match encoding {
        encoding if encoding == UTF_16LE => b"\xFF\xFE",
        encoding if encoding == UTF_16BE => b"\xFE\xFF",
        encoding if encoding == UTF_8 => b"\xEF\xBB\xBF",
        _ => b"",
    }
}

fn compress(bytes: &[u8], prefix: &[u8], effort: Effort) -> Vec<u8> {
    let mut context = CCtx::create();
    let parameters = [
        CParameter::CompressionLevel(match effort {
            Effort::Fast => 3,
            Effort::Small => 19,
        }),
        CParameter::WindowLog(window_log(bytes.len() + prefix.len())),
        CParameter::EnableLongDistanceMatching(bytes.len() > 1 << 20),
        CParameter::ContentSizeFlag(false), // the size is known from the page
        CParameter::ChecksumFlag(false),    // the hash of the page is checked instead
    ];
    for parameter in parameters {
        context.set_parameter(parameter).expect("the parameter is within zstd's bounds");
    }
    context.ref_prefix(prefix).expect("a fresh context takes a prefix");
    let mut frame = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
    context.compress2(&mut frame, bytes).expect("the buffer has room for any input");
    frame
}

fn decompress(frame: &[u8], prefix: &[u8], size: usize) -> Result<Vec<u8>, NativeError> {
    let trouble = |code| NativeError::Residue(zstd_safe::get_error_name(code).to_owned());
    let mut context = DCtx::create();
    context.set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG)).map_err(trouble)?;
    context.ref_prefix(prefix).map_err(trouble)?;
    let mut bytes = Vec::with_capacity(size);
    context.decompress(&mut bytes, frame).map_err(trouble)?;
    Ok(bytes)
}

const MAX_WINDOW_LOG: u32 = 31;

/// The smallest window that reaches over the prefix and the page.
fn window_log(size: usize) -> u32 {
    (usize::BITS - size.leading_zeros()).clamp(10, MAX_WINDOW_LOG)
}
