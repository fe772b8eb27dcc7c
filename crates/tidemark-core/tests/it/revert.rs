//! Every page comes back to the byte, from memory and through both native forms, and a reloaded digest is the one that was kept.

use crate::file::VARIANTS;
use crate::outline::outline;
use crate::pages::{bytes_in, cases, corpus, garbage, sent};
use encoding_rs::Encoding;
use proptest::prelude::*;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::{Format, Limits, Reading};

fn read(bytes: &[u8], charset: Option<&str>, format: Option<Format>) -> PageDigest {
    let reading = Reading { charset: charset.map(str::to_owned), format, limits: Limits::default() };
    PageDigest::encode(bytes, &reading).expect("a page within the limits")
}

/// Keeps the digest in both native forms, from there in both again, and wants page and digest back each time.
fn assert_reverts(bytes: &[u8], digest: &PageDigest) {
    assert_eq!(&*digest.revert().expect("bytes at hand"), bytes);
    for first in VARIANTS {
        let file = digest.to_native(first).expect("a sound digest");
        let loaded = PageDigest::from_native(&file, &Limits::default()).expect("our own file");
        assert_is_kept(bytes, digest, &loaded);
        assert_eq!(
            loaded.to_native(first).expect("a sound digest"),
            file,
            "{first:?} again is the same file"
        );
        for second in VARIANTS {
            let file = loaded.to_native(second).expect("a sound digest");
            let again = PageDigest::from_native(&file, &Limits::default()).expect("our own file");
            assert_is_kept(bytes, digest, &again);
        }
    }
}

fn assert_is_kept(bytes: &[u8], digest: &PageDigest, loaded: &PageDigest) {
    assert_eq!(&*loaded.revert().expect("a sound residue"), bytes);
    assert_eq!(loaded.about(), digest.about());
    assert_eq!(loaded.facet_hashes(), digest.facet_hashes());
    assert_eq!(loaded.subtree_hash(NodeId::ROOT), digest.subtree_hash(NodeId::ROOT));
    assert!(loaded.changed(digest).is_empty() && digest.changed(loaded).is_empty());
    assert_eq!(digest.differing(loaded), []);
    assert_eq!(outline(loaded), outline(digest));
    let kinds = |digest: &PageDigest| digest.depth_first().map(|node| digest.kind(node)).collect::<Vec<_>>();
    assert_eq!(kinds(loaded), kinds(digest));
}

#[test]
fn every_corpus_page_comes_back() {
    for (_, bytes) in corpus() {
        assert_reverts(&bytes, &read(&bytes, None, None));
    }
}

#[test]
fn every_corpus_page_comes_back_when_read_in_the_other_grammar() {
    for (_, bytes) in corpus() {
        for format in [Format::Html, Format::Xml] {
            assert_reverts(&bytes, &read(&bytes, None, Some(format)));
        }
    }
}

#[test]
fn every_corpus_page_comes_back_under_a_wrong_charset() {
    for (_, bytes) in corpus() {
        for charset in ["utf-8", "windows-1252", "shift_jis", "utf-16le", "iso-2022-kr", "no-such-charset"] {
            assert_reverts(&bytes, &read(&bytes, Some(charset), None));
        }
    }
}

#[test]
fn a_page_comes_back_in_every_encoding_of_the_web() {
    let text = "<!DOCTYPE html>\r\n<title>é ж 日 한 א ไ</title><p class='ü'>&eacute; € 😀 &#x65e5;<br/>ﾊﾝ\\~";
    for label in LABELS {
        let encoding = Encoding::for_label(label.as_bytes()).expect("a label of the standard");
        let bytes = bytes_in(text, encoding);
        let digest = read(&bytes, Some(label), None);
        assert_eq!(digest.about().encoding, encoding);
        assert_reverts(&bytes, &digest);
    }
}

#[test]
fn every_byte_and_every_pair_of_bytes_comes_back() {
    for first in 0..=u8::MAX {
        let pairs: Vec<u8> = (0..=u8::MAX).flat_map(|second| [first, second]).collect();
        for bytes in [&[first][..], &pairs] {
            let digest = read(bytes, None, None);
            let file = digest.to_native(VARIANTS[0]).expect("a sound digest");
            let loaded = PageDigest::from_native(&file, &Limits::default()).expect("our own file");
            assert_eq!(&*loaded.revert().expect("a sound residue"), bytes);
        }
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn any_page_comes_back((bytes, charset) in sent()) {
        assert_reverts(&bytes, &read(&bytes, charset.as_deref(), None));
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn bytes_that_are_no_page_come_back(bytes in garbage(), format in prop_oneof![Just(Format::Html), Just(Format::Xml)]) {
        assert_reverts(&bytes, &read(&bytes, None, Some(format)));
    }
}

/// A label for each encoding of the standard.
const LABELS: [&str; 40] = [
    "utf-8",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "replacement",
    "utf-16be",
    "utf-16le",
    "x-user-defined",
];
