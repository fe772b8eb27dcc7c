//! Across redesigns: is content that did not change told as unchanged, and are zones found again, never wrongly?
//!
//! The corpus has redesigns in the histories of pages; its streams have other articles before and after, so nothing can be held against
//! each other there. Generated pages have known truth: the same content in two designs, some days apart; and ordinary edits, as
//! [`plant`](crate::plant) makes them.

mod site;
mod words;
mod zones;

pub use site::{Content, Design, Kind, Rendered};
pub use words::Kept;
pub use zones::Score;

use crate::table::{Table, grouped};
use crate::work;
use anyhow::Result;

/// Prints how content diff and zones did.
pub fn evaluate(pages: u64, seed: u64, examples: usize) -> Result<()> {
    println!("content: words of unchanged text, told as unchanged");
    let mut table = Table::new(["pages", "likeness", "words", "unchanged", "of these moved", "share"]);
    let mut all = Kept::default();
    for (name, likeness, kept) in words::of_the_corpus()? {
        all = all.plus(kept);
        table.row(content_row(name, format!("{likeness:.2}"), kept));
    }
    table.row(content_row("corpus".to_owned(), String::new(), all));
    for kind in Kind::ALL {
        table.row(content_row(format!("generated: {kind}"), String::new(), content(kind, pages, seed)));
    }
    println!("{table}\nzones: seeds {seed} to {}", seed + pages - 1);
    let mut table = Table::new([
        "zones",
        "there",
        "right",
        "wrong",
        "asked",
        "right offered",
        "first",
        "gone",
        "found wrongly",
    ]);
    let mut told = Vec::new();
    for (across, name) in [(true, "redesign"), (false, "ordinary edits")] {
        let scores = Kind::ALL.map(|kind| zones(kind, across, pages, seed));
        for (kind, score) in Kind::ALL.into_iter().zip(&scores) {
            table.row(zone_row(format!("{name}: {kind}"), score));
        }
        let mut all: Score = scores.into_iter().sum();
        all.examples.sort_by_key(|example| !example.starts_with("wrong"));
        table.row(zone_row(format!("{name}: all"), &all));
        told.push(format!(
            "{name}: {:.1} % right of those there, {:.1} % wrong of all",
            100.0 * all.right_share(),
            100.0 * all.wrong_share()
        ));
        told.extend(all.examples.into_iter().take(examples));
    }
    print!("{table}\n{}\n", told.join("\n"));
    Ok(())
}

/// How content of one kind was told, over generated pages.
pub fn content(kind: Kind, pages: u64, seed: u64) -> Kept {
    let seeds: Vec<u64> = (seed..seed + pages).collect();
    let kept = work::through(&seeds, "content", |&seed| words::generated(kind, seed));
    kept.into_iter().fold(Kept::default(), Kept::plus)
}

/// How zones in pages of one kind were found again, across redesigns or ordinary edits.
pub fn zones(kind: Kind, across: bool, pages: u64, seed: u64) -> Score {
    let seeds: Vec<u64> = (seed..seed + pages).collect();
    let score = |seed: &u64| if across { zones::redesigned(kind, *seed) } else { zones::edited(kind, *seed) };
    work::through(&seeds, "zones", score).into_iter().sum()
}

fn content_row(name: String, likeness: String, kept: Kept) -> [String; 6] {
    let share = format!("{:.2} %", 100.0 * kept.share());
    [name, likeness, grouped(kept.words), grouped(kept.unchanged), grouped(kept.moved), share]
}

fn zone_row(name: String, score: &Score) -> Vec<String> {
    let numbers = [
        score.zones,
        score.right,
        score.wrong[0],
        score.asked,
        score.offered[0],
        score.offered[1],
        score.gone,
        score.wrong[1],
    ];
    [name].into_iter().chain(numbers.map(grouped)).collect()
}
