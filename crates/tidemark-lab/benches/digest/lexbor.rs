//! Lexbor, the fastest conforming HTML parser we know of, through the Python package selectolax: the mark for a later step.
//!
//! A Python process holds the pages and parses all of them once whenever it is asked to, so that it too takes turns with us. Its
//! clock counts the parser and the making of one Python object a page, but not the dropping of it.

use crate::page::{Page, Pages};
use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use tidemark_lab::contest::{Outcome, timed};

const SCRIPT: &str = include_str!("lexbor.py");

pub(crate) fn run(pages: &Pages, rounds: usize, out: &mut dyn Write) -> Result<()> {
    if !is_there() {
        writeln!(out, "lexbor is not measured: install it with `pip install selectolax`")?;
        return Ok(());
    }
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut lexbor = Lexbor::start(&pages.pages, folder.path())?;
    let mut rounds_of = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        rounds_of[0].push(pages.pages.iter().map(|page| timed(|| page.encode())).collect());
        rounds_of[1].push(lexbor.parse_all()?);
    }
    lexbor.stop()?;
    let names = ["PageDigest::encode", "lexbor by selectolax"];
    write!(out, "{}", Outcome::new("lexbor", names.into_iter().zip(rounds_of)))?;
    Ok(())
}

fn is_there() -> bool {
    let import =
        Command::new("python3").args(["-c", "import selectolax.lexbor"]).stderr(Stdio::null()).status();
    import.is_ok_and(|status| status.success())
}

struct Lexbor {
    process: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Lexbor {
    fn start(pages: &[Page], folder: &Path) -> Result<Self> {
        for (at, page) in pages.iter().enumerate() {
            std::fs::write(folder.join(format!("{at:04}.html")), &page.bytes)?;
        }
        let mut process = Command::new("python3")
            .args(["-c", SCRIPT])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start python3")?;
        let ask = process.stdin.take().context("python3 has no input")?;
        let answers = BufReader::new(process.stdout.take().context("python3 has no output")?);
        Ok(Self { process, ask, answers })
    }

    /// Time for each page.
    fn parse_all(&mut self) -> Result<Vec<Duration>> {
        writeln!(self.ask, "again")?;
        self.ask.flush()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        let times = answer.split_whitespace().map(|time| time.parse().map(Duration::from_nanos));
        times.collect::<Result<_, _>>().with_context(|| format!("the script said {answer:?}"))
    }

    fn stop(mut self) -> Result<()> {
        drop(self.ask); // the end of its input is the end of the script
        ensure!(self.process.wait()?.success(), "the script ended in failure");
        Ok(())
    }
}
