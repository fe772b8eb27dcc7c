//! Bytes to text.
//!
//! Source: WHATWG Encoding and the encoding sniffing of WHATWG HTML §13.2.3.2; XML 1.0 appendix F.
//! Cost: one pass; valid UTF-8 is borrowed, not copied.
//! We differ: without a declaration, text that is valid UTF-8 is UTF-8, as nearly all of it is; only
//! what is not goes to the statistical detector. The XML declaration counts in HTML too.

use super::prescan;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;

/// How the encoding of a page became known, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// A byte order mark.
    ByteOrderMark,
    /// The charset of the HTTP header, or the caller's word.
    Declared,
    /// A `<meta>` element near the start.
    Meta,
    /// An XML declaration.
    XmlDeclaration,
    /// The bytes themselves.
    Detected,
}

impl Evidence {
    /// All of them, strongest first.
    pub const ALL: [Self; 5] =
        [Self::ByteOrderMark, Self::Declared, Self::Meta, Self::XmlDeclaration, Self::Detected];

    /// The name used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "byte-order-mark",
            Self::Declared => "declared",
            Self::Meta => "meta",
            Self::XmlDeclaration => "xml-declaration",
            Self::Detected => "detected",
        }
    }
}

/// A decoded page.
#[derive(Clone, Debug)]
pub struct Decoded<'a> {
    /// The text, without byte order mark.
    pub text: Cow<'a, str>,
    /// The encoding it was read with.
    pub encoding: &'static Encoding,
    /// Why this encoding.
    pub evidence: Evidence,
    /// Whether some bytes had to be replaced by U+FFFD.
    pub undecodable: bool,
}

/// Decodes any bytes. `declared` is the charset of the HTTP header; a label nobody knows is passed over.
pub fn decode<'a>(bytes: &'a [u8], declared: Option<&str>) -> Decoded<'a> {
    let (encoding, evidence, bom) = choose(bytes, declared);
    let (text, undecodable) = encoding.decode_without_bom_handling(&bytes[bom..]);
    Decoded { text, encoding, evidence, undecodable }
}

/// Encoding, evidence, and length of the byte order mark.
fn choose(bytes: &[u8], declared: Option<&str>) -> (&'static Encoding, Evidence, usize) {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return (encoding, Evidence::ByteOrderMark, length);
    }
    if let Some(encoding) = declared.and_then(|label| Encoding::for_label(label.as_bytes())) {
        return (encoding, Evidence::Declared, 0);
    }
    if let Some(encoding) = prescan::meta(bytes) {
        return (encoding, Evidence::Meta, 0);
    }
    if let Some(encoding) = prescan::xml_declaration(bytes) {
        return (encoding, Evidence::XmlDeclaration, 0);
    }
    (detect(bytes), Evidence::Detected, 0)
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    let escapes = memchr::memchr(0x1b, bytes).is_some(); // ISO-2022-JP hides in ASCII behind escapes
    if !escapes && std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{
        EUC_KR, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252,
    };

    fn found(bytes: &[u8], declared: Option<&str>) -> (&'static str, Evidence, String) {
        let decoded = decode(bytes, declared);
        (decoded.encoding.name(), decoded.evidence, decoded.text.into_owned())
    }

    #[test]
    fn byte_order_mark_outranks_the_header() {
        let page = b"\xEF\xBB\xBF<p>\xC3\xA9";
        assert_eq!(found(page, Some("windows-1251")), ("UTF-8", Evidence::ByteOrderMark, "<p>é".into()));
        assert_eq!(found(b"\xFF\xFEa\0", None), (UTF_16LE.name(), Evidence::ByteOrderMark, "a".into()));
        assert_eq!(found(b"\xFE\xFF\0a", None), (UTF_16BE.name(), Evidence::ByteOrderMark, "a".into()));
    }

    #[test]
    fn header_outranks_meta_and_meta_outranks_detection() {
        let page = b"<meta charset=windows-1251>\xE9";
        assert_eq!(found(page, Some("latin1")).0, WINDOWS_1252.name());
        assert_eq!(
            found(page, None),
            (WINDOWS_1251.name(), Evidence::Meta, "<meta charset=windows-1251>й".into())
        );
        assert_eq!(found(page, Some("no-such-charset")).1, Evidence::Meta);
    }

    #[test]
    fn xml_declaration_is_read() {
        let page = b"<?xml version='1.0' encoding='Shift_JIS'?><a>\x83\x65</a>";
        let (name, evidence, text) = found(page, None);
        assert_eq!((name, evidence), (SHIFT_JIS.name(), Evidence::XmlDeclaration));
        assert!(text.contains('テ'));
    }

    #[test]
    fn undeclared_text_is_detected() {
        assert_eq!(found("grüße, жизнь, 日本".as_bytes(), None).0, "UTF-8");
        let russian = WINDOWS_1251.encode("Все счастливые семьи похожи друг на друга").0.into_owned();
        assert_eq!(found(&russian, None).0, WINDOWS_1251.name());
        let japanese = ISO_2022_JP.encode("これは日本語の文章です").0.into_owned();
        assert_eq!(found(&japanese, None).0, ISO_2022_JP.name());
    }

    #[test]
    fn every_encoding_of_the_web_is_read_by_label() {
        for (encoding, text) in [(GBK, "中文"), (GB18030, "中文"), (EUC_KR, "한국어"), (SHIFT_JIS, "日本語")]
        {
            let bytes = encoding.encode(text).0.into_owned();
            assert_eq!(found(&bytes, Some(encoding.name())).2, text);
        }
    }

    #[test]
    fn undecodable_bytes_are_told() {
        assert!(decode(b"<meta charset=utf-8>\xFF", None).undecodable);
        assert!(!decode(b"plain", None).undecodable);
    }
}
