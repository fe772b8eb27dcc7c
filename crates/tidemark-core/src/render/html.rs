//! The new page itself with its changes marked: one file that needs nothing else.
//!
//! The pages stand in frames that run no scripts; around them is ours: a list of all changes with the headings they stand under, reachable by keyboard, and a switch between
//! one page with everything in place and both pages side by side. Marks differ in shape as well as in colour. The one script is ours, named by its hash in the policy, which
//! also holds for the frames.

mod page;
mod safe;
mod segments;
mod writer;

pub use segments::segments;

use super::merge::Merge;
use super::outline::shortened;
use super::text::{ranges, reasons};
use super::views::{self, Target};
use super::{Change, ChangeKind, Changes, Line, Mention, SpanKind};
use crate::diff::Difference;
use crate::digest::PageDigest;
use crate::profile::Matcher;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use page::Marker;
use safe::{push_text, push_value};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::ops::Range;

const STYLE: &str = include_str!("html/view.css");
const SCRIPT: &str = include_str!("html/view.js");

/// What the marks need inside a page.
const FRAME_HEAD: &str = concat!(
    "<meta charset=\"utf-8\"><base target=\"_blank\"><style data-tidemark=\"style\">",
    include_str!("html/marks.css"),
    "</style>"
);

/// What to call the pages.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The old one.
    pub old: &'a str,
    /// The new one.
    pub new: &'a str,
}

/// Writes the file, with what is of interest to a reader in a style of its own.
pub fn html(
    old: &PageDigest,
    new: &PageDigest,
    difference: &Difference,
    matcher: &Matcher,
    names: Names<'_>,
) -> String {
    let merge = Merge::new(old, new, difference);
    let (changes, numbers) = Changes::gather(&merge, matcher);
    let levels: Vec<u8> =
        changes.changes.iter().map(|change| if change.seen { level(change.severity) } else { 0 }).collect();
    let marker = Marker::new(&merge, &numbers, &levels, &changes);
    let mut file = String::with_capacity(2 * (old.about().bytes + new.about().bytes) + (1 << 14));
    head(&mut file, &format!("What changed: {}", names.new));
    header(&mut file, &changes, names, difference.exact);
    list(&mut file, old, new, &changes);
    file.push_str("<main>\n");
    frame(&mut file, "old", "Old page, with what went marked", &marker.old_page());
    frame(&mut file, "new", "New page, with all changes marked", &marker.new_page());
    let _ = writeln!(file, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>");
    file
}

/// Severity in four steps.
fn level(severity: f64) -> u8 {
    match severity {
        severity if severity < 0.15 => 1,
        severity if severity < 0.4 => 2,
        severity if severity < 0.75 => 3,
        _ => 4,
    }
}

fn head(file: &mut String, title: &str) {
    let hash = STANDARD.encode(Sha256::digest(SCRIPT));
    let _ = write!(
        file,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{hash}'; style-src * 'unsafe-inline'; \
         img-src * data:; font-src * data:; media-src * data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>"
    );
    push_text(title, file);
    let _ = write!(file, "</title>\n<style>{STYLE}</style>\n</head>\n<body>\n");
}

fn header(file: &mut String, changes: &Changes, names: Names<'_>, exact: bool) {
    file.push_str("<header>\n<h1>What changed</h1>\n<p class=\"pages\"><span>");
    push_text(names.old, file);
    file.push_str("</span> <span aria-hidden=\"true\">→</span> <span>");
    push_text(names.new, file);
    let _ = write!(file, "</span></p>\n<p class=\"sum\">{}", summary(changes));
    if !exact {
        file.push_str(" The page is too large to be matched in full: all changes are here, but some that moved may be shown as removed and added.");
    }
    file.push_str(
        "</p>\n<p class=\"tools\" hidden><button type=\"button\" data-go=\"-1\">Previous <kbd>p</kbd></button>\
         <button type=\"button\" data-go=\"1\">Next <kbd>n</kbd></button>\
         <button type=\"button\" data-view aria-pressed=\"false\">Side by side <kbd>s</kbd></button></p>\n</header>\n",
    );
}

/// "2 changed, 1 added."
pub fn summary(changes: &Changes) -> String {
    let seen: Vec<&Change> = changes.seen().collect();
    let unseen = changes.changes.len() - seen.len();
    if changes.changes.is_empty() {
        return "Nothing: the pages are the same.".to_owned();
    }
    let counts = ChangeKind::ALL.iter().filter_map(|&kind| {
        let count = seen.iter().filter(|change| change.kind == kind).count();
        (count > 0).then(|| format!("{count} {}", kind.name()))
    });
    let mut told = counts.collect::<Vec<_>>().join(", ");
    if changes.personal && !told.is_empty() {
        let count = changes.of_interest().count();
        let count = if count == 0 { "none".to_owned() } else { count.to_string() };
        let _ = write!(told, "; {count} of interest");
    }
    match (told.is_empty(), unseen) {
        (true, unseen) => format!("Nothing that a reader sees; {unseen} not visible on the page."),
        (false, 0) => format!("{told}."),
        (false, unseen) => format!("{told}; {unseen} more not visible on the page."),
    }
}

fn list(file: &mut String, old: &PageDigest, new: &PageDigest, changes: &Changes) {
    file.push_str("<nav aria-label=\"Changes\">\n<ol class=\"changes\">\n");
    for (number, change) in changes.changes.iter().enumerate().filter(|(_, change)| change.seen) {
        item(file, new, number, change);
    }
    file.push_str("</ol>\n");
    let unseen = changes.changes.iter().enumerate().filter(|(_, change)| !change.seen);
    let count = unseen.clone().count();
    if count > 0 {
        let _ = writeln!(
            file,
            "<details><summary>Not visible on the page ({count})</summary>\n<ol class=\"changes\">"
        );
        unseen.take(500).for_each(|(number, change)| item(file, new, number, change));
        file.push_str("</ol></details>\n");
    }
    numbers(file, changes);
    targets(file, "Links", &views::links(old, new));
    targets(file, "Images", &views::images(old, new));
    file.push_str("</nav>\n");
}

fn item(file: &mut String, new: &PageDigest, number: usize, change: &Change) {
    let _ = write!(
        file,
        "<li class=\"{kind}{interest}\" data-level=\"{level}\"><a href=\"#change-{number}\" id=\"change-{number}\" data-change=\"{number}\">\
         <span class=\"kind\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span> {kind}</span>",
        kind = change.kind.name(),
        interest = if change.interest > 0.0 { " interest" } else { "" },
        level = level(change.severity),
        sign = change.kind.sign(),
    );
    if !change.headings.is_empty() {
        file.push_str(" <span class=\"path\" dir=\"auto\">");
        push_text(&change.headings.join(" › "), file);
        file.push_str("</span>");
    }
    file.push_str(" <span class=\"line\" dir=\"auto\">");
    match (change.line.is_empty(), change.line.is_changed()) {
        (true, _) => push_text(change.new.map_or("", |node| new.name(node)), file),
        // What moved may be of interest in words that a short line leaves out.
        (false, true) if change.kind == ChangeKind::Moved => line(file, &change.line.in_short(6), &[]),
        (false, true) => line(file, &change.line.in_short(6), &change.mentions),
        (false, false) => push_text(&shortened(&change.line.side(SpanKind::Added), 80), file),
    }
    file.push_str("</span>");
    for (node, attribute) in change.attributes.iter().take(8) {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "—".to_owned());
        file.push_str(" <span class=\"attribute\">");
        push_text(&format!("{} {}: ", new.name(*node), attribute.name), file);
        file.push_str("<del>");
        push_text(&shortened(&value(&attribute.old), 120), file);
        file.push_str("</del> <ins>");
        push_text(&shortened(&value(&attribute.new), 120), file);
        file.push_str("</ins></span>");
    }
    for reason in reasons(&change.mentions).iter().take(8) {
        file.push_str(" <span class=\"reason\" dir=\"auto\">");
        push_text(&shortened(reason, 120), file);
        file.push_str("</span>");
    }
    file.push_str("</a></li>\n");
}

fn line(file: &mut String, line: &Line, mentions: &[Mention]) {
    let mut left = 280;
    for (span, ranges) in line.spans.iter().zip(ranges(line, mentions)) {
        let (open, close) = match span.kind {
            SpanKind::Same => ("", ""),
            SpanKind::Removed => ("<del>", "</del>"),
            SpanKind::Added => ("<ins>", "</ins>"),
        };
        file.push_str(open);
        highlighted(file, &span.text, left, &ranges);
        file.push_str(close);
        left = left.saturating_sub(span.text.len());
        if left == 0 {
            return;
        }
    }
}

/// The beginning of a text with what is of interest in it.
fn highlighted(file: &mut String, text: &str, left: usize, ranges: &[Range<usize>]) {
    let mut at = 0;
    for range in ranges.iter().filter(|range| range.end < left) {
        push_text(&text[at..range.start], file);
        tagged(file, "mark", &text[range.clone()]);
        at = range.end;
    }
    push_text(&shortened(&text[at..], left.saturating_sub(at)), file);
}

fn tagged(file: &mut String, element: &str, text: &str) {
    let _ = write!(file, "<{element}>");
    push_text(text, file);
    let _ = write!(file, "</{element}>");
}

fn numbers(file: &mut String, changes: &Changes) {
    let numbers = views::numbers(changes);
    if numbers.is_empty() {
        return;
    }
    let _ = writeln!(file, "<details open><summary>Numbers ({})</summary>\n<ul>", numbers.len());
    for number in numbers.iter().take(500) {
        let _ = write!(file, "<li><a href=\"#change-{0}\" data-change=\"{0}\">", number.change);
        tagged(file, "del", &number.old);
        file.push_str(" → ");
        tagged(file, "ins", &number.new);
        if let Some(percent) = number.percent {
            let _ = write!(file, " <span class=\"percent\">{percent:+.1} %</span>");
        }
        file.push_str("</a></li>\n");
    }
    file.push_str("</ul></details>\n");
}

fn targets(file: &mut String, title: &str, targets: &[Target]) {
    if targets.is_empty() {
        return;
    }
    let _ = writeln!(file, "<details><summary>{title} ({})</summary>\n<ul>", targets.len());
    for target in targets.iter().take(500) {
        let element = if target.kind == ChangeKind::Added { "ins" } else { "del" };
        file.push_str("<li dir=\"auto\">");
        tagged(file, element, &shortened(&target.text, 80));
        file.push_str(" <code>");
        push_text(&shortened(&target.address, 160), file);
        file.push_str("</code></li>\n");
    }
    file.push_str("</ul></details>\n");
}

fn frame(file: &mut String, name: &str, title: &str, page: &str) {
    let _ = write!(
        file,
        "<section class=\"{name}\" aria-label=\"{title}\"><iframe title=\"{title}\" sandbox=\"allow-same-origin allow-popups allow-popups-to-escape-sandbox\" srcdoc=\""
    );
    push_value(page, file);
    file.push_str("\"></iframe></section>\n");
}
