//! Reading pages and digests from files and standard input, and writing files.

use crate::cli::ReadingOptions;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use tidemark_core::digest::{PageDigest, native};
use tidemark_core::page::{Format, Limits, Reading};

/// Reads a page, or a digest in native form.
pub(crate) fn digest(path: &Path, options: &ReadingOptions) -> Result<PageDigest> {
    page(path, &bytes(path, &options.limits.limits())?, options)
}

/// The page, or the digest, of bytes that were read.
pub(crate) fn page(path: &Path, bytes: &[u8], options: &ReadingOptions) -> Result<PageDigest> {
    let limits = options.limits.limits();
    if native::is_native(bytes) {
        return native(path, bytes, &limits);
    }
    let format = options.grammar.or_else(|| by_extension(path));
    let reading = Reading { charset: options.charset.clone(), format, limits };
    PageDigest::encode(bytes, &reading).with_context(|| format!("cannot read {}", name(path)))
}

/// Reads the old and the new version of a page.
pub(crate) fn versions(old: &Path, new: &Path, options: &ReadingOptions) -> Result<(PageDigest, PageDigest)> {
    if is_standard(old) && is_standard(new) {
        bail!("standard input can be one of the two pages, not both");
    }
    Ok((digest(old, options)?, digest(new, options)?))
}

/// Loads a digest from the bytes of a native file.
pub(crate) fn native(path: &Path, bytes: &[u8], limits: &Limits) -> Result<PageDigest> {
    PageDigest::from_native(bytes, limits).with_context(|| format!("cannot load {}", name(path)))
}

/// Reads a file, or standard input for `-`, up to the size limit.
pub(crate) fn bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A digest can be larger than its page: arrays take about 28 bytes a node.
    let most = (limits.bytes as u64).saturating_mul(8).saturating_add(1 << 16);
    let read = if is_standard(path) {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    read.with_context(|| format!("cannot read {}", name(path)))?;
    if !native::is_native(&bytes) && bytes.len() > limits.bytes {
        bail!(
            "cannot read {}: it is larger than {} bytes; use --max-bytes to raise the limit",
            name(path),
            limits.bytes
        );
    }
    Ok(bytes)
}

/// Writes a file, or standard output for `-`. Binary data is not thrown at a terminal.
pub(crate) fn write(path: &Path, bytes: &[u8], binary: bool) -> Result<()> {
    if !is_standard(path) {
        return std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()));
    }
    let mut out = std::io::stdout().lock();
    if binary && out.is_terminal() {
        bail!("a digest is binary and standard output is a terminal; use -o FILE");
    }
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// Whether the path means standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What to call a file in a message.
pub(crate) fn name(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

fn by_extension(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "html" | "htm" => Some(Format::Html),
        "xhtml" | "xht" | "xml" | "rss" | "atom" | "rdf" | "svg" | "opml" => Some(Format::Xml),
        _ => None,
    }
}
