//! Streams with truth: those of the corpus, and generated ones.

use super::{Labelled, Scenario};
use crate::{corpus, work};
use anyhow::{Context, Result};
use serde_json::Value;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;
use tidemark_core::redesign::{Fingerprint, Shingling};

/// A stream as detectors see it.
#[derive(Clone, Debug)]
pub struct Watched {
    /// Its name; of a generated stream, scenario and seed.
    pub name: String,
    /// Its documents.
    pub fingerprints: Vec<Fingerprint>,
    /// First documents of new designs.
    pub redesigns: Vec<u64>,
}

impl Watched {
    /// Reads all documents of some streams.
    pub fn all(streams: &[Labelled], shingling: Shingling) -> Vec<Self> {
        work::through(streams, "reading", |stream| Self::new(stream, shingling))
    }

    /// Reads all documents of a stream.
    pub fn new(stream: &Labelled, shingling: Shingling) -> Self {
        let fingerprint = |bytes: &Vec<u8>| {
            let digest = PageDigest::encode(bytes, &Reading::default()).ok()?;
            Some(Fingerprint::of(&digest, shingling))
        };
        let fingerprints = stream.documents.iter().filter_map(fingerprint).collect();
        Self { name: stream.name.clone(), fingerprints, redesigns: stream.redesigns.clone() }
    }

    /// The scenario of a generated stream, the name of any other.
    pub fn group(&self) -> &str {
        match self.name.rsplit_once('-') {
            Some((scenario, seed)) if seed.bytes().all(|byte| byte.is_ascii_digit()) => scenario,
            _ => &self.name,
        }
    }
}

/// The streams of the corpus with their truth; nothing where there is no corpus.
pub(super) fn of_the_corpus() -> Result<Option<Vec<Labelled>>> {
    let (Some(files), Some(truth)) = (corpus::files()?, corpus::truth("redesign.json")?) else {
        return Ok(None);
    };
    let truth: Value = serde_json::from_str(&truth).context("redesign.json is no JSON")?;
    let streams = truth["streams"].as_array().context("redesign.json has no streams")?;
    let labelled = |stream: &Value| {
        let folder = format!("{}/", stream["dir"].as_str().unwrap_or_default());
        let documents = files.iter().filter(|file| file.name.starts_with(&folder));
        let redesigns = stream["redesigns"].as_array().into_iter().flatten();
        Labelled {
            name: stream["name"].as_str().unwrap_or_default().to_owned(),
            documents: documents.map(|document| document.bytes.clone()).collect(),
            redesigns: redesigns.filter_map(|redesign| redesign["index"].as_u64()).collect(),
        }
    };
    Ok(Some(streams.iter().map(labelled).collect()))
}

/// So many streams of every scenario.
pub(super) fn generated(count: usize, seed: u64) -> Vec<Labelled> {
    let seeds = seed..seed + count as u64;
    Scenario::ALL
        .into_iter()
        .flat_map(|scenario| seeds.clone().map(move |seed| scenario.stream(seed)))
        .collect()
}
