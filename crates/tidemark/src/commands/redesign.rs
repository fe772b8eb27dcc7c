//! `tidemark redesign`: a stream of documents, watched.

mod archive;
mod report;
mod source;
mod watched;

use super::{TROUBLE, print_json};
use crate::cli::RedesignCommand;
use crate::input;
use anyhow::{Result, bail};
use report::Report;
use std::process::ExitCode;
use tidemark_core::figure::stream::Figure;
use tidemark_core::redesign::{Detector, Settings};
use watched::Watched;

/// Exit code when a redesign was found.
const FOUND: u8 = 1;

pub(crate) fn run(command: &RedesignCommand) -> Result<ExitCode> {
    let mut watched = Watched::new(settings(command), has_picture(command));
    source::read(command, &mut watched)?;
    if watched.documents() == 0 {
        bail!("{} has no document that can be read", input::name(&command.source));
    }
    draw(command, &watched)?;
    let report = Report::new(command, &watched);
    if command.json.json {
        print_json(&report)?;
    } else if !to_standard(command) {
        report.print()?;
    }
    Ok(ExitCode::from(match (watched.failed() > 0, report.is_empty()) {
        (true, _) => TROUBLE,
        (false, true) => 0,
        (false, false) => FOUND,
    }))
}

fn draw(command: &RedesignCommand, watched: &Watched) -> Result<()> {
    let Some(recording) = watched.recording() else { return Ok(()) };
    let picture = recording.draw(command.figure, &input::name(&command.source));
    if let Some(path) = &command.png {
        input::write(path, &picture.to_png(), true)?;
    }
    if let Some(path) = &command.svg {
        input::write(path, picture.finish().as_bytes(), false)?;
    }
    Ok(())
}

/// The indicators are those of the paper's figure, whoever else watches.
fn settings(command: &RedesignCommand) -> Settings {
    let mut settings = command.settings();
    let indicators = has_picture(command) && command.figure == Figure::Indicators;
    if indicators && !settings.detectors.contains(&Detector::MaxAvgDiff) {
        settings.detectors.insert(0, Detector::MaxAvgDiff);
    }
    settings
}

fn has_picture(command: &RedesignCommand) -> bool {
    command.svg.is_some() || command.png.is_some()
}

/// Whether a picture has taken standard output.
fn to_standard(command: &RedesignCommand) -> bool {
    [&command.svg, &command.png].into_iter().flatten().any(|path| input::is_standard(path))
}
