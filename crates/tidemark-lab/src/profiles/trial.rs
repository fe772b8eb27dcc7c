//! A reader's profile tried on the set: which changes it marks, and why.

use super::{Reader, Sample, Score};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tidemark_core::diff::Difference;
use tidemark_core::digest::PageDigest;
use tidemark_core::profile::{Foaf, Matcher, Profile, Reach};
use tidemark_core::render::{Change, Changes, text};

/// A change of the set with its pages compared.
#[derive(Debug)]
pub struct Compared {
    /// The change.
    pub sample: Sample,
    pages: [PageDigest; 2],
    difference: Difference,
}

impl Compared {
    /// Compares the pages of a change.
    pub fn of(sample: Sample) -> Result<Self> {
        let pages = sample.pages()?;
        Ok(Self { sample, difference: Difference::of(&pages[0], &pages[1]), pages })
    }

    /// What differs, for a reader.
    pub fn changes(&self, matcher: &Matcher) -> Changes {
        Changes::for_reader(&self.pages[0], &self.pages[1], &self.difference, matcher)
    }
}

/// How changes are marked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting {
    /// How far terms are expanded.
    pub reach: Reach,
    /// Least interest of a change that is marked.
    pub least: f64,
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
    /// Tries the profile of a reader, expanded or not.
    pub fn of(reader: &Reader, expanded: bool, setting: &Setting, compared: &[Compared]) -> Result<Self> {
        let profile = profile(reader)?;
        let profile = if expanded { profile.expand(&setting.reach) } else { profile };
        let matcher = Matcher::new(&profile);
        let numbers: BTreeSet<usize> = compared.iter().map(|one| one.sample.number).collect();
        let reasons = compared.iter().map(|one| (one.sample.number, reasons(&matcher, one, setting.least)));
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
        profile.add(foaf.terms);
    }
    Ok(profile)
}

/// Why a change is of interest; nothing if it is not.
fn reasons(matcher: &Matcher, one: &Compared, least: f64) -> Vec<String> {
    let told = |change: &Change| {
        let reasons = text::reasons(&change.mentions).join("; ");
        format!("{:.2}: {reasons}", change.interest)
    };
    one.changes(matcher).of_interest().filter(|change| change.interest >= least).map(told).collect()
}
