//! What must hold for the difference of any two pages.

use crate::pages::{cases, corpus, digest, related, sent, soup};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tidemark_core::diff::patch::{PatchEdit, PatchError, Piece, Place, Reference};
use tidemark_core::diff::{Difference, Patch};
use tidemark_core::digest::PageDigest;
use tidemark_core::page::{Limits, Reading};
use tidemark_core::render::Changes;

/// Checks everything a difference promises; how many edits it has.
fn assert_holds(old: &PageDigest, new: &PageDigest, about: &str) -> usize {
    let difference = Difference::of(old, new);
    assert_eq!(
        difference.script.is_empty(),
        old.changed(new).is_empty(),
        "{about}: empty exactly if nothing changed"
    );
    assert_eq!(difference, Difference::of(old, new), "{about}: the same every time");
    let (mut olds, mut news) = (BTreeSet::new(), BTreeSet::new());
    for (from, to) in difference.mapping.pairs() {
        assert!(olds.insert(from) && news.insert(to), "{about}: one to one");
        assert_eq!(
            (old.kind(from), old.name(from)),
            (new.kind(to), new.name(to)),
            "{about}: of the same tag"
        );
    }
    let patch = Patch::of(old, new, &difference);
    let written = serde_json::to_string(&patch).expect("a patch is JSON");
    let read: Patch = serde_json::from_str(&written).expect("what was written is read");
    assert_eq!(patch, read, "{about}");
    let made = read.apply(old, &Limits::default()).unwrap_or_else(|error| panic!("{about}: {error}"));
    assert!(made.changed(new).is_empty(), "{about}: what was made is the new page");
    let bytes = new.revert().expect("a sound digest");
    assert_eq!(*made.revert().expect("a sound residue"), *bytes, "{about}: to the byte");
    difference.script.len()
}

#[test]
fn every_corpus_page_becomes_every_other() {
    let pages: Vec<(String, PageDigest)> =
        corpus().into_iter().map(|(name, bytes)| (name, digest(&bytes))).collect();
    for (old_name, old) in &pages {
        for (new_name, new) in &pages {
            assert_holds(old, new, &format!("{old_name} to {new_name}"));
        }
    }
}

#[test]
fn a_patch_fits_one_page_and_no_other() {
    let (old, new) = (digest(b"<p>one two"), digest(b"<p class=a>one <b>three"));
    let patch = Patch::of(&old, &new, &Difference::of(&old, &new));
    let other = digest(b"<p>one two.");
    let apply =
        |patch: &Patch, page: &PageDigest| patch.apply(page, &Limits::default()).map(|_| ()).unwrap_err();
    assert_eq!(apply(&patch, &other), PatchError::OtherPage);
    let later = Patch { version: 2, ..patch.clone() };
    assert_eq!(apply(&later, &old), PatchError::FutureVersion { found: 2 });
    let shorter = Patch { edits: patch.edits[1..].to_vec(), ..patch.clone() };
    assert!(matches!(apply(&shorter, &old), PatchError::Damaged(_) | PatchError::Broken { .. }));
    let no_base64 = Patch { residue: "%".into(), ..patch };
    assert!(apply(&no_base64, &old).to_string().contains("base64"));
}

#[test]
fn a_hostile_patch_is_refused() {
    let (old, new) = (digest(b"<p>one<p>two"), digest(b"<p>one<p>three"));
    let patch = Patch::of(&old, &new, &Difference::of(&old, &new));
    let place = |parent, after| Place { parent, after };
    let hostile = [
        PatchEdit::Delete { node: 0 },
        PatchEdit::Delete { node: 99 },
        PatchEdit::Move { node: 3, place: place(Reference::Old(4), None) },
        PatchEdit::Move { node: 4, place: place(Reference::Old(4), None) },
        PatchEdit::Move { node: 4, place: place(Reference::Old(3), Some(Reference::Old(4))) },
        PatchEdit::Move { node: 4, place: place(Reference::New(7), None) },
        PatchEdit::Update { node: 4, text: vec![Piece::Keep(2)], attributes: Vec::new(), order: Vec::new() },
        PatchEdit::Update { node: 5, text: vec![Piece::Keep(9)], attributes: Vec::new(), order: Vec::new() },
        PatchEdit::Insert { place: place(Reference::Old(0), None), nodes: Vec::new() },
    ];
    for edit in hostile {
        let edits = [vec![edit.clone()], patch.edits.clone()].concat();
        let result = Patch { edits, ..patch.clone() }.apply(&old, &Limits::default());
        match edit {
            PatchEdit::Insert { .. } => assert!(result.is_ok(), "nothing brought in changes nothing"),
            _ => assert!(result.is_err(), "{edit:?}"),
        }
    }
}

proptest! {
    #![proptest_config(cases(1024))]

    #[test]
    fn related_pages_have_a_difference_that_holds((old, new) in related()) {
        assert_holds(&digest(old.as_bytes()), &digest(new.as_bytes()), "related");
    }

    #[test]
    fn any_two_soups_have_a_difference_that_holds(old in soup(), new in soup()) {
        assert_holds(&digest(old.as_bytes()), &digest(new.as_bytes()), "soup");
    }

    #[test]
    fn any_two_inputs_have_a_difference_that_holds((old, old_charset) in sent(), (new, new_charset) in sent()) {
        let read = |bytes: &[u8], charset: Option<String>| {
            PageDigest::encode(bytes, &Reading { charset, ..Reading::default() }).expect("a page within the limits")
        };
        assert_holds(&read(&old, old_charset), &read(&new, new_charset), "any bytes");
    }
}

/// Pages made to be hard: none may take time or memory out of proportion, and all that is promised holds.
#[test]
fn hostile_pairs_are_compared_like_others() {
    let deep = |inside: &str| {
        format!("<?xml version='1.0'?>{}{inside}{}", "<a>".repeat(50_000), "</a>".repeat(50_000))
    };
    let deep_texts = |word: &str| {
        format!("<?xml version='1.0'?>{}{}", format!("<a>{word}").repeat(20_000), "</a>".repeat(20_000))
    };
    let flat =
        |from: usize| (from..from + 20_000).map(|number| format!("<i>{number}</i>")).collect::<String>();
    let names = |from: usize| {
        (from..from + 5_000).map(|number| format!("<x{number}>a</x{number}>")).collect::<String>()
    };
    let reversed = |backwards: bool| {
        let mut rows: Vec<String> =
            (0..8_000).map(|number| format!("<li>row number {number} of them all</li>")).collect();
        if backwards {
            rows.reverse();
        }
        format!("<ul>{}</ul>", rows.concat())
    };
    let pairs = [
        ("deep", deep("x"), deep("y")),
        ("deep with texts", deep_texts("x"), deep_texts("y")),
        ("deeper", deep("x"), deep("<b/>")),
        ("all siblings other", flat(0), flat(50_000)),
        ("half of the siblings other", flat(0), flat(10_000)),
        ("all names other", names(0), names(5_000)),
        ("backwards", reversed(false), reversed(true)),
        ("equal siblings, one less", "<br>x".repeat(20_000), "<br>x".repeat(19_999)),
        ("everything against nothing", flat(0), String::new()),
    ];
    for (name, old, new) in pairs {
        let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
        assert_holds(&old, &new, name);
        assert!(!Changes::of(&old, &new, &Difference::of(&old, &new)).changes.is_empty(), "{name}");
    }
}
