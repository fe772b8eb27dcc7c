//! What the first bytes of a page say about it, before it is parsed.
//!
//! Source: "prescan a byte stream to determine its encoding", WHATWG HTML §13.2.3.2, and the XML
//! declaration of XML 1.0 §2.8. Cost: at most the first [`WINDOW`] bytes.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

/// Browsers look at 1024 bytes; real pages put the declaration behind long scripts, so we look further.
const WINDOW: usize = 8192;

/// The encoding named by a `<meta>` element.
pub(crate) fn meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut scan = Scan { bytes: &bytes[..bytes.len().min(WINDOW)], at: 0 };
    while let Some(offset) = memchr::memchr(b'<', &scan.bytes[scan.at..]) {
        scan.at += offset;
        if let Some(encoding) = scan.markup() {
            return Some(encoding);
        }
    }
    None
}

/// The encoding named by an XML declaration; for UTF-16 without a byte order mark, its first bytes.
pub(crate) fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if bytes.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    let window = &bytes[..bytes.len().min(WINDOW)];
    let declaration = window.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let value = &declaration[memmem::find(declaration, b"encoding")? + 8..];
    let value = value.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|quote| matches!(quote, b'"' | b'\''))?;
    let value = &value[1..];
    usable(&value[..memchr::memchr(quote, value)?])
}

/// The qualified name of the first element, past declarations, comments and doctype.
pub(crate) fn first_element(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    loop {
        rest = &rest[rest.find('<')? + 1..];
        let skipped = if rest.starts_with("!--") {
            rest.find("-->")
        } else if rest.starts_with(['?', '!']) {
            rest.find('>')
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).unwrap_or(rest.len());
            return rest.starts_with(char::is_alphabetic).then(|| &rest[..end]);
        };
        rest = &rest[skipped?..];
    }
}

/// An encoding that the bytes read so far can be in: a declaration that was legible is not UTF-16.
fn usable(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16LE || encoding == UTF_16BE {
        Some(UTF_8)
    } else if encoding == X_USER_DEFINED {
        Some(WINDOWS_1252)
    } else {
        Some(encoding)
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    /// Steps over the markup at `at`, which is a `<`; an encoding if it is a `<meta>` that names one.
    fn markup(&mut self) -> Option<&'static Encoding> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"<!--") {
            self.at += memmem::find(&rest[2..], b"-->").map_or(rest.len(), |end| end + 5);
            return None;
        }
        let name = rest[1..].strip_prefix(b"/").unwrap_or(&rest[1..]);
        if name.first().is_some_and(u8::is_ascii_alphabetic) {
            let is_meta = rest.len() > 5
                && rest[1..5].eq_ignore_ascii_case(b"meta")
                && (rest[5].is_ascii_whitespace() || rest[5] == b'/');
            let name_end = rest.iter().position(|b| b.is_ascii_whitespace() || *b == b'>');
            self.at += if is_meta { 5 } else { name_end.unwrap_or(rest.len()) };
            return self.attributes(is_meta);
        }
        let skips = matches!(rest.get(1), Some(b'!' | b'/' | b'?'));
        self.at += if skips { memchr::memchr(b'>', rest).map_or(rest.len(), |end| end + 1) } else { 1 };
        None
    }

    fn attributes(&mut self, is_meta: bool) -> Option<&'static Encoding> {
        let (mut pragma, mut charset, mut in_content) = (false, None, None);
        while let Some((name, value)) = self.attribute() {
            match name.to_ascii_lowercase().as_slice() {
                b"http-equiv" => pragma |= value.eq_ignore_ascii_case(b"content-type"),
                b"charset" if charset.is_none() => charset = Some(value),
                b"content" if in_content.is_none() => in_content = charset_in_content(value),
                _ => {}
            }
        }
        let label = charset.or(if pragma { in_content } else { None });
        label.filter(|_| is_meta).and_then(usable)
    }

    /// "Get an attribute" of the prescan algorithm.
    fn attribute(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        self.skip(|b| b.is_ascii_whitespace() || b == b'/');
        if self.peek()? == b'>' {
            return None;
        }
        let start = self.at;
        self.at += 1; // a name may begin with '='
        self.skip(|b| !(b.is_ascii_whitespace() || matches!(b, b'=' | b'>' | b'/')));
        let name = &self.bytes[start..self.at];
        self.skip(|b| b.is_ascii_whitespace());
        if self.peek() != Some(b'=') {
            return Some((name, b""));
        }
        self.at += 1;
        self.skip(|b| b.is_ascii_whitespace());
        Some((name, self.value()?))
    }

    fn value(&mut self) -> Option<&'a [u8]> {
        let first = self.peek()?;
        let quoted = matches!(first, b'"' | b'\'');
        self.at += usize::from(quoted);
        let start = self.at;
        if quoted {
            self.skip(|b| b != first);
        } else {
            self.skip(|b| !(b.is_ascii_whitespace() || b == b'>'));
        }
        let value = &self.bytes[start..self.at];
        self.at = (self.at + usize::from(quoted)).min(self.bytes.len());
        Some(value)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
    }
}

/// "Extracting a character encoding from a meta element".
fn charset_in_content(content: &[u8]) -> Option<&[u8]> {
    let lower = content.to_ascii_lowercase();
    let mut at = 0;
    loop {
        at += memmem::find(&lower[at..], b"charset")? + 7;
        let value = content[at..].trim_ascii_start();
        let Some(value) = value.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        return match value.first()? {
            quote @ (b'"' | b'\'') => Some(&value[1..=memchr::memchr(*quote, &value[1..])?]),
            _ => value.split(|b| b.is_ascii_whitespace() || *b == b';').next(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(page: &str) -> Option<&'static str> {
        meta(page.as_bytes()).map(Encoding::name)
    }

    #[test]
    fn meta_in_its_spellings() {
        assert_eq!(name("<meta charset=koi8-r>"), Some("KOI8-R"));
        assert_eq!(name("<META CharSet = 'big5' >"), Some("Big5"));
        assert_eq!(name("<meta/charset=\"euc-kr\"/>"), Some("EUC-KR"));
        let pragma = "<meta content='text/html; charset = gb2312' http-equiv=Content-Type>";
        assert_eq!(name(pragma), Some("GBK"));
        assert_eq!(name("<meta content='text/html; charset=gb2312'>"), None, "a pragma needs its http-equiv");
    }

    #[test]
    fn what_is_not_a_meta_is_passed_over() {
        assert_eq!(name("<!-- <meta charset=big5> --><meta charset=utf-8>"), Some("UTF-8"));
        assert_eq!(name("<p title='<meta charset=big5>'>"), None);
        assert_eq!(name("<metal charset=big5>"), None);
        assert_eq!(name("<"), None);
        assert_eq!(name("<meta charset"), None);
        assert_eq!(name("<meta charset='utf-8"), Some("UTF-8"));
    }

    #[test]
    fn a_legible_utf16_declaration_means_utf8() {
        assert_eq!(name("<meta charset=utf-16>"), Some("UTF-8"));
    }

    #[test]
    fn the_first_element_is_found_behind_the_prolog() {
        assert_eq!(
            first_element("<?xml version='1.0'?><!-- <a> --><!DOCTYPE svg><svg:svg x='1'>"),
            Some("svg:svg")
        );
        assert_eq!(first_element("no markup"), None);
        assert_eq!(first_element("<>"), None);
        assert_eq!(first_element("<!-- open"), None);
    }
}
