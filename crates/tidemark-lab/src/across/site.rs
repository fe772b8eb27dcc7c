//! The same content in two designs, with known truth: which element holds what.
//!
//! Content is a list of blocks of fields; a design decides on elements, classes, labels and buttons, and has the frame of a generated template around
//! it. Elements are marked while the page is written, and the marks are taken out again before it is read: nothing can be found by them.

use crate::generate::common_word;
use crate::redesign::document::filled;
use crate::redesign::template::{CONTENT, Template};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fmt;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::Reading;

const MARK: &str = "data-truth";

/// What a page is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Headings and paragraphs.
    Article,
    /// Goods with name, price and stock.
    Prices,
    /// Rows of numbers with a label.
    Numbers,
    /// Linked titles with date and teaser.
    Listing,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Article, Self::Prices, Self::Numbers, Self::Listing];

    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Article => &["text"],
            Self::Prices => &["name", "price", "stock"],
            Self::Numbers => &["label", "number", "number", "number"],
            Self::Listing => &["title", "date", "teaser"],
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(["article", "prices", "numbers", "listing"][*self as usize])
    }
}

/// The content of a page.
#[derive(Clone, Debug)]
pub struct Content {
    kind: Kind,
    title: String,
    /// Blocks with their numbers, each with its fields.
    pub(super) blocks: Vec<(usize, Vec<String>)>,
}

/// A design: how content is written.
#[derive(Clone, Debug)]
pub struct Design {
    frame: String,
    seed: u64,
}

/// A page with the elements that hold its content, by name: `b3` for a block, `b3.price` for a field of it.
#[derive(Debug)]
pub struct Rendered {
    /// The page as it is published.
    pub page: String,
    /// The same, read.
    pub digest: PageDigest,
    /// What holds what.
    pub truth: BTreeMap<String, NodeId>,
}

impl Content {
    /// Content made at random.
    pub fn new(kind: Kind, rng: &mut Rng) -> Self {
        let blocks = (0..rng.usize(6..26)).map(|number| (number, fields(kind, number, rng))).collect();
        Self { kind, title: text(rng, 4..8), blocks }
    }

    /// The same site some days later: some blocks come and go, some words and most prices change.
    #[must_use]
    pub fn later(&self, rng: &mut Rng) -> Self {
        let mut new = Self { blocks: Vec::new(), ..self.clone() };
        for (number, fields) in &self.blocks {
            if rng.u8(..20) == 0 {
                new.blocks.push((1000 + number, self::fields(self.kind, *number, rng)));
            }
            if rng.u8(..20) > 0 {
                let place = (0..).zip(fields).map(|(at, field)| edited(self.kind, at, field, rng));
                new.blocks.push((*number, place.collect()));
            }
        }
        new
    }
}

impl Design {
    /// A design made at random.
    pub fn new(seed: u64) -> Self {
        let rng = &mut Rng::with_seed(seed);
        let template = Template::new(1, rng);
        let frame = template.frame.replacen(CONTENT, &template.kinds[0].around, 1);
        Self { frame: filled(&frame, rng), seed }
    }

    /// Writes content.
    pub fn render(&self, content: &Content) -> Rendered {
        let rng = &mut Rng::with_seed(self.seed ^ content.kind as u64);
        let style = Style::new(content.kind, rng);
        let blocks: String =
            content.blocks.iter().map(|(number, fields)| style.block(*number, fields)).collect();
        let [open, close] = &style.around;
        let title = style.element("h1", "title", &content.title);
        let content = format!("{title}{}{}{close}", open.replacen('>', &format!(" {MARK}=all>"), 1), blocks);
        let page = self.frame.replacen(CONTENT, &content, 1);
        Rendered::new(&format!("<!doctype html><html><head><title>{}</title></head><body>{page}", self.seed))
    }
}

impl Rendered {
    fn new(marked: &str) -> Self {
        let read =
            |page: &str| PageDigest::encode(page.as_bytes(), &Reading::default()).expect("a small page");
        let digest = read(marked);
        let name = |node| digest.attribute(node, MARK).map(|name| (name.to_owned(), node));
        let truth: BTreeMap<String, NodeId> = digest.depth_first().filter_map(name).collect();
        let mut page = marked.to_owned();
        truth.keys().for_each(|name| page = page.replacen(&format!(" {MARK}={name}>"), ">", 1));
        Self { digest: read(&page), page, truth }
    }
}

/// How a design writes the blocks of one kind of page.
struct Style {
    around: [String; 2],
    block: &'static str,
    fields: Vec<&'static str>,
    labels: Vec<String>,
    button: String,
    class: String,
    kind: Kind,
}

impl Style {
    fn new(kind: Kind, rng: &mut Rng) -> Self {
        let class = format!(" class={}-{}", common_word(rng), common_word(rng));
        let (around, block, cells): (&str, &str, &[&str]) = match (kind, rng.u8(..4)) {
            (Kind::Article, 0) => ("article", "div", &["p"]),
            (Kind::Article, 1) => ("div", "section", &["div"]),
            (Kind::Article, _) => ("section", "p", &["span"]),
            (_, 0) => ("table", "tr", &["td"]),
            (_, 1) => ("ul", "li", &["span", "b", "em"]),
            (_, 2) => ("div", "div", &["h3", "div", "p"]),
            _ => ("section", "article", &["h4", "span", "div"]),
        };
        let labelled = kind == Kind::Prices && rng.u8(..3) == 0;
        let label = |name: &str| if labelled { format!("{name}: ") } else { String::new() };
        Self {
            around: [format!("<{around}{class}>"), format!("</{around}>")],
            block,
            fields: kind.fields().iter().map(|_| cells[rng.usize(..cells.len())]).collect(),
            labels: kind.fields().iter().map(|name| label(name)).collect(),
            button: if kind != Kind::Article && rng.u8(..3) == 0 { text(rng, 2..3) } else { String::new() },
            class: if rng.bool() { format!(" class={}", common_word(rng)) } else { String::new() },
            kind,
        }
    }

    fn block(&self, number: usize, fields: &[String]) -> String {
        let names = self.kind.fields().iter().enumerate();
        let field = |(at, name): (usize, &&str)| {
            let inside = match *name {
                "title" => format!("<a href=/{number}>{}</a>", fields[at]),
                _ => fields[at].clone(),
            };
            let label = if self.labels[at].is_empty() || self.fields[at] == "td" {
                String::new()
            } else {
                format!("<i>{}</i>", self.labels[at])
            };
            let element = self.element(self.fields[at], &format!("b{number}.{name}{at}"), &inside);
            format!("{label}{element} ")
        };
        let fields: String = names.map(field).collect();
        let cell = if self.block == "tr" { "td" } else { "button" };
        let button =
            if self.button.is_empty() { String::new() } else { format!("<{cell}>{}</{cell}>", self.button) };
        self.element(self.block, &format!("b{number}"), &format!("{fields}{button}"))
    }

    fn element(&self, tag: &str, name: &str, inside: &str) -> String {
        format!("<{tag}{} {MARK}={name}>{inside}</{tag}>\n", self.class)
    }
}

fn fields(kind: Kind, number: usize, rng: &mut Rng) -> Vec<String> {
    match kind {
        Kind::Article if number.is_multiple_of(5) => vec![text(rng, 2..6)],
        Kind::Article => vec![text(rng, 15..70)],
        Kind::Prices => vec![text(rng, 2..4), price(rng), stock(rng)],
        Kind::Numbers => {
            [text(rng, 1..3)].into_iter().chain((0..3).map(|_| rng.u16(..500).to_string())).collect()
        }
        Kind::Listing => {
            let date = format!("2024-{:02}-{:02}", rng.u8(1..13), rng.u8(1..29));
            vec![text(rng, 3..8), date, text(rng, 8..20)]
        }
    }
}

/// A field some days later.
fn edited(kind: Kind, at: usize, field: &str, rng: &mut Rng) -> String {
    match (kind, at) {
        (Kind::Prices, 1) if rng.bool() => price(rng),
        (Kind::Prices, 2) if rng.u8(..4) == 0 => stock(rng),
        (Kind::Numbers, 1..) if rng.u8(..3) == 0 => rng.u16(..500).to_string(),
        (Kind::Article, _) if rng.u8(..8) == 0 => {
            let other = |word| if rng.u8(..8) == 0 { common_word(rng) } else { word };
            field.split(' ').map(other).collect::<Vec<_>>().join(" ")
        }
        _ => field.to_owned(),
    }
}

fn text(rng: &mut Rng, length: std::ops::Range<usize>) -> String {
    let words: Vec<&str> = (0..rng.usize(length)).map(|_| common_word(rng)).collect();
    words.join(" ")
}

fn price(rng: &mut Rng) -> String {
    format!("{}.{:02}", rng.u16(2..400), rng.u8(..100))
}

fn stock(rng: &mut Rng) -> String {
    match rng.u8(..3) {
        0 => "in stock".to_owned(),
        1 => "sold out".to_owned(),
        _ => format!("{} left", rng.u8(2..30)),
    }
}
