//! A comparison beside its peers, by `cargo bench -p tidemark-lab --bench diff`; `-- --quick` for fewer rounds, `-- NAME` for one contest.
//!
//! From two pages in bytes to what changed. Pages are articles of the corpus with planted edits. Peers in other languages are measured where
//! they are installed: `pip install lxml lxml_html_clean xmldiff changedetection.io`, `npm install diff-dom`.

mod pair;
mod parse;
mod peers;
mod process;
mod segments;
mod similarity;

use anyhow::Result;
use pair::Pairs;
use std::io::Write;

/// A contest writes its own table.
type Run = fn(&Pairs, usize, &mut dyn Write) -> Result<()>;

/// All contests, with their rounds in full and in quick runs.
const CONTESTS: [(&str, Run, [usize; 2]); 8] = [
    ("parse", parse::run, [25, 5]),
    ("htmldiff", peers::htmldiff, [3, 1]),
    ("changedetection", peers::changedetection, [5, 1]),
    ("diff-dom", peers::diff_dom, [5, 1]),
    ("xmldiff", peers::xmldiff, [3, 1]),
    ("process", process::run, [5, 1]),
    ("segments", segments::run, [15, 3]),
    ("similarity", similarity::run, [3, 1]),
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let named: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let pairs = Pairs::read()?;
    let mut out = std::io::stdout();
    writeln!(out, "{pairs}\n")?;
    for (name, run, rounds) in CONTESTS {
        if named.is_empty() || named.iter().any(|&wanted| wanted == name) {
            run(&pairs, rounds[usize::from(quick)], &mut out)?;
            writeln!(out)?;
        }
    }
    Ok(())
}
