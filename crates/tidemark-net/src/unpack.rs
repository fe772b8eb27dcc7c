//! Unpacks a body piece by piece, within a limit: a bomb is noticed when it has grown to the limit, not when it has gone off.
//!
//! Cost: linear in what is unpacked; memory beyond the result is the window of the format (32 kB, 16 MB for brotli, 8 MB for zstd by RFC 9659) and
//! a buffer of 32 kB per layer.

mod codec;

use bytes::Bytes;
use codec::Codec;
use http::HeaderValue;
use http::header::GetAll;
use tidemark_engine::fetch::Failure;

/// More layers than this are a joke.
const LAYERS: usize = 3;

/// So much is unpacked at a time.
const PIECE: usize = 32 << 10;

/// No more than this is set aside because of a length that was only announced.
const SET_ASIDE: u64 = 1 << 20;

/// A body on its way through the layers it was packed in.
pub(crate) struct Unpacker {
    layers: Vec<Layer>,
    result: Vec<u8>,
    limit: u64,
    begun: bool,
}

struct Layer {
    codec: Codec,
    buffer: Vec<u8>,
}

impl Unpacker {
    /// For a body packed as `Content-Encoding` says.
    pub(crate) fn new(encodings: GetAll<'_, HeaderValue>, limit: u64) -> Result<Self, Failure> {
        let mut layers = Vec::new();
        for value in encodings {
            for name in value.to_str().unwrap_or("?").split(',') {
                let codec = Codec::named(&name.trim().to_ascii_lowercase())?;
                layers.extend(codec.map(|codec| Layer { codec, buffer: vec![0; PIECE] }));
            }
        }
        if layers.len() > LAYERS {
            return Err(Failure::Garbled(format!("packed {} times over", layers.len())));
        }
        // Named in the order they were applied.
        layers.reverse();
        Ok(Self { layers, result: Vec::new(), limit, begun: false })
    }

    /// Sets room aside for a body of this length.
    pub(crate) fn expect(&mut self, length: Option<u64>) {
        let length = length.unwrap_or(0).min(SET_ASIDE).min(self.limit);
        self.result.reserve(usize::try_from(length).unwrap_or(0));
    }

    /// The next piece.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<(), Failure> {
        self.begun |= !piece.is_empty();
        push(&mut self.layers, piece, &mut self.result, self.limit)
    }

    /// The whole, if it is whole. An empty body needs no packing.
    pub(crate) fn finish(self) -> Result<Bytes, Failure> {
        if self.begun && !self.layers.iter().all(|layer| layer.codec.is_done()) {
            return Err(Failure::Cut("the packed body ends too early".into()));
        }
        Ok(self.so_far())
    }

    /// What there is.
    pub(crate) fn so_far(self) -> Bytes {
        self.result.into()
    }
}

/// Through the first layer, and what comes out of it through the others. As deep as there are layers.
fn push(layers: &mut [Layer], mut piece: &[u8], result: &mut Vec<u8>, limit: u64) -> Result<(), Failure> {
    let Some((layer, others)) = layers.split_first_mut() else {
        return keep(piece, result, limit);
    };
    loop {
        let (used, made) = layer.codec.step(piece, &mut layer.buffer)?;
        push(others, &layer.buffer[..made], result, limit)?;
        piece = &piece[used..];
        if piece.is_empty() && made < layer.buffer.len() {
            return Ok(());
        }
        if used == 0 && made == 0 {
            return Err(Failure::Garbled("the packed body makes no progress".into()));
        }
    }
}

fn keep(piece: &[u8], result: &mut Vec<u8>, limit: u64) -> Result<(), Failure> {
    let room = usize::try_from(limit).unwrap_or(usize::MAX) - result.len();
    result.extend_from_slice(&piece[..piece.len().min(room)]);
    if piece.len() > room { Err(Failure::TooLarge { limit, unpacked: true }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use http::HeaderMap;
    use http::header::CONTENT_ENCODING;
    use std::io::Write;

    /// Unpacks in pieces of a size.
    fn unpack(encoding: &str, packed: &[u8], size: usize, limit: u64) -> Result<Bytes, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_ENCODING, encoding.parse().unwrap());
        let mut unpacker = Unpacker::new(headers.get_all(CONTENT_ENCODING), limit)?;
        for piece in packed.chunks(size) {
            unpacker.push(piece)?;
        }
        unpacker.finish()
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn packings(text: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(text).unwrap();
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::default());
        raw.write_all(text).unwrap();
        let mut brotli = Vec::new();
        brotli::CompressorWriter::new(&mut brotli, 4096, 5, 22).write_all(text).unwrap();
        vec![
            ("gzip", gzip(text)),
            ("x-gzip", gzip(text)),
            ("deflate", zlib.finish().unwrap()),
            ("deflate", raw.finish().unwrap()),
            ("br", brotli),
            ("zstd", zstd::encode_all(text, 3).unwrap()),
            ("gzip, gzip", gzip(&gzip(text))),
            ("zstd, gzip", gzip(&zstd::encode_all(text, 3).unwrap())),
            ("utf-8", text.to_vec()),
            ("identity", text.to_vec()),
        ]
    }

    fn text() -> Vec<u8> {
        (0..20_000u32).flat_map(|n| (n.wrapping_mul(2_654_435_761) >> 20).to_string().into_bytes()).collect()
    }

    #[test]
    fn whatever_was_packed_is_unpacked_in_pieces_of_any_size() {
        let text = text();
        for (encoding, packed) in packings(&text) {
            for size in [1, 7, 4096, usize::MAX] {
                let unpacked = unpack(encoding, &packed, size, 1 << 20).unwrap();
                assert!(unpacked == text, "{encoding} in pieces of {size}");
            }
        }
    }

    #[test]
    fn what_breaks_off_is_noticed_wherever_it_does() {
        let text = text();
        for (encoding, packed) in
            packings(&text).into_iter().filter(|(name, _)| !matches!(*name, "utf-8" | "identity"))
        {
            for at in [1, 5, packed.len() / 2, packed.len() - 1] {
                let failure = unpack(encoding, &packed[..at], 4096, 1 << 20).unwrap_err();
                assert!(matches!(failure, Failure::Cut(_)), "{encoding} cut at {at}: {failure:?}");
            }
        }
    }

    #[test]
    fn the_limit_is_exact() {
        let text = text();
        let (length, limit) = (text.len() as u64, text.len() as u64 - 1);
        for (encoding, packed) in packings(&text) {
            assert!(unpack(encoding, &packed, 4096, length).is_ok(), "{encoding}");
            let failure = unpack(encoding, &packed, 4096, limit).unwrap_err();
            assert_eq!(failure, Failure::TooLarge { limit, unpacked: true }, "{encoding}");
        }
    }

    #[test]
    fn noise_is_garbled() {
        let noise: Vec<u8> = (0..5000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for encoding in ["gzip", "deflate", "br", "zstd", "gzip, br"] {
            let failure = unpack(encoding, &noise, 512, 1 << 20).unwrap_err();
            assert!(matches!(failure, Failure::Garbled(_)), "{encoding}: {failure:?}");
        }
    }

    #[test]
    fn unknown_and_endless_packings_are_garbled() {
        for encoding in ["lzma", "gzip, compress", "gzip, gzip, gzip, gzip", "gzip;q=1"] {
            assert!(matches!(unpack(encoding, b"x", 1, 10), Err(Failure::Garbled(_))), "{encoding}");
        }
    }

    #[test]
    fn an_empty_body_needs_no_packing_and_bytes_after_the_end_do_not_count() {
        for encoding in ["gzip", "br", "zstd", "deflate"] {
            assert_eq!(unpack(encoding, b"", 1, 10).unwrap(), "", "{encoding}");
        }
        for size in [1, 1000] {
            let two = [gzip(b"one "), gzip(b"two")].concat();
            assert_eq!(unpack("gzip", &two, size, 10).unwrap(), "one two");
            let tail = [gzip(b"one"), b"\0\0\0 padding".to_vec()].concat();
            assert_eq!(unpack("gzip", &tail, size, 10).unwrap(), "one");
        }
        let many = gzip(b"").repeat(5000);
        assert!(matches!(unpack("gzip", &many, 4096, 10), Err(Failure::Garbled(_))));
    }
}
