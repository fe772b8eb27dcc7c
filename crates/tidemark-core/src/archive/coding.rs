//! Codings of bodies undone: chunks, gzip, deflate. Each gives at most as many bytes as asked for, whatever it was told.
//!
//! Source: RFC 9112 (7.1), RFC 1952, RFC 1950. Brotli is left out: its tables are larger than all the rest of this room.
//! Many archives hold bodies with the coding undone and its name left in the head: what does not begin like a coding is taken as it is.

use flate2::{Decompress, FlushDecompress, Status};

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Damaged,
    TooLarge,
}

/// The body in chunks, put together. A body that ends too early is damaged.
pub(super) fn chunks(body: Vec<u8>) -> Result<Vec<u8>, Fault> {
    let mut whole = Vec::with_capacity(body.len());
    let mut rest = &body[..];
    let mut is_first = true;
    loop {
        let Some((size, after)) = chunk_size(rest) else {
            return if is_first { Ok(body) } else { Err(Fault::Damaged) };
        };
        is_first = false;
        if size == 0 {
            return Ok(whole);
        }
        let data = after.get(..size).ok_or(Fault::Damaged)?;
        whole.extend_from_slice(data);
        let after = &after[size..];
        rest = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")).ok_or(Fault::Damaged)?;
    }
}

/// The size of a chunk and what follows its line.
fn chunk_size(rest: &[u8]) -> Option<(usize, &[u8])> {
    let end = memchr::memchr(b'\n', &rest[..rest.len().min(256)])?;
    let line = std::str::from_utf8(&rest[..end]).ok()?;
    let digits = line.split(';').next().unwrap_or_default().trim();
    let is_number = (1..=8).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let size = usize::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((size, &rest[end + 1..]))
}

/// gzip, one member.
pub(super) fn gzip(body: Vec<u8>, most: usize) -> Result<Vec<u8>, Fault> {
    match body.get(..3) {
        Some([0x1f, 0x8b, 8]) => inflate(gzip_data(&body).ok_or(Fault::Damaged)?, false, most),
        _ => Ok(body),
    }
}

/// deflate: zlib, or without its head as some servers send it.
pub(super) fn deflate(body: Vec<u8>, most: usize) -> Result<Vec<u8>, Fault> {
    let has_head =
        body.len() > 1 && body[0] & 15 == 8 && (u16::from(body[0]) << 8 | u16::from(body[1])) % 31 == 0;
    match inflate(&body, has_head, most) {
        Err(Fault::Damaged) if body.trim_ascii_start().first() == Some(&b'<') => Ok(body),
        undone => undone,
    }
}

/// What follows the head of a gzip member.
fn gzip_data(body: &[u8]) -> Option<&[u8]> {
    let flags = *body.get(3)?;
    let mut rest = body.get(10..)?;
    if flags & 4 != 0 {
        let length = usize::from(u16::from_le_bytes([*rest.first()?, *rest.get(1)?]));
        rest = rest.get(2 + length..)?;
    }
    for text in [8, 16] {
        if flags & text != 0 {
            rest = &rest[memchr::memchr(0, rest)? + 1..];
        }
    }
    rest.get(usize::from(flags & 2)..)
}

fn inflate(data: &[u8], has_head: bool, most: usize) -> Result<Vec<u8>, Fault> {
    let mut state = Decompress::new(has_head);
    let mut out = Vec::with_capacity(data.len().saturating_mul(4).min(most) + 64);
    loop {
        let (read, written) = (state.total_in(), out.len());
        let rest = &data[(read as usize).min(data.len())..];
        let status =
            state.decompress_vec(rest, &mut out, FlushDecompress::None).map_err(|_| Fault::Damaged)?;
        if out.len() > most {
            return Err(Fault::TooLarge);
        }
        match status {
            Status::StreamEnd => return Ok(out),
            _ if out.len() == out.capacity() => out.reserve(out.len().min(most - out.len() + 1)),
            _ if state.total_in() == read && out.len() == written => return Err(Fault::Damaged), // it ends too early
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compress, Compression, FlushCompress};

    fn deflated(text: &[u8], has_head: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() + 1000);
        let mut state = Compress::new(Compression::best(), has_head);
        state.compress_vec(text, &mut out, FlushCompress::Finish).expect("room");
        out
    }

    #[test]
    fn chunks_are_put_together() {
        let put = |body: &[u8]| chunks(body.to_vec());
        assert_eq!(
            put(b"4\r\nWiki\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"),
            Ok(b"Wiki0123456789".to_vec())
        );
        assert_eq!(put(b"<p>not in chunks\n"), Ok(b"<p>not in chunks\n".to_vec()));
        for broken in ["4\r\nWi", "4\r\nWikiX\r\n0\r\n", "4\r\nWiki\r\nzz\r\n", "ffffffff\r\nx"] {
            assert_eq!(put(broken.as_bytes()), Err(Fault::Damaged), "{broken}");
        }
    }

    #[test]
    fn gzip_with_all_that_its_head_may_have() {
        let data = deflated(b"tides", false);
        let plain = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0][..], &data].concat();
        let full =
            [&[0x1f, 0x8b, 8, 30, 0, 0, 0, 0, 0, 0, 2, 0, 9, 9][..], b"name\0comment\0", &[7, 7], &data]
                .concat();
        for body in [plain.clone(), full] {
            assert_eq!(gzip(body, 5), Ok(b"tides".to_vec()));
        }
        assert_eq!(gzip(plain.clone(), 4), Err(Fault::TooLarge));
        for length in 3..plain.len() {
            assert_eq!(gzip(plain[..length].to_vec(), 5), Err(Fault::Damaged), "{length}");
        }
        assert_eq!(gzip(b"<p>".to_vec(), 5), Ok(b"<p>".to_vec()), "the coding was undone before");
    }

    #[test]
    fn deflate_with_and_without_a_head() {
        for has_head in [true, false] {
            assert_eq!(deflate(deflated(b"tides", has_head), 5), Ok(b"tides".to_vec()));
        }
        assert_eq!(deflate(b"<p>".to_vec(), 5), Ok(b"<p>".to_vec()));
    }

    #[test]
    fn a_bomb_takes_no_more_room_than_allowed() {
        let bomb = deflated(&vec![0; 20 << 20], true);
        assert!(bomb.len() < 30_000);
        assert_eq!(deflate(bomb, 100_000), Err(Fault::TooLarge));
    }
}
