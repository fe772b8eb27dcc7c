//! The program beside the peers' scripts, each started anew for every pair: what a person waits for.

use crate::pair::Pairs;
use crate::peers::{CHANGEDETECTION, DIFF_DOM, HTMLDIFF, Other};
use anyhow::{Context, Result};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tidemark_lab::contest::Contest;

/// Every so manieth page: a start takes its time.
const STEP: usize = 6;
/// Largest page, in bytes: larger ones would measure the comparison again, and some peers would not end.
const LARGEST: usize = 100_000;

pub(crate) fn run(pairs: &Pairs, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let Some(program) = program() else {
        writeln!(
            out,
            "processes are not measured: build the program with `cargo build --release -p tidemark`"
        )?;
        return Ok(());
    };
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let small: Vec<_> = pairs.all.iter().filter(|pair| pair.old.len() <= LARGEST).step_by(STEP).collect();
    let mut files = Vec::new();
    for (at, pair) in small.iter().enumerate() {
        pair.write(folder.path(), at)?;
        files.push(["old", "new"].map(|ending| folder.path().join(format!("{at:04}.{ending}"))));
    }
    let mut contest = Contest::new("process").enter("tidemark diff", |files: &[PathBuf; 2]| {
        ended(Command::new(&program).arg("diff").args(files));
    });
    for other in [HTMLDIFF, CHANGEDETECTION, DIFF_DOM].iter().filter(|other| other.is_there()) {
        contest = contest.enter(other.name, |files: &[PathBuf; 2]| once(other, files));
    }
    writeln!(out, "{}{} pages of at most {LARGEST} bytes", contest.run(&files, rounds), files.len())?;
    Ok(())
}

fn once(other: &Other, files: &[PathBuf; 2]) {
    ended(other.command().args(files));
}

/// Runs to the end; a difference found is told by the status, so that is not looked at.
fn ended(command: &mut Command) {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("a program that ran before runs again");
}

/// The program of the same build: benches lie in a folder beside it.
fn program() -> Option<PathBuf> {
    let bench = std::env::current_exe().ok()?;
    let program = bench.parent()?.parent()?.join("tidemark");
    program.is_file().then_some(program)
}
