//! Hostile native files: whatever is done to one, it gives an error or a digest that holds in every respect.

use crate::file::{META, NAMES, TAG_NAMES, TAGS, VARIANTS, seal, sections, with_sections};
use crate::outline::outline;
use crate::pages::{cases, corpus, digest};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::sync::LazyLock;
use tidemark_core::digest::locate::Locator;
use tidemark_core::digest::native::is_native;
use tidemark_core::digest::{Facet, NativeError, NodeId, PageDigest, Variant};
use tidemark_core::page::Limits;
use tidemark_core::similarity::resemblance;
use tidemark_core::similarity::resemblance::Aspect;
use zstd_safe::{CCtx, CDict};

/// Pages with every kind of node, encoding and note, small enough to be damaged in many ways.
const PAGES: [&str; 9] = [
    "attribute-quotes.html",
    "doctype-xhtml-transitional.html",
    "empty.html",
    "feed.atom.xml",
    "malformed-undefined-entity.xml",
    "processing-instructions.xml",
    "shift-jis.html",
    "svg-math-inline.html",
    "template-nested.html",
];

static DIGESTS: LazyLock<Vec<PageDigest>> = LazyLock::new(|| {
    let pages: Vec<_> = corpus().into_iter().filter(|(name, _)| PAGES.contains(&name.as_str())).collect();
    assert_eq!(pages.len(), PAGES.len());
    pages.iter().map(|(_, bytes)| digest(bytes)).collect()
});

/// The dictionary is part of the format, and so in a forger's hands.
static DICTIONARY: LazyLock<CDict<'static>> =
    LazyLock::new(|| CDict::create(include_bytes!("../../src/digest/native/dictionary.bin"), 1));

fn page_named(name: &str) -> &'static PageDigest {
    &DIGESTS[PAGES.iter().position(|page| *page == name).expect("a page of the list")]
}

fn files() -> impl Iterator<Item = (&'static PageDigest, Vec<u8>)> {
    let file =
        |digest: &'static PageDigest, variant| (digest, digest.to_native(variant).expect("a sound digest"));
    DIGESTS.iter().flat_map(move |digest| VARIANTS.map(|variant| file(digest, variant)))
}

fn load(file: &[u8]) -> Result<PageDigest, NativeError> {
    PageDigest::from_native(file, &Limits::default())
}

/// The packed file of a stream that need not be one.
fn packed(stream: &[u8], residue: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(zstd_safe::compress_bound(stream.len()));
    CCtx::create()
        .compress_using_cdict(&mut frame, stream, &DICTIONARY)
        .expect("the buffer has room for any input");
    let any = DIGESTS[0].to_native(Variant::Packed).expect("a sound digest");
    with_sections(&any, &[frame, residue.to_vec()])
}

/// Calls everything that can be called on a digest. It may be any page, but it must be one.
fn assert_holds(forged: &PageDigest, original: &PageDigest) {
    call_nodes(forged);
    compare(forged, original);
    compare(original, forged);
    let _ = forged.revert(); // the residue may be broken, and then says so
    assert!(!forged.packing_stream().is_empty() && forged.column_sizes().count() > 0);
    for variant in VARIANTS {
        let file = forged.to_native(variant).expect("a digest that was loaded");
        let again = load(&file).expect("a digest that was loaded can be loaded again");
        assert_eq!(outline(&again), outline(forged), "{variant:?}");
        assert_eq!(again.about(), forged.about(), "{variant:?}");
        assert!(again.changed(forged).is_empty(), "{variant:?} changes {:?}", again.changed(forged));
        assert_eq!(again.facet_hashes(), forged.facet_hashes(), "{variant:?}");
        assert_eq!(again.revert(), forged.revert(), "{variant:?}");
    }
}

fn call_nodes(digest: &PageDigest) {
    let locator = Locator::new(digest);
    for node in digest.depth_first() {
        let _ = (digest.kind(node), digest.name(node), digest.content(node), digest.subtree_hash(node));
        assert_eq!(digest.children(node).count(), digest.child_count(node));
        assert_eq!(digest.ancestors(node).count(), digest.depth(node));
        assert!(digest.leaves(node).count() <= digest.subtree(node).len());
        digest.attributes(node).for_each(|(name, _)| assert!(digest.attribute(node, name).is_some()));
        assert!(digest.tagged(digest.name(node)).any(|found| found == node));
        let _ = (locator.tag_path(node), locator.css(node), locator.xpath(node));
    }
}

fn compare(old: &PageDigest, new: &PageDigest) {
    let changed = old.changed(new);
    assert_eq!(changed.is_empty(), old.differing(new).is_empty());
    assert_eq!(changed.is_empty(), outline(old) == outline(new), "a page is what its nodes are");
    assert_eq!(changed, old.facet_hashes().changed(new.facet_hashes()));
    let aspects = Facet::ALL
        .map(Aspect::Facet)
        .into_iter()
        .chain([Aspect::Tag("p"), Aspect::Tag(new.name(NodeId::ROOT))]);
    for aspect in aspects {
        assert!((0.0..=1.0).contains(&resemblance(old, new, aspect).value()));
    }
}

/// Damage that a forger, a disk or a bug can do to bytes.
#[derive(Clone, Debug)]
enum Damage {
    Flip(Index, u8),
    Overwrite(Index, usize, u8),
    Number(Index, u32),
    Swap(Index, Index),
    Delete(Index, usize),
    Duplicate(Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    let number = prop_oneof![
        0..8u32,
        select(&[0xff, 0x100, 0x301, 0x7fff_ffff, u32::MAX - 1, u32::MAX]),
        any::<u32>()
    ];
    prop_oneof![
        (at(), 0..8u8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        (at(), 1..9usize, select(&[0, 1, 0x7f, 0x80, 0xff]))
            .prop_map(|(at, length, with)| Damage::Overwrite(at, length, with)),
        (at(), number).prop_map(|(at, number)| Damage::Number(at, number)),
        (at(), at()).prop_map(|(one, other)| Damage::Swap(one, other)),
        (at(), 1..40usize).prop_map(|(at, length)| Damage::Delete(at, length)),
        (at(), 1..40usize).prop_map(|(at, length)| Damage::Duplicate(at, length)),
    ]
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let Some(last) = bytes.len().checked_sub(1) else { return };
        let span = |at: &Index, length: usize| {
            let at = at.index(last + 1);
            at..(at + length).min(last + 1)
        };
        match self {
            Self::Flip(at, bit) => bytes[at.index(last + 1)] ^= 1 << bit,
            Self::Overwrite(at, length, with) => bytes[span(at, *length)].fill(*with),
            Self::Number(at, number) => {
                let at = at.index(last + 1) & !3;
                let length = (last + 1 - at).min(4);
                bytes[at..at + length].copy_from_slice(&number.to_le_bytes()[..length]);
            }
            Self::Swap(one, other) => bytes.swap(one.index(last + 1), other.index(last + 1)),
            Self::Delete(at, length) => drop(bytes.drain(span(at, *length))),
            Self::Duplicate(at, length) => {
                let span = span(at, *length);
                let copy = bytes[span.clone()].to_vec();
                bytes.splice(span.end..span.end, copy);
            }
        }
    }
}

fn pick<'a>(bytes: &'a mut [Vec<u8>], at: &Index) -> &'a mut Vec<u8> {
    let at = at.index(bytes.len());
    &mut bytes[at]
}

#[test]
fn a_file_that_was_cut_off_is_refused() {
    for (_, file) in files() {
        for length in
            (0..file.len()).filter(|length| *length < 300 || length % 13 == 0 || length + 50 > file.len())
        {
            let error = load(&file[..length]).expect_err("a part of a file");
            assert!(
                matches!(error, NativeError::NotNative | NativeError::Length { .. }),
                "{length}: {error}"
            );
        }
    }
}

#[test]
fn a_file_with_something_behind_it_is_refused() {
    for (_, mut file) in files() {
        let expected = file.len() as u64;
        file.extend_from_slice(b"\0");
        let found = file.len() as u64;
        assert_eq!(load(&file).unwrap_err(), NativeError::Length { expected, found });
    }
}

#[test]
fn a_file_with_one_wrong_bit_is_refused() {
    for (_, mut file) in files() {
        let step = if file.len() < 2000 { 1 } else { 3 };
        for at in (0..file.len()).step_by(step) {
            let bit = 1 << (at % 8);
            file[at] ^= bit;
            assert!(load(&file).is_err(), "bit {bit:#x} of byte {at}");
            file[at] ^= bit;
        }
        assert!(load(&file).is_ok());
    }
}

#[test]
fn a_file_that_is_not_ours_is_told_so() {
    for page in [
        &b""[..],
        b"\x89",
        b"<p>",
        b"\x89PNG\r\n\x1a\n",
        b"\x89TMD\n\x1a\n and so on, for more than a header",
    ] {
        assert_eq!(load(page).unwrap_err(), NativeError::NotNative);
        assert!(!is_native(page));
    }
    for (_, file) in files() {
        assert!(is_native(&file));
        let as_text: Vec<u8> = file.iter().copied().filter(|&byte| byte != b'\r').collect();
        assert_eq!(load(&as_text).unwrap_err(), NativeError::NotNative, "a transfer in text mode");
    }
}

#[test]
fn a_file_of_a_later_release_is_told_so() {
    for (_, file) in files() {
        for version in [2u16, 3, 255, 256, u16::MAX] {
            let mut future = file.clone();
            future[8..10].copy_from_slice(&version.to_le_bytes());
            future.truncate(file.len() - 1); // whatever else a later form changes
            for sealed in [false, true] {
                if sealed {
                    seal(&mut future);
                }
                let error = load(&future).unwrap_err();
                assert_eq!(error, NativeError::FutureVersion { found: version });
                assert!(error.to_string().contains("update"), "the error says what to do: {error}");
            }
        }
    }
}

#[test]
fn a_version_or_variant_that_never_was_is_refused() {
    for (_, file) in files() {
        for (at, value) in [(8, 0), (10, 2), (10, 255)] {
            let mut forged = file.clone();
            forged[at] = value;
            seal(&mut forged);
            assert!(matches!(load(&forged), Err(NativeError::Malformed(_))), "byte {at} set to {value}");
        }
    }
}

#[test]
fn a_file_without_all_of_its_sections_is_refused() {
    for (_, file) in files() {
        let sections = sections(&file);
        assert_eq!(with_sections(&file, &sections), file, "the forger's tools are sound");
        for keep in 0..sections.len() {
            assert!(
                matches!(load(&with_sections(&file, &sections[..keep])), Err(NativeError::Malformed(_))),
                "{keep} sections"
            );
        }
    }
}

/// The plain file of a small page, with its sections damaged as told.
fn forged(page: &str, forge: impl Fn(&mut Vec<Vec<u8>>)) -> Result<PageDigest, NativeError> {
    let file = digest(page.as_bytes()).to_native(Variant::Plain).expect("a sound digest");
    let mut sections = sections(&file);
    forge(&mut sections);
    assert_ne!(with_sections(&file, &sections), file, "nothing was forged");
    load(&with_sections(&file, &sections))
}

#[test]
fn a_list_in_another_order_or_with_an_entry_too_much_is_refused() {
    // The tags are document 0, html 1, head 2, body 3, b 4 and i 5.
    let swapped = forged("<b></b><i></i>", |sections| {
        let names = String::from_utf8(sections[TAG_NAMES].clone()).expect("names are text");
        sections[TAG_NAMES] = names.replace("bi", "ib").into_bytes();
        let last = sections[TAGS].len() - 8;
        (sections[TAGS][last], sections[TAGS][last + 4]) = (5, 4);
    });
    assert!(matches!(swapped, Err(NativeError::Malformed(_))), "the same page, numbered in another way");
    let unused = forged("<b></b><i></i>", |sections| {
        let last = sections[TAGS].len() - 4;
        sections[TAGS][last] = 4;
    });
    assert!(matches!(unused, Err(NativeError::Malformed(_))), "no node has the last tag");
}

#[test]
fn a_list_with_one_name_twice_is_refused() {
    let renamed = |page: &str, section: usize, from: &'static str, to: &'static str| {
        forged(page, move |sections| {
            let names = String::from_utf8(sections[section].clone()).expect("names are text");
            sections[section] = names.replace(from, to).into_bytes();
        })
    };
    assert!(renamed("<p><b>x</b><i>y</i>", TAG_NAMES, "#texti", "#textb").is_err(), "two tags `b`");
    assert!(renamed("<p ab=1 cd=2>", NAMES, "abcd", "abab").is_err(), "two attributes `ab`");
    assert!(renamed("<p>x", TAG_NAMES, "#text", "#tuxt").is_err(), "a text that is no #text");
}

#[test]
fn a_description_that_makes_the_page_explode_is_refused() {
    let line = format!("reference=e9 {}\n", "x".repeat(1_000_000)); // a megabyte for each of a hundred thousand characters
    let bomb = forged(&format!("<p>{}", "é".repeat(100_000)), |sections| {
        sections[META].extend_from_slice(line.as_bytes());
    });
    assert!(bomb.is_err());
}

#[test]
fn a_file_beyond_the_limits_is_refused() {
    let page = digest("<p class=c>text</p>".repeat(1000).as_bytes());
    for variant in VARIANTS {
        let file = page.to_native(variant).expect("a sound digest");
        let with =
            |bytes, nodes| PageDigest::from_native(&file, &Limits { bytes, nodes, ..Limits::default() });
        assert!(with(19_000, page.len()).is_ok());
        for (bytes, nodes) in
            [(18_999, page.len()), (19_000, page.len() - 1), (0, page.len()), (19_000, 0), (100, 100)]
        {
            let error = with(bytes, nodes).unwrap_err();
            assert!(
                matches!(error, NativeError::TooLarge(_)),
                "{variant:?} with {bytes} bytes and {nodes} nodes: {error}"
            );
        }
    }
}

#[test]
fn a_small_file_that_unpacks_to_a_large_one_is_refused() {
    let stream = vec![b'x'; 40 << 20];
    let bomb = packed(&stream, b"");
    assert!(bomb.len() < 10_000);
    let limits = Limits { bytes: 1 << 20, nodes: 1000, ..Limits::default() };
    assert!(matches!(PageDigest::from_native(&bomb, &limits), Err(NativeError::TooLarge(_))));
    assert!(matches!(load(&bomb), Err(NativeError::Malformed(_))), "within the limits it is only no digest");
}

#[test]
fn a_page_that_could_have_been_sent_packs_and_unpacks_at_its_limits() {
    let page = "<b a=1>".repeat(200);
    let limits = Limits { bytes: page.len(), nodes: 1000, ..Limits::default() };
    let reading = tidemark_core::page::Reading { limits, ..Default::default() };
    let digest = PageDigest::encode(page.as_bytes(), &reading).expect("a page at its limits");
    for variant in VARIANTS {
        let file = digest.to_native(variant).expect("a sound digest");
        assert!(
            PageDigest::from_native(&file, &limits).is_ok(),
            "what was read under limits loads under them"
        );
    }
}

#[test]
fn a_packed_stream_is_what_it_says() {
    for digest in DIGESTS.iter() {
        let file = digest.to_native(Variant::Packed).expect("a sound digest");
        let stream = digest.packing_stream();
        let forged = load(&packed(&stream, &sections(&file)[1])).expect("the forger's tools are sound");
        assert_eq!(outline(&forged), outline(digest));
    }
}

proptest! {
    #![proptest_config(cases(1024))]

    #[test]
    fn a_damaged_file_that_was_sealed_again_is_refused_or_holds(
        page in select(PAGES.as_slice()), variant in select(VARIANTS.as_slice()), damages in vec(damage(), 1..4)
    ) {
        let original = page_named(page);
        let mut file = original.to_native(variant).expect("a sound digest");
        damages.iter().for_each(|damage| damage.apply(&mut file));
        seal(&mut file);
        if let Ok(forged) = load(&file) {
            assert_holds(&forged, original);
        }
    }

    #[test]
    fn a_damaged_column_is_refused_or_holds(
        page in select(PAGES.as_slice()), damages in vec((any::<Index>(), damage()), 1..4)
    ) {
        let original = page_named(page);
        let file = original.to_native(Variant::Plain).expect("a sound digest");
        let mut sections = sections(&file);
        damages.iter().for_each(|(at, damage)| damage.apply(pick(&mut sections, at)));
        if let Ok(forged) = load(&with_sections(&file, &sections)) {
            assert_holds(&forged, original);
        }
    }

    #[test]
    fn a_damaged_packed_stream_is_refused_or_holds(page in select(PAGES.as_slice()), damages in vec(damage(), 1..4)) {
        let original = page_named(page);
        let file = original.to_native(Variant::Packed).expect("a sound digest");
        let mut stream = original.packing_stream();
        damages.iter().for_each(|damage| damage.apply(&mut stream));
        if let Ok(forged) = load(&packed(&stream, &sections(&file)[1])) {
            assert_holds(&forged, original);
        }
    }
}
