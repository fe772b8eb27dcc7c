//! Versions as a web archive that other programs read too.
//!
//! Source: WARC 1.1 (ISO 28500:2017), one gzip member a record. Each version is an answer of its server, with as much of the head as is known: its status and type.
//! The digest of the body is BLAKE3, as it is everywhere here.

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use std::io::{self, Write};

/// A version to be written.
pub(super) struct Capture<'a> {
    pub(super) page: i64,
    pub(super) version: i64,
    pub(super) url: &'a str,
    pub(super) at: Timestamp,
    pub(super) content_type: Option<&'a str>,
    pub(super) hash: &'a str,
    pub(super) body: &'a [u8],
}

/// Writes the record that an archive begins with.
pub(super) fn open(out: &mut impl Write, at: Timestamp) -> io::Result<()> {
    let block = "software: tidemark\r\nformat: WARC File Format 1.1\r\n";
    let id = identity(&format!("warcinfo {at}"));
    let head = format!(
        "WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Date: {at}\r\nWARC-Record-ID: {id}\r\nContent-Type: application/warc-fields\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    member(out, &[head.as_bytes(), block.as_bytes()])
}

/// Writes a version.
pub(super) fn write(out: &mut impl Write, capture: &Capture<'_>) -> io::Result<()> {
    let Capture { page, version, at, hash, body, .. } = capture;
    // What a server once sent could end a line here and begin another.
    let media = capture.content_type.filter(|media| media.bytes().all(|byte| (32..127).contains(&byte)));
    let media = media.map_or_else(String::new, |media| format!("Content-Type: {media}\r\n"));
    let answer = format!("HTTP/1.1 200 OK\r\n{media}Content-Length: {}\r\n\r\n", body.len());
    let id = identity(&format!("{page} {version} {at} {hash}"));
    let url = capture.url.replace(char::is_whitespace, "%20");
    let head = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {at}\r\nWARC-Record-ID: {id}\r\nWARC-Payload-Digest: blake3:{hash}\r\nTidemark-Page: {page}\r\nTidemark-Version: {version}\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n",
        answer.len() + body.len()
    );
    member(out, &[head.as_bytes(), answer.as_bytes(), body])
}

fn member(out: &mut impl Write, parts: &[&[u8]]) -> io::Result<()> {
    let mut packed = GzEncoder::new(out, Compression::default());
    for part in parts.iter().chain([&&b"\r\n\r\n"[..]]) {
        packed.write_all(part)?;
    }
    packed.finish().map(drop)
}

/// The same record has the same name wherever it is written.
fn identity(text: &str) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = super::line::hex(&bytes);
    format!("<urn:uuid:{}-{}-{}-{}-{}>", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
