//! Pages that make comparing hard: much text, much that is alike, nothing that stayed.

use super::Pair;
use crate::contest::{Contest, shown};
use crate::generate;
use crate::plant;
use crate::table::{Table, grouped};
use anyhow::Result;
use std::fmt::Write;
use std::time::Duration;
use tidemark_core::diff::Difference;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;

const WORDS: usize = 225_000;
const ROWS: usize = 50_000;
/// A few edits.
const FEW: usize = 10;

struct Case {
    name: &'static str,
    old: String,
    new: String,
    pair: Pair,
}

impl Case {
    fn new(name: &'static str, old: String, new: String) -> Result<Self> {
        let pair = Pair::new(0, &old, &new)?;
        Ok(Self { name, old, new, pair })
    }

    /// What a comparison costs anyway.
    fn encode(&self) -> [PageDigest; 2] {
        let encode = |page: &str| {
            PageDigest::encode(page.as_bytes(), &Reading::default()).expect("the page was encoded before")
        };
        [encode(&self.old), encode(&self.new)]
    }
}

/// Measures the pages whose name has this in it, and prints the table.
pub(super) fn evaluate(name: &str, rounds: usize) -> Result<()> {
    let mut cases = cases()?;
    cases.retain(|case| case.name.contains(name));
    let outcome = Contest::new("hostile")
        .enter_after("diff", |case: &Case| case.pair.load(), |_, (old, new)| Difference::of(old, new))
        .enter("encode both", Case::encode)
        .long_enough(Duration::ZERO)
        .run(&cases, rounds);
    let mut table =
        Table::new(["page", "nodes", "bytes", "encode both", "diff", "diff / encode", "edits", "exact"]);
    for (at, case) in cases.iter().enumerate() {
        let [old, new] = case.encode();
        let difference = Difference::of(&old, &new);
        let (diff, encode) = (outcome.time(0, at), outcome.time(1, at));
        table.row([
            case.name.to_owned(),
            grouped(old.len()),
            grouped(case.old.len()),
            shown(encode),
            shown(diff),
            format!("{:.2}", diff.as_secs_f64() / encode.as_secs_f64()),
            grouped(difference.script.len()),
            difference.exact.to_string(),
        ]);
    }
    print!("{table}");
    Ok(())
}

fn cases() -> Result<Vec<Case>> {
    let article = generate::article(WORDS, 1);
    let (text, other) = (one_text(WORDS, 1), one_text(WORDS, 2));
    let listing = generate::listing(ROWS, 1);
    let alike = rows(ROWS, 0);
    Ok(vec![
        Case::new("article, few edits", article.clone(), plant::change(&article, FEW, 1)?)?,
        Case::new("article, another", article, generate::article(WORDS, 2))?,
        Case::new("one text, few words", text.clone(), text.replacen(" harbour ", " port ", FEW))?,
        Case::new("one text, another", text, other)?,
        Case::new("listing, few rows in", listing.clone(), more_rows(&listing, &generate::listing(FEW, 2)))?,
        Case::new("listing, another", listing, generate::listing(ROWS, 2))?,
        Case::new("rows alike, few in", alike.clone(), more_rows(&alike, &rows(FEW, 1)))?,
        Case::new("rows alike, shuffled", alike, rows(ROWS, 3))?,
    ])
}

/// A page with a single text.
fn one_text(words: usize, seed: u64) -> String {
    let rng = &mut fastrand::Rng::with_seed(seed);
    let mut page = String::from("<!DOCTYPE html><title>Text</title><pre>");
    for word in 0..words {
        let next = if word % 1000 == 999 { "harbour" } else { generate::common_word(rng) };
        page.extend([next, if word % 12 == 11 { "\n" } else { " " }]);
    }
    page
}

/// A table whose rows are of seven sorts.
fn rows(count: usize, shift: usize) -> String {
    let mut page = String::from("<!DOCTYPE html><title>Rows</title><table><tbody>\n");
    for row in 0..count {
        let sort = (row * row + shift * row) % 7;
        writeln!(page, "<tr class=\"r\"><td>in stock</td><td>{sort}</td></tr>")
            .expect("a string takes any text");
    }
    page.push_str("</tbody></table>");
    page
}

/// A page with the rows of another strewn in.
fn more_rows(page: &str, other: &str) -> String {
    let starts: Vec<usize> = page.match_indices("<tr ").map(|(at, _)| at).collect();
    let rows: Vec<&str> =
        other.split_inclusive("</tr>\n").filter_map(|row| Some(&row[row.find("<tr ")?..])).collect();
    let mut out = String::with_capacity(page.len() + other.len());
    let mut copied = 0;
    for (number, row) in rows.iter().enumerate() {
        let at = starts[(number + 1) * starts.len() / (rows.len() + 1)];
        out.extend([&page[copied..at], row]);
        copied = at;
    }
    out.push_str(&page[copied..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_strewn_in() {
        let page = more_rows(&rows(20, 0), &rows(3, 1));
        assert_eq!(page.matches("<tr ").count(), 23);
        assert!(page.ends_with("</table>"));
    }
}
