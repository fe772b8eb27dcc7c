//! Bytes as a zstd frame: alone, or as what they differ by from other bytes, which are then needed to unpack it.
//!
//! Source: zstd's `--patch-from`: the base is the prefix of the window, with long-distance matching where both do not fit into a small one.
//! Cost: linear. Every frame has a checksum: a wrong base is found, not unpacked into something else.

use tidemark_engine::store::StoreError;
use zstd_safe::{CCtx, CParameter, DCtx, DParameter};

/// The level while somebody waits: 0.15 ms for a page of 25 kB, and nothing cheaper finds what a difference is made of as well.
pub(crate) const QUICK: i32 = 6;

/// The level in idle time.
pub(crate) const THOROUGH: i32 = 19;

/// Nothing larger is ever stored; a size beyond it was not written by us.
pub(crate) const LARGEST: u64 = 1 << 30;

/// Up to here the window needs no help to find what is far.
const NEAR: usize = 1 << 20;

/// Packs bytes, as a difference from a base where one is given.
pub(crate) fn pack(bytes: &[u8], base: Option<&[u8]>, level: i32) -> Result<Vec<u8>, StoreError> {
    let mut frame = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
    let mut context = CCtx::create();
    let span = bytes.len() + base.map_or(0, <[u8]>::len);
    let mut packed = || -> Result<usize, usize> {
        context.set_parameter(CParameter::CompressionLevel(level))?;
        context.set_parameter(CParameter::ChecksumFlag(true))?;
        context.set_parameter(CParameter::WindowLog(window(span)))?;
        context.set_parameter(CParameter::EnableLongDistanceMatching(span > NEAR))?;
        if let Some(base) = base {
            context.ref_prefix(base)?;
        }
        context.compress2(&mut frame, bytes)
    };
    packed().map_err(|code| StoreError::Other {
        attempt: "pack a version".to_owned(),
        reason: zstd_safe::get_error_name(code).to_owned(),
    })?;
    Ok(frame)
}

/// Unpacks a frame into as many bytes as it was made of.
pub(crate) fn unpack(frame: &[u8], base: Option<&[u8]>, size: u64) -> Result<Vec<u8>, String> {
    if size > LARGEST {
        return Err(format!("a size of {size} bytes"));
    }
    // A frame tells its size too: what is not told there is not given memory.
    match zstd_safe::get_frame_content_size(frame) {
        Ok(Some(told)) if told == size => {}
        _ => return Err("the frame is of another size".to_owned()),
    }
    let mut bytes = Vec::with_capacity(size as usize);
    let mut context = DCtx::create();
    let mut unpacked = || -> Result<usize, usize> {
        context.set_parameter(DParameter::WindowLogMax(31))?;
        if let Some(base) = base {
            context.ref_prefix(base)?;
        }
        context.decompress(&mut bytes, frame)
    };
    match unpacked() {
        Ok(_) if bytes.len() as u64 == size => Ok(bytes),
        Ok(_) => Err("the frame is too short".to_owned()),
        Err(code) => Err(zstd_safe::get_error_name(code).to_owned()),
    }
}

/// Unpacks a frame that stands alone, with the size it tells.
pub(crate) fn unpack_alone(frame: &[u8]) -> Result<Vec<u8>, String> {
    unpack_from(frame, None)
}

/// Unpacks a frame, with the size it tells.
pub(crate) fn unpack_from(frame: &[u8], base: Option<&[u8]>) -> Result<Vec<u8>, String> {
    match zstd_safe::get_frame_content_size(frame) {
        Ok(Some(size)) => unpack(frame, base, size),
        _ => Err("no frame".to_owned()),
    }
}

/// Bits of a window that holds so many bytes.
fn window(span: usize) -> u32 {
    (usize::BITS - span.leading_zeros()).clamp(10, 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(seed: u64, size: usize) -> Vec<u8> {
        let mut state = seed;
        (0..size)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 40) as u8
            })
            .collect()
    }

    #[test]
    fn what_is_packed_comes_back() {
        let old = page(1, 300_000);
        let mut new = old.clone();
        new.splice(1000..1010, *b"something else");
        for base in [None, Some(old.as_slice())] {
            let frame = pack(&new, base, QUICK).unwrap();
            assert_eq!(unpack(&frame, base, new.len() as u64).unwrap(), new);
        }
        assert!(pack(&new, Some(&old), QUICK).unwrap().len() < 1000);
        assert_eq!(unpack(&pack(b"", None, QUICK).unwrap(), None, 0).unwrap(), b"");
    }

    #[test]
    fn what_is_far_is_found() {
        let old = page(2, 3_000_000);
        let mut new = old.clone();
        new.splice(5..9, *b"x");
        assert!(pack(&new, Some(&old), QUICK).unwrap().len() < 2000);
    }

    #[test]
    fn a_wrong_base_is_found_out() {
        let (old, other) = (page(3, 5000), page(4, 5000));
        let new = [old.as_slice(), b"and more"].concat();
        let frame = pack(&new, Some(&old), QUICK).unwrap();
        assert!(frame.len() < 100, "{}", frame.len());
        assert_eq!(unpack(&frame, Some(&old), 5008).unwrap(), new);
        assert!(unpack(&frame, Some(&other), 5008).is_err());
        assert!(unpack(&frame, None, 5008).is_err());
        assert!(unpack(&frame, Some(&old), 5007).is_err());
        assert!(unpack(b"garbage", None, 7).is_err());
    }
}
