//! A message as blocks of lines of pieces: all that is told, in order, before a service has its say on length and looks.
//!
//! Everything here is clean: no text can end a line or hide. Cost: linear in the message.

use super::clean::{clean, short};
use std::collections::BTreeSet;
use tidemark_engine::message::{Message, Told};
use tidemark_engine::passage::{ChangeKind, Passage, SpanKind};
use url::Url;

/// Names, headings and reasons are no longer than this.
const NAME: usize = 200;

/// No link is longer than this: who needs more is not a page.
const LINK: usize = 2000;

/// Of a path of headings these are told.
const PATH: usize = 6;

/// Things that are told whole or not at all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) lines: Vec<Line>,
    /// How many things it tells of, for those who leave it out.
    pub(crate) tells: usize,
    /// Whether it begins an item; those come before all else where there is little room.
    pub(crate) head: bool,
}

/// A line, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) role: Role,
    pub(crate) pieces: Vec<Piece>,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// What the watch is called.
    Title,
    /// What happened to it.
    Said,
    /// The headings above a passage.
    Place,
    /// A passage.
    Passage(ChangeKind),
    /// Why it is of interest.
    Reason,
    /// A line of the reader's own text, or something said by the way.
    Note,
}

/// Words with one look.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) look: Look,
    /// Of interest to the reader, or a title.
    pub(crate) strong: bool,
    pub(crate) link: Option<Url>,
}

/// How words look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// As they are.
    Plain,
    /// A whole passage that came.
    Came,
    /// A whole passage that went.
    Went,
    /// Words that came.
    Added,
    /// Words that went.
    Removed,
}

/// All that a message tells: the reader's own text where there is one, the items otherwise.
pub(crate) fn blocks(message: &Message) -> Vec<Block> {
    match &message.text {
        Some(text) => own(text, &links(message)),
        None => message.items.iter().flat_map(item).collect(),
    }
}

/// The address that a reader goes to first: the change if it is shown anywhere, or else the page.
pub(crate) fn target(message: &Message) -> Option<&Url> {
    let first = message.items.first()?;
    first.link.as_ref().or(Some(&first.url)).filter(|url| is_link(url))
}

impl Piece {
    /// Words without a look.
    pub(crate) fn plain(text: &str) -> Self {
        Self { text: clean(text), look: Look::Plain, strong: false, link: None }
    }

    pub(crate) fn strong(text: &str) -> Self {
        Self { strong: true, ..Self::plain(text) }
    }

    fn leading(self, to: Option<&Url>) -> Self {
        Self { link: to.filter(|url| is_link(url)).cloned(), ..self }
    }
}

impl Block {
    /// Something said by the way.
    pub(crate) fn note(text: &str) -> Self {
        Self::of(vec![Line { role: Role::Note, pieces: vec![Piece::plain(text)] }])
    }

    fn of(lines: Vec<Line>) -> Self {
        Self { lines, tells: 0, head: false }
    }
}

/// What is left out, in words.
pub(crate) fn more(left: usize) -> Option<String> {
    (left > 0).then(|| format!("… and {left} more"))
}

fn item(told: &Told) -> Vec<Block> {
    let mut blocks = vec![Block { head: true, tells: 1, ..Block::of(head(told)) }];
    let mut place: Option<&[String]> = None;
    for passage in &told.passages {
        let here = passage.place.as_deref().unwrap_or_default();
        let fresh = place != Some(here) && !here.is_empty();
        place = Some(here);
        blocks.push(Block { tells: 1, ..Block::of(passage_lines(passage, fresh)) });
    }
    blocks.extend(more(told.more).map(|text| Block { tells: told.more, ..Block::note(&text) }));
    blocks
}

fn head(told: &Told) -> Vec<Line> {
    let name = Some(clean(&told.name)).filter(|name| !name.trim().is_empty());
    let name = short(name.as_deref().unwrap_or(told.url.as_str()), NAME);
    let title = Piece::strong(&name).leading(Some(&told.url));
    let mut said = vec![Piece::plain(&short(&clean(&told.said), NAME))];
    if let Some(link) = &told.link {
        said.extend([Piece::plain(" · "), Piece::plain("show the change").leading(Some(link))]);
    }
    vec![Line { role: Role::Title, pieces: vec![title] }, Line { role: Role::Said, pieces: said }]
}

fn passage_lines(passage: &Passage, fresh: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    if fresh {
        let place = path(passage.place.as_deref().unwrap_or_default());
        lines.push(Line { role: Role::Place, pieces: vec![Piece::plain(&place)] });
    }
    let link = passage.link.as_deref().and_then(|link| Url::parse(link).ok());
    lines.push(Line { role: Role::Passage(passage.kind), pieces: words(passage, link.as_ref()) });
    let reason = |reason: &String| {
        let text = short(&clean(reason), NAME);
        Line { role: Role::Reason, pieces: vec![Piece::plain(&text)] }
    };
    lines.extend(passage.reasons.iter().take(3).map(reason));
    lines
}

/// The headings next to the passage say most.
fn path(place: &[String]) -> String {
    let from = place.len().saturating_sub(PATH);
    let names: Vec<String> = place[from..].iter().map(|name| short(&clean(name), NAME / 2)).collect();
    let cut = if from > 0 { "… › " } else { "" };
    format!("{cut}{}", names.join(" › "))
}

/// A passage that came or went as a whole looks so as a whole, whatever is in it.
fn words(passage: &Passage, link: Option<&Url>) -> Vec<Piece> {
    let look = |kind: SpanKind| match (passage.kind, kind) {
        (ChangeKind::Added, _) => Look::Came,
        (ChangeKind::Removed, _) => Look::Went,
        (ChangeKind::Changed, SpanKind::Added) => Look::Added,
        (ChangeKind::Changed, SpanKind::Removed) => Look::Removed,
        _ => Look::Plain,
    };
    let pieces = passage.spans.iter().map(|stretch| {
        let piece =
            Piece { look: look(stretch.kind), strong: stretch.of_interest, ..Piece::plain(&stretch.text) };
        piece.leading(link)
    });
    pieces.filter(|piece| !piece.text.is_empty()).collect()
}

/// A text of the reader's own, line by line. What a page says in it gets no look and no link; the addresses of the message itself do lead there.
fn own(text: &str, links: &BTreeSet<&str>) -> Vec<Block> {
    let line = |line: &str| {
        let mut pieces: Vec<Piece> = Vec::new();
        for word in line.split_inclusive(char::is_whitespace) {
            let address = links.get(word.trim()).and_then(|address| Url::parse(address).ok());
            match (pieces.last_mut(), address) {
                (_, Some(address)) => {
                    pieces.push(Piece::plain(word.trim()).leading(Some(&address)));
                    pieces.push(Piece::plain(&word[word.trim_end().len()..]));
                }
                (Some(last), None) if last.link.is_none() => last.text.push_str(&clean(word)),
                (_, None) => pieces.push(Piece::plain(word)),
            }
        }
        pieces.retain(|piece| !piece.text.is_empty());
        Block { tells: 1, ..Block::of(vec![Line { role: Role::Note, pieces }]) }
    };
    text.lines().map(line).collect()
}

fn links(message: &Message) -> BTreeSet<&str> {
    message
        .items
        .iter()
        .flat_map(|told| std::iter::once(&told.url).chain(&told.link))
        .map(Url::as_str)
        .collect()
}

fn is_link(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host() && url.as_str().len() <= LINK
}
