//! Tag soup: what no author meant and every parser must take.

use super::{common_word, pick, words};
use fastrand::Rng;

/// Writes exactly `bytes` bytes of broken HTML: tags opened and closed in no
/// order, attributes of every quoting, character references, comments, stray
/// `<`, NUL and now and then bytes that are no UTF-8.
#[must_use]
pub fn soup(bytes: usize, seed: u64) -> Vec<u8> {
    let mut rng = Rng::with_seed(seed);
    let mut out = Vec::with_capacity(bytes.saturating_add(128));
    while out.len() < bytes {
        soup_piece(&mut out, &mut rng);
    }
    out.truncate(bytes);
    out
}

/// Writes one piece of tag soup, at least one byte.
fn soup_piece(out: &mut Vec<u8>, rng: &mut Rng) {
    match rng.u8(..100) {
        0..38 => soup_start_tag(out, rng),
        38..60 => soup_end_tag(out, rng),
        60..84 => soup_words(out, rng),
        84..90 => push_bytes(out, pick(rng, &words::SOUP_ENTITIES)),
        90..96 => push_bytes(out, pick(rng, &words::SOUP_ODDITIES)),
        96 => soup_raw_element(out, rng),
        97 => out.push(0),
        98 => push_bytes(out, pick(rng, &["\r\n", "\r", "\n", "\t", "\u{c}"])),
        _ => out.extend((0..rng.usize(1..5)).map(|_| rng.u8(..))),
    }
}

/// Writes a start tag, sometimes self-closing, sometimes never finished.
fn soup_start_tag(out: &mut Vec<u8>, rng: &mut Rng) {
    out.push(b'<');
    push_bytes(out, pick(rng, &words::SOUP_TAGS));
    for _ in 0..rng.usize(..6).saturating_sub(2) {
        soup_attribute(out, rng);
    }
    push_bytes(
        out,
        match rng.u8(..40) {
            0 => " ",
            1..4 => "/>",
            4 => "\n>",
            5 => " / >",
            _ => ">",
        },
    );
}

/// Writes an attribute with quotes of either kind, none, or only one.
fn soup_attribute(out: &mut Vec<u8>, rng: &mut Rng) {
    let gap = pick(rng, &[" ", " ", " ", "\n", "/", ""]);
    let name = pick(rng, &words::SOUP_ATTRIBUTES);
    let (before, after) = match rng.u8(..48) {
        0..8 => ("", ""),
        8..26 => ("=\"", "\""),
        26..34 => ("='", "'"),
        34..45 => ("=", ""),
        45..47 => (" = \"", "\"\""),
        _ => ("=\"", ""),
    };
    push_bytes(out, gap);
    push_bytes(out, name);
    push_bytes(out, before);
    if !before.is_empty() {
        let value = pick(rng, &["1", "tide", "a b", "x>y", "<i>", "&amp;", "&lt", "\0", "/", ""]);
        push_bytes(out, value);
    }
    push_bytes(out, after);
}

fn soup_end_tag(out: &mut Vec<u8>, rng: &mut Rng) {
    push_bytes(out, "</");
    push_bytes(out, pick(rng, &words::SOUP_TAGS));
    push_bytes(out, pick(rng, &[">", ">", ">", ">", ">", ">", " >", " a=b>", "/>", ""]));
}

fn soup_words(out: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..rng.usize(1..5) {
        push_bytes(out, common_word(rng));
        out.push(b' ');
    }
}

/// Writes an element of raw text with markup inside, closed but for one in
/// sixty-four: what is left open swallows much of the rest.
fn soup_raw_element(out: &mut Vec<u8>, rng: &mut Rng) {
    let tag = pick(rng, &words::SOUP_RAW_TAGS);
    let inside = ["a < b && c", "<!--", "<!--<script></script>-->", "\n\n", "</b>", "&amp;", "<p>"];
    for part in ["<", tag, ">", pick(rng, &inside)] {
        push_bytes(out, part);
    }
    if rng.u8(..64) > 0 {
        for part in ["</", tag, ">"] {
            push_bytes(out, part);
        }
    }
}

fn push_bytes(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soup_has_the_length_asked_for() {
        for bytes in [0, 1, 2, 17, 1000, 65_536] {
            assert_eq!(soup(bytes, 5).len(), bytes);
        }
    }
}
