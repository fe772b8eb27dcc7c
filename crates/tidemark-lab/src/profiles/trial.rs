//! A reader's profile tried on the set: which changes it marks, and why.

use super::{Reader, Sample, Score};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tidemark_core::profile::{Foaf, Matcher, Profile, Reach};
use tidemark_core::render::Changes;

/// A change of the set with what the product says about its pages.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The change.
    pub sample: Sample,
    /// What differs.
    pub changes: Changes,
}

impl Compared {
    /// Compares the pages of all changes.
    pub fn all(samples: Vec<Sample>) -> Result<Vec<Self>> {
        samples.into_iter().map(|sample| Ok(Self { changes: sample.changes()?, sample })).collect()
    }
}

/// What a profile marked for its reader.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Numbers of the marked changes, with why they are marked.
    pub marked: BTreeMap<usize, Vec<String>>,
    /// Numbers of those among the tried that the reader wants.
    pub wanted: BTreeSet<usize>,
    /// Right and wrong.
    pub score: Score,
}

impl Trial {
    /// Tries the profile of a reader; expanded if there is a reach.
    pub fn of(reader: &Reader, reach: Option<&Reach>, compared: &[Compared]) -> Result<Self> {
        let profile = profile(reader)?;
        let profile = reach.map(|reach| profile.expand(reach)).unwrap_or(profile);
        let matcher = Matcher::new(&profile);
        let numbers: BTreeSet<usize> = compared.iter().map(|one| one.sample.number).collect();
        let reasons = compared.iter().map(|one| (one.sample.number, reasons(&matcher, &one.changes)));
        let marked: BTreeMap<_, _> = reasons.filter(|(_, reasons)| !reasons.is_empty()).collect();
        let wanted: BTreeSet<usize> = reader.wanted.intersection(&numbers).copied().collect();
        let score = Score::of(&marked.keys().copied().collect(), &wanted);
        Ok(Self { marked, wanted, score })
    }

    /// Marked though not wanted, with why.
    pub fn false_alarms(&self) -> impl Iterator<Item = (usize, &[String])> {
        let marked = self.marked.iter().filter(|(number, _)| !self.wanted.contains(number));
        marked.map(|(&number, reasons)| (number, reasons.as_slice()))
    }

    /// Wanted but not marked.
    pub fn misses(&self) -> impl Iterator<Item = usize> {
        self.wanted.iter().copied().filter(|number| !self.marked.contains_key(number))
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        let alarms =
            self.false_alarms().map(|(number, reasons)| json!({"change": number, "reasons": reasons}));
        let mut json = self.score.to_json();
        json["marked"] = self.marked.keys().copied().collect();
        json["marked_wrongly"] = alarms.collect();
        json["missed"] = self.misses().collect();
        json
    }
}

/// What a reader typed, and what the FOAF file says.
fn profile(reader: &Reader) -> Result<Profile> {
    let mut profile =
        Profile::parse(reader.typed).with_context(|| format!("the profile of {}", reader.name))?;
    if let Some(foaf) = reader.foaf {
        let foaf =
            Foaf::read(foaf.as_bytes(), None).with_context(|| format!("the FOAF file of {}", reader.name))?;
        foaf.terms.into_iter().for_each(|term| profile.add(term));
    }
    Ok(profile)
}

/// Why changes are personal; nothing if they are not.
fn reasons(matcher: &Matcher, changes: &Changes) -> Vec<String> {
    let mut reasons = Vec::new();
    for change in changes.seen() {
        for side in [tidemark_core::render::SpanKind::Added, tidemark_core::render::SpanKind::Removed] {
            let text = change.line.side(side);
            reasons.extend(matcher.find(&text).matches.iter().map(|found| found.reason(&text)));
        }
    }
    reasons.dedup();
    reasons
}
