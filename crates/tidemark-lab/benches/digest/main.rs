//! The digest beside its peers, by `cargo bench -p tidemark-lab`; `-- --quick` for fewer rounds, `-- NAME` for one contest.

mod compare;
mod encode;
mod lexbor;
mod load;
mod page;
mod walk;
mod write;

use anyhow::Result;
use page::Pages;
use std::io::Write;

/// A contest writes its own table.
type Run = fn(&Pages, usize, &mut dyn Write) -> Result<()>;

/// All contests, with their rounds in full and in quick runs.
const CONTESTS: [(&str, Run, [usize; 2]); 6] = [
    ("encode", encode::run, [25, 5]),
    ("lexbor", lexbor::run, [25, 5]),
    ("walk", walk::run, [51, 11]),
    ("load", load::run, [51, 11]),
    ("compare", compare::run, [51, 11]),
    ("write", write::run, [3, 1]),
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let named: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let pages = Pages::read()?;
    let mut out = std::io::stdout();
    writeln!(out, "{pages}\n")?;
    for (name, run, rounds) in CONTESTS {
        if named.is_empty() || named.iter().any(|&wanted| wanted == name) {
            run(&pages, rounds[usize::from(quick)], &mut out)?;
            writeln!(out)?;
        }
    }
    Ok(())
}
