//! `tidemark patch`: the new page from the old one and a script.

use super::print_json;
use crate::cli::Patch as Command;
use crate::input;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::path::Path;
use tidemark_core::diff::Patch;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    old: String,
    script: String,
    page: String,
    edits: usize,
    page_bytes: usize,
}

pub(crate) fn run(command: &Command) -> Result<()> {
    if input::is_standard(&command.old) && input::is_standard(&command.script) {
        bail!("standard input can be the page or the script, not both");
    }
    let limits = command.reading.limits.limits();
    let old = input::digest(&command.old, &command.reading)?;
    let bytes = input::bytes(&command.script, &limits)?;
    let patch: Patch = serde_json::from_slice(&bytes).with_context(|| {
        format!(
            "{} is not a script; 'tidemark diff --format script' writes one",
            input::name(&command.script)
        )
    })?;
    let about = || format!("cannot apply {} to {}", input::name(&command.script), input::name(&command.old));
    let new = patch.apply(&old, &limits).with_context(about)?;
    let page = new.revert().with_context(about)?;
    if command.json.json && command.output.is_none() {
        bail!("--json and the page would both go to standard output; use -o PAGE");
    }
    let output = command.output.as_deref().unwrap_or(Path::new("-"));
    input::write(output, &page, false)?;
    if command.json.json {
        print_json(&Report {
            schema: "tidemark/patch/1",
            old: input::name(&command.old),
            script: input::name(&command.script),
            page: output.display().to_string(),
            edits: patch.edits.len(),
            page_bytes: page.len(),
        })?;
    }
    Ok(())
}
