//! Files that are made to do harm: refused as a whole, and whatever the bytes, every importer ends.

use crate::intake::zip;
use proptest::prelude::*;
use std::io::Write;
use tidemark_engine::intake::{Form, LARGEST, MOST, Refusal, read};

fn refused(bytes: &[u8]) -> Refusal {
    read(bytes, None).expect_err("it is hostile")
}

/// Replaces bytes, wherever they are.
fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut bytes = bytes.to_vec();
    let places: Vec<usize> =
        (0..=bytes.len() - old.len()).filter(|at| bytes[*at..].starts_with(old)).collect();
    assert!(!places.is_empty());
    places.iter().for_each(|at| bytes[*at..*at + new.len()].copy_from_slice(new));
    bytes
}

#[test]
fn entities_are_not_expanded() {
    let mut bomb = "<?xml version=\"1.0\"?><!DOCTYPE opml [<!ENTITY a \"lol\">".to_owned();
    for letter in 'b'..='z' {
        let before = char::from(letter as u8 - 1);
        bomb = format!("{bomb}<!ENTITY {letter} \"{}\">", format!("&{before};").repeat(10));
    }
    bomb += "]><opml><body><outline text=\"&z;\" xmlUrl=\"https://a.example/&z;\"/></body></opml>";
    assert!(matches!(refused(bomb.as_bytes()), Refusal::Hostile(_)));
    let file = "<?xml version=\"1.0\"?><!DOCTYPE urlset [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><urlset><url><loc>https://a.example/&f;</loc></url></urlset>";
    assert!(matches!(refused(file.as_bytes()), Refusal::Hostile(_)));
}

#[test]
fn aliases_do_not_multiply() {
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for letter in 'b'..='j' {
        let before = char::from(letter as u8 - 1);
        bomb = format!("{bomb}{letter}: &{letter} [{}]\n", vec![format!("*{before}"); 10].join(", "));
    }
    bomb += "url: https://a.example/\n";
    assert_eq!(Form::of(bomb.as_bytes()), Form::Urlwatch);
    assert!(matches!(refused(bomb.as_bytes()), Refusal::Malformed { .. }));
}

#[test]
fn depth_is_bounded() {
    let deep = 200_000;
    let yaml = format!("url: https://a.example/\nfilter: {}", "[".repeat(deep));
    assert!(matches!(refused(yaml.as_bytes()), Refusal::Malformed { .. }));
    let flow = format!("url: https://a.example/\nfilter: {}{}", "[".repeat(100), "]".repeat(100));
    assert!(matches!(refused(flow.as_bytes()), Refusal::Malformed { .. }));
    let json = format!("{{\"watching\": {}", "{\"a\":".repeat(deep));
    assert!(matches!(refused(json.as_bytes()), Refusal::Malformed { .. }));
    let opml = format!("<opml>{}<outline xmlUrl='https://a.example/'/>", "<outline text='f'>".repeat(deep));
    // Bounded work, whether it is refused or read: a watch has so many tags at most.
    if let Ok(intake) = read(opml.as_bytes(), None) {
        assert!(intake.proposed.iter().all(|proposed| proposed.new.wish.tags.len() <= 32));
    }
    let lists = format!(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>{}<A HREF='https://a.example/'>a</A>",
        "<DL><DT>".repeat(20_000)
    );
    let _ = read(lists.as_bytes(), None);
}

#[test]
fn sizes_are_bounded() {
    let line = "https://a.example/\n";
    assert!(matches!(refused(line.repeat(MOST + 1).as_bytes()), Refusal::TooMany));
    assert!(matches!(refused(line.repeat(LARGEST / line.len() + 1).as_bytes()), Refusal::TooLarge(_)));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![b'#'; 1 << 20];
    for _ in 0..=(LARGEST >> 20) {
        packed.write_all(&zeros).unwrap();
    }
    let bomb = packed.finish().unwrap();
    assert!(bomb.len() < LARGEST / 50, "{}", bomb.len());
    assert!(matches!(refused(&bomb), Refusal::TooLarge(_)));
    let long = format!("https://a.example/{}", "x".repeat(1 << 20));
    assert!(read(long.as_bytes(), None).unwrap().proposed.is_empty());
}

#[test]
fn names_outside_of_an_archive() {
    let good = zip(&[("aaaa/watch.json", b"{\"url\": \"https://a.example/\"}"), ("bbbb", b"x")]);
    assert_eq!(read(&good, None).unwrap().proposed.len(), 1);
    for name in ["../b", "/bbb", "..\\b"] {
        let bad = replaced(&good, b"bbbb", name.as_bytes());
        assert!(matches!(refused(&bad), Refusal::Hostile(_)), "{name}");
    }
    let bad = replaced(&good, b"aaaa/watch", b"a/../../wa");
    assert!(matches!(refused(&bad), Refusal::Hostile(_)));
}

#[test]
fn links_in_an_archive() {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.add_symlink("u/watch.json", "/etc/passwd", zip::write::SimpleFileOptions::default()).unwrap();
    let bytes = archive.finish().unwrap().into_inner();
    assert!(matches!(refused(&bytes), Refusal::Hostile(_)));
}

#[test]
fn archives_that_unpack_to_too_much() {
    let large = vec![b' '; 40 << 20];
    assert!(matches!(refused(&zip(&[("u/watch.json", &large)])), Refusal::TooLarge(_)));
    let half = vec![b' '; 30 << 20];
    let three = zip(&[("a/watch.json", &half), ("b/watch.json", &half), ("c/watch.json", &half)]);
    assert!(matches!(refused(&three), Refusal::TooLarge(_)));
    // What is not wanted is not unpacked, however large it says it is.
    let mixed = zip(&[("a/watch.json", b"{\"url\": \"https://a.example/\"}"), ("snapshot.html", &large)]);
    assert_eq!(read(&mixed, None).unwrap().proposed.len(), 1);
}

#[test]
fn heads_that_lie() {
    let content = br#"{"url": "https://a.example/", "title": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}"#;
    let good = zip(&[("a/watch.json", content), ("b/watch.json", content)]);
    let size = (content.len() as u32).to_le_bytes();
    for lie in [0, 1, u32::MAX - 1] {
        let bad = replaced(&good, &size, &u32::to_le_bytes(lie));
        // Either it is found out, or nothing but what was packed came out of it.
        if let Ok(intake) = read(&bad, None) {
            assert!(intake.proposed.len() <= 2);
        }
    }
    // Two entries that are one: the second says to begin where the first does.
    let directory: Vec<usize> =
        (0..good.len() - 4).filter(|at| good[*at..].starts_with(b"PK\x01\x02")).collect();
    let mut overlapping = good.clone();
    overlapping[directory[1] + 42..directory[1] + 46].copy_from_slice(&0_u32.to_le_bytes());
    assert!(read(&overlapping, None).is_err());
    for cut in [0, 4, 10, good.len() / 2, good.len() - 1] {
        assert!(read(&good[..cut], Some(Form::Changedetection)).is_err(), "{cut}");
    }
}

/// Bytes that are nearly right reach further than any.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let seeds = [
        "<?xml version='1.0'?><opml><body><outline text='a' xmlUrl='https://a.example/'/></body></opml>",
        "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><H3>f</H3><DL><DT><A HREF='https://a.example/'>a</A></DL></DL>",
        "<urlset><url><loc>https://a.example/</loc><lastmod>2026-01-01</lastmod></url></urlset>",
        "url: https://a.example/\nfilter:\n  - css: {selector: a, exclude: b}\n---\nurl: x\nheaders: {a: b}\n",
        "{\"watching\": {\"a\": {\"url\": \"https://a.example/\", \"include_filters\": [\"p\"]}}}",
        "https://a.example/ name\n# comment\n",
    ];
    let seed = proptest::sample::select(seeds.to_vec()).prop_map(|text| text.as_bytes().to_vec());
    let zipped = Just(zip(&[("a/watch.json", b"{\"url\": \"https://a.example/\"}")]));
    let edits = proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..6);
    (prop_oneof![6 => seed, 2 => zipped], edits).prop_map(|(mut bytes, edits)| {
        edits.iter().for_each(|(at, byte)| {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        });
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_to_every_importer(bytes in prop_oneof![proptest::collection::vec(any::<u8>(), 0..400), nearly()]) {
        for form in Form::ALL.into_iter().map(Some).chain([None]) {
            if let Ok(intake) = read(&bytes, form) {
                prop_assert!(intake.proposed.len() <= bytes.len() + 1);
                for proposed in &intake.proposed {
                    let wish = &proposed.new.wish;
                    prop_assert!(matches!(proposed.new.request.url.scheme(), "http" | "https"));
                    prop_assert!(wish.name.iter().chain(&wish.tags).all(|text| !text.chars().any(char::is_control)));
                    prop_assert!(wish.tags.iter().all(|tag| !tag.trim().is_empty()));
                }
            }
        }
    }
}
