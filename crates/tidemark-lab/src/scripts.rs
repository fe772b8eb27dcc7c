//! How long our edit scripts are beside those of xmldiff, on the same trees.
//!
//! Both pages are written as XML, and both sides read that. One edit of ours brings in a whole subtree or changes several attributes, one action of
//! xmldiff a node or an attribute; so ours are also counted as xmldiff counts. Every script is applied and must give the new page.

mod xml;

pub use xml::xml;

use crate::corpus::{self, Document};
use crate::peer::Language;
use crate::plant::hanging;
use crate::table::{Table, grouped};
use anyhow::{Context, Result, bail};
use std::path::Path;
use tidemark_core::diff::{Difference, Edit, Patch};
use tidemark_core::digest::PageDigest;
use tidemark_core::page::{Limits, Reading};

const SCRIPT: &str = include_str!("scripts/xmldiff.py");

/// Two neighbours of a history, as XML.
struct Pair {
    history: String,
    old: String,
    new: String,
}

/// Scripts of one history, or of all.
#[derive(Clone, Debug, Default)]
struct Sum {
    pairs: usize,
    given_up: usize,
    ours: usize,
    ours_by_node: usize,
    theirs: usize,
    shorter: usize,
    our_broken: usize,
    their_broken: usize,
}

impl Sum {
    fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.given_up += other.given_up;
        self.ours += other.ours;
        self.ours_by_node += other.ours_by_node;
        self.theirs += other.theirs;
        self.shorter += other.shorter;
        self.our_broken += other.our_broken;
        self.their_broken += other.their_broken;
    }
}

/// Compares, and prints the table.
pub fn evaluate(largest: usize, of_each: usize, limit: u32) -> Result<()> {
    if !Language::Python.succeeds("import xmldiff") {
        bail!("xmldiff is not installed; install it with `pip install xmldiff`");
    }
    let pairs = sample(largest, of_each)?;
    println!(
        "{} pairs of neighbours that differ, at most {of_each} of a history, at most {largest} nodes",
        pairs.len()
    );
    let answers = theirs(&pairs, limit)?;
    let mut histories: Vec<(String, Sum)> = Vec::new();
    for (pair, answer) in pairs.iter().zip(answers) {
        if histories.last().is_none_or(|(name, _)| *name != pair.history) {
            histories.push((pair.history.clone(), Sum::default()));
        }
        let sum = &mut histories.last_mut().context("one was just put there")?.1;
        sum.add(&compared(pair, answer)?);
    }
    let mut all = Sum::default();
    histories.iter().for_each(|(_, sum)| all.add(sum));
    histories.push(("all".to_owned(), all));
    print!("\n{}", table(&histories));
    println!(
        "\ngiven up: pairs that took xmldiff longer than {limit} s, counted nowhere else; by node: ours, every node and attribute one"
    );
    Ok(())
}

fn table(histories: &[(String, Sum)]) -> Table {
    let mut table = Table::new([
        "history",
        "pairs",
        "given up",
        "ours",
        "by node",
        "xmldiff",
        "ours / xmldiff",
        "by node / xmldiff",
        "shorter",
        "broken: ours",
        "xmldiff",
    ]);
    for (name, sum) in histories {
        let ratio = |ours: usize| format!("{:.3}", ours as f64 / sum.theirs as f64);
        let counts = [sum.pairs, sum.given_up, sum.ours, sum.ours_by_node, sum.theirs].map(grouped);
        let ratios = [ratio(sum.ours), ratio(sum.ours_by_node)];
        let last = [sum.shorter, sum.our_broken, sum.their_broken].map(grouped);
        table.row([name.clone()].into_iter().chain(counts).chain(ratios).chain(last));
    }
    table
}

fn sample(largest: usize, of_each: usize) -> Result<Vec<Pair>> {
    let Some(files) = corpus::files()? else {
        bail!("there is no corpus here; set TIDEMARK_CORPUS to its folder")
    };
    let folder = |document: &Document| document.name.rsplit_once('/').map_or("", |name| name.0).to_owned();
    let versions: Vec<&Document> =
        files.iter().filter(|file| file.group() == "histories" && file.is_page()).collect();
    let mut pairs = Vec::new();
    for history in versions.chunk_by(|old, new| folder(old) == folder(new)) {
        let mut found = Vec::new();
        for neighbours in history.windows(2) {
            let [old, new] = [neighbours[0], neighbours[1]].map(|version| read_as_xml(&version.bytes));
            let ((old, old_nodes), (new, new_nodes)) = (old?, new?);
            if old != new && old_nodes.max(new_nodes) <= largest {
                found.push(Pair { history: folder(neighbours[0]), old, new });
            }
        }
        let step = found.len().div_ceil(of_each).max(1);
        pairs.extend(found.into_iter().step_by(step));
    }
    Ok(pairs)
}

fn read_as_xml(page: &[u8]) -> Result<(String, usize)> {
    let xml = xml(&PageDigest::encode(page, &Reading::default())?);
    let nodes = PageDigest::encode(xml.as_bytes(), &Reading::default())?.len();
    Ok((xml, nodes))
}

/// For each pair the number of actions and whether they give the new page; none where it took too long.
fn theirs(pairs: &[Pair], limit: u32) -> Result<Vec<Option<(usize, bool)>>> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    for (at, pair) in pairs.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{at:04}.old")), &pair.old)?;
        std::fs::write(folder.path().join(format!("{at:04}.new")), &pair.new)?;
    }
    let said = run(folder.path(), limit)?;
    let answer = |line: &str| {
        let (actions, applies) = line.split_once(' ')?;
        Some((actions.parse().ok()?, applies == "True"))
    };
    Ok(said.lines().map(answer).collect())
}

fn run(folder: &Path, limit: u32) -> Result<String> {
    let output = Language::Python
        .command(SCRIPT)
        .arg(folder)
        .arg(limit.to_string())
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cannot start python3")?;
    Ok(String::from_utf8(output.stdout)?)
}

fn compared(pair: &Pair, theirs: Option<(usize, bool)>) -> Result<Sum> {
    let Some((actions, applies)) = theirs else { return Ok(Sum { given_up: 1, ..Sum::default() }) };
    let old = PageDigest::encode(pair.old.as_bytes(), &Reading::default())?;
    let new = PageDigest::encode(pair.new.as_bytes(), &Reading::default())?;
    let difference = Difference::of(&old, &new);
    let made = Patch::of(&old, &new, &difference).apply(&old, &Limits::default());
    let is_made = made.is_ok_and(|made| made.changed(&new).is_empty());
    let by_node = difference.script.edits.iter().map(|edit| by_node(edit, &old, &new, &difference)).sum();
    Ok(Sum {
        pairs: 1,
        given_up: 0,
        ours: difference.script.len(),
        ours_by_node: by_node,
        theirs: actions,
        shorter: usize::from(by_node <= actions),
        our_broken: usize::from(!is_made),
        their_broken: usize::from(!applies),
    })
}

/// What an edit counts where every node and every attribute counts one.
fn by_node(edit: &Edit, old: &PageDigest, new: &PageDigest, difference: &Difference) -> usize {
    match edit {
        Edit::Delete { old: top } => {
            hanging(old, *top, |node| difference.mapping.to_new(node).is_none()).len()
        }
        Edit::Insert { new: top } => {
            let nodes = hanging(new, *top, |node| difference.mapping.to_old(node).is_none());
            nodes.iter().map(|&node| 1 + new.attributes(node).len()).sum()
        }
        Edit::Move { .. } => 1,
        Edit::Update { text, attributes, reordered, .. } => {
            usize::from(!text.is_empty()) + attributes.len() + usize::from(*reordered)
        }
    }
}
