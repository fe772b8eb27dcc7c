//! Content before and after a redesign, line by line.
//!
//! Every word of both pages is in exactly one line of the result; lines of the template are among them and are marked, so that nothing
//! is left out by a wrong guess. Cost: that of comparing the texts that go together, word by word.

use super::align::{Alignment, Group};
use super::texts::{Texts, placed_words};
use super::{Across, Templates};
use crate::diff::order::kept;
use crate::diff::words::{Run, compare};
use crate::digest::PageDigest;

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LineKind {
    /// The same words.
    Same,
    /// Some other words.
    Edited,
    /// On the new page only.
    Added,
    /// On the old page only.
    Removed,
}

/// Texts that go together: one of each page, several where a text was split or texts were joined, none where one came or went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentLine {
    /// What became of it.
    pub kind: LineKind,
    /// Whether it changed places with others.
    pub moved: bool,
    /// Whether it is the template's rather than content.
    pub template: bool,
    /// Its lines on the old page, counted from 0 over lines that have words.
    pub old_lines: Vec<u32>,
    /// Its lines on the new page.
    pub new_lines: Vec<u32>,
    /// The old text.
    pub old: String,
    /// The new text.
    pub new: String,
    /// Where the texts are the same and where not.
    pub runs: Vec<Run>,
}

/// Numbers of words of the content. What is the template's on both pages is left out, but kept count of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// In both pages.
    pub unchanged: usize,
    /// In the old page only.
    pub removed: usize,
    /// In the new page only.
    pub added: usize,
    /// Words of the template: on the old and on the new page.
    pub template: [usize; 2],
}

/// Content before and after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentDiff {
    /// All texts in the order of the new page; what went stands behind what it stood behind.
    pub lines: Vec<ContentLine>,
    /// Whether a budget was reached: everything told is right, but more may have stayed the same.
    pub coarse: bool,
}

impl ContentDiff {
    /// The content of two pages that were made with different templates.
    pub fn across(old: &PageDigest, new: &PageDigest, templates: &Templates<'_>) -> Self {
        Across::between(old, new).content(templates)
    }

    /// Whether no content came, went, or was edited or moved.
    pub fn is_unchanged(&self) -> bool {
        self.lines.iter().all(|line| line.template || (line.kind == LineKind::Same && !line.moved))
    }

    /// How many words stayed, went and came.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for line in &self.lines {
            let [unchanged, removed, added] = line.word_counts();
            if line.template {
                tally.template[0] += unchanged + removed;
                tally.template[1] += unchanged + added;
            } else {
                tally.unchanged += unchanged;
                tally.removed += removed;
                tally.added += added;
            }
        }
        tally
    }

    pub(super) fn of(sides: [&Texts; 2], alignment: &Alignment, templates: [&[bool]; 2]) -> Self {
        let moved = moved(&alignment.groups);
        let mut placed: Vec<((u32, bool, u32), ContentLine)> = Vec::with_capacity(alignment.groups.len());
        let mut behind = 0;
        for (group, moved) in alignment.groups.iter().zip(moved) {
            let line = ContentLine::of(sides, group, templates, moved);
            let place = match (group.old.first(), group.new.first()) {
                (Some(&old), None) => (behind, true, old),
                (_, new) => (new.map_or(0, |new| new + 1), false, 0),
            };
            if !group.old.is_empty() && !moved {
                behind = place.0;
            }
            placed.push((place, line));
        }
        placed.sort_by_key(|(place, _)| *place);
        Self { lines: placed.into_iter().map(|(_, line)| line).collect(), coarse: alignment.is_coarse }
    }
}

impl ContentLine {
    fn of(sides: [&Texts; 2], group: &Group, templates: [&[bool]; 2], moved: bool) -> Self {
        let [old, new] = [(0, &group.old), (1, &group.new)].map(|(side, lines)| text(sides[side], lines));
        let runs = compare(&old, &new);
        let all = |side: usize, lines: &[u32]| lines.iter().all(|&line| templates[side][line as usize]);
        let template = all(0, &group.old) && all(1, &group.new);
        let (old_lines, new_lines) = (group.old.clone(), group.new.clone());
        let kind = LineKind::Same;
        let mut line = Self { kind, moved, template, old_lines, new_lines, old, new, runs };
        line.kind = match line.word_counts() {
            _ if line.old_lines.is_empty() => LineKind::Added,
            _ if line.new_lines.is_empty() => LineKind::Removed,
            [_, 0, 0] => LineKind::Same,
            _ => LineKind::Edited,
        };
        line
    }

    /// Words in both texts, in the old only, and in the new only.
    pub fn word_counts(&self) -> [usize; 3] {
        let old = self.words_in(&self.old, |run| run.old.end);
        let new = self.words_in(&self.new, |run| run.new.end);
        [old.0, old.1, new.1]
    }

    /// Words of a text in runs that are the same, and in others. No run cuts a word.
    fn words_in(&self, text: &str, end: impl Fn(&Run) -> usize) -> (usize, usize) {
        let (mut same, mut other, mut at) = (0, 0, 0);
        for (place, _) in placed_words(text) {
            while self.runs.get(at).is_some_and(|run| end(run) <= place) {
                at += 1;
            }
            let is_same = self.runs.get(at).is_some_and(|run| run.same);
            same += usize::from(is_same);
            other += usize::from(!is_same);
        }
        (same, other)
    }
}

fn text(texts: &Texts, lines: &[u32]) -> String {
    let lines: Vec<&str> = lines.iter().map(|&line| texts.lines[line as usize].text.as_str()).collect();
    lines.join(" ")
}

/// For each group whether it left the order that most of them kept.
fn moved(groups: &[Group]) -> Vec<bool> {
    let in_both = || groups.iter().filter(|group| !group.old.is_empty() && !group.new.is_empty());
    let places: Vec<u32> = in_both().filter_map(|group| group.new.first().copied()).collect();
    let mut kept = kept(&places).into_iter();
    let is_moved =
        |group: &Group| !group.old.is_empty() && !group.new.is_empty() && !kept.next().unwrap_or(true);
    groups.iter().map(is_moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn page(text: &str) -> PageDigest {
        PageDigest::encode(text.as_bytes(), &Reading::default()).unwrap()
    }

    fn told(old: &str, new: &str) -> Vec<String> {
        let diff = ContentDiff::across(&page(old), &page(new), &Templates::default());
        let content = diff.lines.iter().filter(|line| !line.template);
        content
            .map(|line| {
                format!("{:?}{} {}|{}", line.kind, if line.moved { "*" } else { "" }, line.old, line.new)
            })
            .collect()
    }

    #[test]
    fn texts_that_were_split_or_joined_are_the_same() {
        let lines = told("<p>One two three.</p><p>four five six</p>", "<li>One two three. four five six");
        assert_eq!(lines, ["Same One two three. four five six|One two three. four five six"]);
        let lines =
            told("<p>Brass anchor &pound;12.50 in stock</p>", "<td>Brass anchor<td>&pound;12.50<td>in stock");
        assert_eq!(lines.len(), 1, "{lines:?}");
    }

    #[test]
    fn texts_that_moved_came_or_went_are_told() {
        let old = "<p>alpha beta gamma<p>delta epsilon zeta<p>eta theta iota<p>going going gone";
        let new = "<div>eta theta iota</div><div>alpha beta gamma</div><div>delta epsilon new</div><div>never seen before";
        let lines = told(old, new);
        assert_eq!(
            lines,
            [
                "Same* eta theta iota|eta theta iota",
                "Same alpha beta gamma|alpha beta gamma",
                "Edited delta epsilon zeta|delta epsilon new",
                "Removed going going gone|",
                "Added |never seen before",
            ]
        );
    }

    #[test]
    fn what_other_documents_say_too_is_the_templates() {
        let [old, new] =
            ["<div>Daily Tide<p>high water at ten", "<main>high water at ten</main>The Tide, all rights"]
                .map(page);
        let [old_other, new_other] =
            ["<div>Daily Tide<p>nothing new", "<main>nothing</main>The Tide, all rights"].map(page);
        let bare = ContentDiff::across(&old, &new, &Templates::default());
        assert!(!bare.is_unchanged());
        let templates = Templates { old: &[&old_other], new: &[&new_other] };
        let diff = ContentDiff::across(&old, &new, &templates);
        assert!(diff.is_unchanged(), "{diff:?}");
        assert_eq!(diff.tally(), Tally { unchanged: 4, template: [2, 4], ..Tally::default() });
    }
}
