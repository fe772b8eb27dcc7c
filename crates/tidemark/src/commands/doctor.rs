//! `tidemark doctor`: whether all is well, and what to do where it is not.

mod findings;

use super::print_json;
use crate::cli::Doctor;
use crate::settings::{Effective, Given};
use crate::terminal::{ADDED, CHANGED, FAINT, REMOVED, printable, styled};
use anyhow::Result;
use findings::{Finding, Grade};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;
use tidemark_engine::store::Store;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    well: bool,
    findings: Vec<Finding>,
}

pub(crate) fn run(command: &Doctor, given: &Given) -> Result<ExitCode> {
    let mut findings = Vec::new();
    match Effective::gather(given) {
        Ok(effective) => {
            findings.extend(findings::of_settings(&effective));
            findings.extend(of_database(command, &effective));
        }
        Err(error) => {
            findings.push(Finding::fault(
                "settings",
                &format!("{error:#}"),
                "mend the setting that is named",
            ));
        }
    }
    let well = findings.iter().all(|finding| finding.grade != Grade::Fault);
    let report = Report { schema: "tidemark/doctor/1", well, findings };
    if command.json.json {
        print_json(&report)?;
    } else {
        report.print()?;
    }
    Ok(ExitCode::from(u8::from(!well)))
}

fn of_database(command: &Doctor, effective: &Effective) -> Vec<Finding> {
    let store = match effective.settings.open() {
        Ok(store) => store,
        Err(error) => {
            return vec![Finding::fault(
                "database",
                &format!("{error:#}"),
                "check the setting 'database', and who may read and write there",
            )];
        }
    };
    let mut findings = findings::of_store(&*store);
    if command.deep {
        findings.extend(deep(&*store));
    }
    findings
}

/// Reads everything, with a progress bar on a terminal.
fn deep(store: &dyn Store) -> Vec<Finding> {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} pages read, {eta} left") {
        bar.set_style(style);
    }
    let faults = store.verify(&mut |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let help = "restore a backup; the page goes on with the next version it gets";
    match faults {
        Err(error) => vec![Finding::fault(
            "contents",
            &error.to_string(),
            "run it again; if it stays, restore a backup",
        )],
        Ok(faults) if faults.is_empty() => {
            vec![Finding::fine("contents", "every version was read and every invariant holds")]
        }
        Ok(faults) => faults.iter().map(|fault| Finding::fault(&fault.place, &fault.what, help)).collect(),
    }
}

impl Report {
    fn print(&self) -> Result<()> {
        let mut text = String::new();
        for finding in &self.findings {
            let (style, word) = match finding.grade {
                Grade::Fine => (ADDED, "fine "),
                Grade::Remark => (CHANGED, "note "),
                Grade::Fault => (REMOVED, "FAULT"),
            };
            let (place, what) = (printable(&finding.place), printable(&finding.what));
            writeln!(text, "{} {place:10} {what}", styled(style, word))?;
            if let Some(help) = &finding.help {
                writeln!(text, "{:16} {}", "", styled(FAINT, &format!("→ {help}")))?;
            }
        }
        super::print(&text)
    }
}
