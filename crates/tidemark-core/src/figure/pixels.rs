//! Pixels, and PNG files of them.
//!
//! Source: PNG (ISO/IEC 15948). Written by hand: eight bits a channel, no filter, one stream; the compression is flate2's.
//! Pictures of flat colours and cells gain next to nothing from filters. Cost: linear in the pixels.

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

/// A rectangle of pixels, three bytes each: red, green, blue; rows from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    /// A rectangle of one colour.
    pub fn new(width: usize, height: usize, colour: [u8; 3]) -> Self {
        Self { width, height, bytes: colour.repeat(width * height) }
    }

    /// Pixels from left to right.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Pixels from top to bottom.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The colour of a pixel; black outside.
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.place(x, y).map_or([0; 3], |at| [self.bytes[at], self.bytes[at + 1], self.bytes[at + 2]])
    }

    /// Sets a pixel; nothing happens outside.
    pub fn set(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        if let Some(at) = self.place(x, y) {
            self.bytes[at..at + 3].copy_from_slice(&colour);
        }
    }

    /// As a PNG file.
    pub fn to_png(&self) -> Vec<u8> {
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut head = Vec::new();
        head.extend((self.width as u32).to_be_bytes());
        head.extend((self.height as u32).to_be_bytes());
        head.extend([8, 2, 0, 0, 0]); // eight bits, red green blue, the only compression, the only filters, not interlaced
        chunk(&mut file, *b"IHDR", &head);
        chunk(&mut file, *b"IDAT", &compressed(&self.rows()));
        chunk(&mut file, *b"IEND", &[]);
        file
    }

    /// The rows, each with the number of its filter in front: none.
    fn rows(&self) -> Vec<u8> {
        let row = (self.width * 3).max(1);
        self.bytes.chunks(row).flat_map(|row| std::iter::once(0).chain(row.iter().copied())).collect()
    }

    fn place(&self, x: usize, y: usize) -> Option<usize> {
        (x < self.width && y < self.height).then(|| (y * self.width + x) * 3)
    }
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let mut crc = Crc::new();
    crc.update(&kind);
    crc.update(data);
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(kind);
    file.extend(data);
    file.extend(crc.sum().to_be_bytes());
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut compress = Compress::new(Compression::best(), true);
    let mut out = Vec::with_capacity(bytes.len() / 8 + 1024);
    loop {
        let done = compress.total_in() as usize;
        let status = compress.compress_vec(&bytes[done..], &mut out, FlushCompress::Finish);
        match status {
            Ok(Status::StreamEnd) | Err(_) => return out, // a compressor that takes no dictionary does not fail
            Ok(_) => out.reserve(out.len().max(1024)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Decompress, FlushDecompress};

    #[test]
    fn a_file_holds_its_pixels() {
        let mut pixels = Pixels::new(3, 2, [255; 3]);
        pixels.set(1, 1, [1, 2, 3]);
        pixels.set(9, 9, [9; 3]);
        let file = pixels.to_png();
        assert_eq!(file[..16], *b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR");
        assert_eq!(file[16..29], [0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
        assert_eq!(
            file[file.len() - 12..],
            *b"\0\0\0\0IEND\xae\x42\x60\x82",
            "the sum that every PNG ends with"
        );
        let length = u32::from_be_bytes([file[33], file[34], file[35], file[36]]) as usize;
        let mut rows = Vec::with_capacity(100);
        let data = &file[41..41 + length];
        Decompress::new(true).decompress_vec(data, &mut rows, FlushDecompress::Finish).expect("zlib");
        let white = [255; 3];
        let expected = [&[0][..], &white, &white, &white, &[0], &white, &[1, 2, 3], &white].concat();
        assert_eq!(rows, expected);
    }

    #[test]
    fn noise_is_written_too() {
        let mut pixels = Pixels::new(200, 100, [0; 3]);
        for at in 0..20_000_usize {
            let noise = at.wrapping_mul(2_654_435_761) >> 7;
            pixels.set(at % 200, at / 200, [noise as u8, (noise >> 8) as u8, (noise >> 16) as u8]);
        }
        let mut rows = Vec::with_capacity(200_000);
        Decompress::new(true)
            .decompress_vec(&compressed(&pixels.rows()), &mut rows, FlushDecompress::Finish)
            .expect("zlib");
        assert_eq!(rows, pixels.rows());
    }
}
