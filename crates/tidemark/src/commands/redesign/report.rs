//! What was found, for people and for programs.

use super::watched::{Name, Watched};
use crate::cli::RedesignCommand;
use crate::input;
use crate::terminal::{CHANGED, FAINT, counted, printable, styled};
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use tidemark_core::redesign::{Detection, Detector, Shingling};

#[derive(Serialize)]
pub(super) struct Report {
    schema: &'static str,
    source: String,
    documents: u64,
    history: u64,
    shingle: Shingling,
    detectors: Vec<Detector>,
    redesigns: Vec<Row>,
    /// How many documents could not be read, and which and why of the first of them.
    failed: usize,
    trouble: Vec<Trouble>,
}

#[derive(Serialize)]
struct Row {
    /// The first document of the new template, counted from 1.
    document: u64,
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    detector: Detector,
    delay: u64,
    certainty: f64,
}

#[derive(Serialize)]
struct Trouble {
    document: String,
    trouble: String,
}

impl Report {
    /// Of those that were asked for: others may have watched for the picture's sake.
    pub(super) fn new(command: &RedesignCommand, watched: &Watched) -> Self {
        let detectors = command.detector.0.clone();
        let found = watched.found().into_iter().filter(|(found, _)| detectors.contains(&found.detector));
        let trouble = watched.trouble().iter();
        Self {
            schema: "tidemark/redesign/1",
            source: input::name(&command.source),
            documents: watched.documents(),
            history: command.history,
            shingle: command.shingle,
            redesigns: found.map(|(found, name)| Row::new(found, name)).collect(),
            detectors,
            failed: watched.failed(),
            trouble: trouble
                .map(|(document, error)| Trouble {
                    document: document.clone(),
                    trouble: format!("{error:#}"),
                })
                .collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.redesigns.is_empty()
    }

    /// A line for each, and one for all.
    pub(super) fn print(&self) -> Result<()> {
        let mut out = anstream::stdout().lock();
        let names: Vec<String> = self.redesigns.iter().map(Row::called).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (row, name) in self.redesigns.iter().zip(&names) {
            let name = styled(CHANGED, &format!("{name:width$}"));
            let delay = format!("after {}", counted(row.delay as usize, "document"));
            writeln!(out, "{name}  {:12}  {delay:18}  certainty {:.2}", row.detector, row.certainty)?;
        }
        writeln!(out, "{}", styled(FAINT, &self.sum()))?;
        Ok(())
    }

    fn sum(&self) -> String {
        let documents = counted(self.documents as usize, "document");
        let found = match (self.redesigns.len(), self.detectors.len()) {
            (0, _) => format!("no redesign found in {documents}"),
            (count, 1) => format!("{} in {documents}", counted(count, "redesign")),
            (count, detectors) => {
                format!("{} by {detectors} detectors in {documents}", counted(count, "detection"))
            }
        };
        match self.failed {
            0 => found,
            failed => format!("{found}; {failed} could not be read"),
        }
    }
}

impl Row {
    fn new(found: &Detection, name: Option<&Name>) -> Self {
        Self {
            document: found.first + 1,
            name: name.map(|name| name.name.clone()),
            date: name.and_then(|name| name.date.clone()),
            detector: found.detector,
            delay: found.delay(),
            certainty: found.certainty,
        }
    }

    fn called(&self) -> String {
        let name = self.name.clone().unwrap_or_else(|| format!("document {}", self.document));
        match &self.date {
            Some(date) => printable(&format!("{name} ({date})")),
            None => printable(&name),
        }
    }
}
