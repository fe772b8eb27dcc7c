//! Peers in other languages, each in a process of its own that takes turns with us.

use crate::pair::{Pair, Pairs};
use anyhow::{Context, Result};
use std::io::Write;
use std::time::Duration;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;
use tidemark_lab::contest::{Outcome, timed};
use tidemark_lab::peer::{Language, Peer};
use tidemark_lab::scripts;

/// A peer, and how many times as long as ours it should take.
pub(crate) struct Other {
    pub(crate) name: &'static str,
    language: Language,
    script: &'static str,
    install: &'static str,
    target: f64,
}

impl Other {
    pub(crate) fn program(&self) -> String {
        self.language.comparing(self.script)
    }

    pub(crate) fn command(&self) -> std::process::Command {
        self.language.command(&self.program())
    }

    pub(crate) fn is_there(&self) -> bool {
        self.language.succeeds(self.script)
    }
}

pub(crate) const HTMLDIFF: Other = Other {
    name: "lxml.html.diff.htmldiff",
    language: Language::Python,
    script: include_str!("peers/htmldiff.py"),
    install: "pip install lxml lxml_html_clean",
    target: 12.0,
};
pub(crate) const CHANGEDETECTION: Other = Other {
    name: "changedetection.io",
    language: Language::Python,
    script: include_str!("peers/changedetection.py"),
    install: "pip install changedetection.io",
    target: 20.0,
};
pub(crate) const DIFF_DOM: Other = Other {
    name: "diff-dom",
    language: Language::Node,
    script: include_str!("peers/diff-dom.js"),
    install: "npm install diff-dom",
    target: 4.0,
};
pub(crate) const XMLDIFF: Other = Other {
    name: "xmldiff",
    language: Language::Python,
    script: include_str!("peers/xmldiff.py"),
    install: "pip install xmldiff",
    target: 300.0,
};

/// Seconds after which a peer gives up on a page.
const LIMIT: &str = "20";
/// The largest pages that are given to xmldiff, in nodes as it sees them; and every how manieth of these.
const SMALL: usize = 2000;
const STEP: usize = 3;

pub(crate) fn htmldiff(pairs: &Pairs, rounds: usize, out: &mut dyn Write) -> Result<()> {
    beside(&HTMLDIFF, &pairs.all.iter().collect::<Vec<_>>(), rounds, out)
}

pub(crate) fn changedetection(pairs: &Pairs, rounds: usize, out: &mut dyn Write) -> Result<()> {
    beside(&CHANGEDETECTION, &pairs.all.iter().collect::<Vec<_>>(), rounds, out)
}

pub(crate) fn diff_dom(pairs: &Pairs, rounds: usize, out: &mut dyn Write) -> Result<()> {
    beside(&DIFF_DOM, &pairs.all.iter().collect::<Vec<_>>(), rounds, out)
}

/// It reads XML, so both sides get the pages as XML, and only small ones: it takes the square of their nodes and more.
pub(crate) fn xmldiff(pairs: &Pairs, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let xml = |page: &str| -> Result<String> {
        Ok(scripts::xml(&PageDigest::encode(page.as_bytes(), &Reading::default())?))
    };
    let mut small = Vec::new();
    for pair in &pairs.all {
        let (old, new) = (xml(&pair.old)?, xml(&pair.new)?);
        let nodes = PageDigest::encode(old.as_bytes(), &Reading::default())?.len();
        if nodes <= SMALL {
            small.push(Pair { name: pair.name.clone(), old, new });
        }
    }
    writeln!(out, "as XML; {} pages have at most {SMALL} nodes, of which every {STEP}rd", small.len())?;
    beside(&XMLDIFF, &small.iter().step_by(STEP).collect::<Vec<_>>(), rounds, out)
}

fn beside(other: &Other, pairs: &[&Pair], rounds: usize, out: &mut dyn Write) -> Result<()> {
    if !other.is_there() {
        writeln!(out, "{} is not measured: install it with `{}`", other.name, other.install)?;
        return Ok(());
    }
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    pairs.iter().enumerate().try_for_each(|(at, pair)| pair.write(folder.path(), at))?;
    let mut peer = Peer::start(other.language, &other.program(), folder.path(), &[LIMIT])?;
    let finished: Vec<bool> = peer.turn()?.iter().map(Option::is_some).collect(); // also warms up
    let chosen: Vec<&&Pair> =
        pairs.iter().zip(&finished).filter(|(_, is)| **is).map(|(pair, _)| pair).collect();
    let (mut our_rounds, mut their_rounds): (Vec<Vec<Duration>>, Vec<Vec<Duration>>) = Default::default();
    for _ in 0..rounds {
        our_rounds.push(chosen.iter().map(|pair| timed(|| pair.compared())).collect());
        let times = peer.turn()?.into_iter().zip(&finished).filter(|(_, is)| **is);
        their_rounds.push(times.map(|(time, _)| time.unwrap_or_default()).collect());
    }
    peer.stop()?;
    let outcome = Outcome::new(other.name, [("ours", our_rounds), (other.name, their_rounds)]);
    let given_up = pairs.len() - chosen.len();
    writeln!(out, "{outcome}{} pages; {given_up} more took it longer than {LIMIT} s", chosen.len())?;
    writeln!(out, "{}", outcome.verdict(other.target))?;
    Ok(())
}
