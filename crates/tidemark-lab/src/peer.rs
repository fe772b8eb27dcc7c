//! Programs in other languages that do the same to the same pages.
//!
//! A process holds the pages and goes through all of them once whenever it is asked to, so that it too takes turns with us. Its own clock
//! counts: the start of the interpreter and the reading of files do not.

use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// What runs scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `python3`; put a virtual environment first in `PATH`.
    Python,
    /// `node`; name the folder of packages in `NODE_PATH`.
    Node,
}

impl Language {
    fn program(self) -> &'static str {
        match self {
            Self::Python => "python3",
            Self::Node => "node",
        }
    }

    fn flag(self) -> &'static str {
        match self {
            Self::Python => "-c",
            Self::Node => "-e",
        }
    }

    /// What gives a script that defines `job(old, new)` its turns over the pairs of a folder.
    fn turns(self) -> &'static str {
        match self {
            Self::Python => include_str!("peer/turns.py"),
            Self::Node => include_str!("peer/turns.js"),
        }
    }

    /// A program for a script that compares two pages.
    pub fn comparing(self, script: &str) -> String {
        format!("{script}{}", self.turns())
    }

    /// Runs a script to its end, with the output left out; whether it succeeded.
    pub fn succeeds(self, script: &str) -> bool {
        let mut command = self.command(script);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }

    /// A command that runs a script; arguments come behind it.
    pub fn command(self, script: &str) -> Command {
        let mut command = Command::new(self.program());
        command.args([self.flag(), script]);
        command
    }
}

/// A process that takes turns.
#[derive(Debug)]
pub struct Peer {
    process: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts a script over the files of a folder; what follows are more arguments.
    pub fn start(language: Language, script: &str, folder: &Path, more: &[&str]) -> Result<Self> {
        let mut process = language
            .command(script)
            .arg(folder)
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", language.program()))?;
        let ask = process.stdin.take().context("the script has no input")?;
        let answers = BufReader::new(process.stdout.take().context("the script has no output")?);
        Ok(Self { process, ask, answers })
    }

    /// Time for each page; none for one that was given up.
    pub fn turn(&mut self) -> Result<Vec<Option<Duration>>> {
        writeln!(self.ask, "again")?;
        self.ask.flush()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        let time = |word: &str| match word {
            "-" => Ok(None),
            word => word.parse().map(|time| Some(Duration::from_nanos(time))),
        };
        ensure!(!answer.is_empty(), "the script said nothing");
        let times = answer.split_whitespace().map(time);
        times.collect::<Result<_, _>>().with_context(|| format!("the script said {answer:?}"))
    }

    /// Ends the process.
    pub fn stop(mut self) -> Result<()> {
        drop(self.ask); // the end of its input is the end of the script
        ensure!(self.process.wait()?.success(), "the script ended in failure");
        Ok(())
    }
}
