//! The command about streams of documents.

use super::{JsonOption, Order, ReadingOptions};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use tidemark_core::figure::stream::Figure;
use tidemark_core::redesign::{Detector, Settings, Shingling, Tags};

/// Longest history: its matrix has as many numbers as the square of it.
const LONGEST: u64 = 500;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 if no redesign was found, 1 if one was, 2 if a document could not be read or on other trouble."
)]
pub(crate) struct RedesignCommand {
    /// The documents of a site, oldest first: a folder, a list of files (one a line), or a web archive (.warc, .warc.gz)
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) source: PathBuf,
    /// Who watches: tidemark, new-avg-drop, max-avg-diff, statistics, cluster, or all
    #[arg(long, value_name = "DETECTOR", default_value = "tidemark", value_parser = detectors)]
    pub(crate) detector: Detectors,
    /// How many documents a new one is compared with
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=LONGEST))]
    pub(crate) history: u64,
    /// How sure our own detector must be to tell; lower is earlier
    #[arg(long, value_name = "C", default_value_t = Settings::default().certainty, value_parser = certainty)]
    pub(crate) certainty: f64,
    /// Neighbouring tags that are compared: their number, and 'all' for start and end tags, such as 4 or 6,all
    #[arg(long, value_name = "N[,all]", default_value = "4", value_parser = shingling)]
    pub(crate) shingle: Shingling,
    /// The order of the files of a folder or a list [default: of a folder by name, of a list as it is]
    #[arg(long, value_name = "ORDER")]
    pub(crate) order: Option<Order>,
    /// Write a picture as SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    /// Write a picture as PNG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) png: Option<PathBuf>,
    /// What the picture shows: matrix, stripe, triangles or indicators
    #[arg(long, value_name = "FIGURE", default_value = "stripe", value_parser = figure)]
    pub(crate) figure: Figure,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

/// One detector or all of them.
#[derive(Clone, Debug)]
pub(crate) struct Detectors(pub(crate) Vec<Detector>);

impl RedesignCommand {
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            history: self.history as usize,
            detectors: self.detector.0.clone(),
            certainty: self.certainty,
            ..Settings::default()
        }
    }
}

fn detectors(name: &str) -> Result<Detectors, String> {
    let one = || Detector::from_name(name).map(|detector| vec![detector]);
    let found = if name == "all" { Some(Detector::ALL.to_vec()) } else { one() };
    found
        .map(Detectors)
        .ok_or_else(|| "use tidemark, new-avg-drop, max-avg-diff, statistics, cluster or all".to_owned())
}

fn figure(name: &str) -> Result<Figure, String> {
    Figure::from_name(name).ok_or_else(|| "use matrix, stripe, triangles or indicators".to_owned())
}

fn certainty(written: &str) -> Result<f64, String> {
    let number = written.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "write a number from 0 to 1".to_owned())
}

fn shingling(written: &str) -> Result<Shingling, String> {
    let (length, tags) = match written.split_once(',') {
        None => (written, Some(Tags::Start)),
        Some((length, more)) => (length, (more.trim() == "all").then_some(Tags::StartAndEnd)),
    };
    let length = length.trim().parse().ok().filter(|length| (1..=64).contains(length));
    let shingling = length.zip(tags).map(|(length, tags)| Shingling { length, tags });
    shingling.ok_or_else(|| "write a number from 1 to 64, and ',all' for start and end tags".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shingles_are_read_and_the_defaults_are_those_of_the_library() {
        assert_eq!(shingling("4"), Ok(Shingling::default()));
        assert_eq!(shingling("6,all"), Ok(Shingling { length: 6, tags: Tags::StartAndEnd }));
        for wrong in ["", "0", "65", "x", "4,start", ",all"] {
            assert!(shingling(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Settings::default().history, 20, "change the default of --history as well");
    }
}
