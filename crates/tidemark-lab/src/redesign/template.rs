//! Templates made at random: a head, a frame around the page, and a body for each kind of page.
//!
//! No two have a class or a file in common but by chance; tags they share, as real ones do. What a document adds is in `document.rs`.

use crate::generate::common_word;
use fastrand::Rng;

/// Where a document puts its words.
pub(super) const WORDS: char = '\u{1}';
/// Where a document puts its content.
pub(crate) const CONTENT: char = '\u{2}';

/// How a page of one kind is laid out.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    /// What stands around the content.
    pub(crate) around: String,
    /// The item that is repeated, where pages of the kind are lists.
    pub(super) item: Option<String>,
}

/// A design of a site.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(super) resources: Vec<String>,
    pub(crate) frame: String,
    pub(super) extra: String,
    pub(crate) kinds: Vec<Kind>,
    style: Style,
}

/// The habits of whoever wrote a template.
#[derive(Clone, Copy, Debug)]
struct Style {
    /// Written before every class.
    prefix: &'static str,
    /// Out of ten elements, how many have a class.
    classes: u8,
    /// Tables instead of modern containers.
    tables: bool,
}

impl Template {
    /// A template for so many kinds of pages.
    pub(crate) fn new(kinds: usize, rng: &mut Rng) -> Self {
        let style = Style {
            prefix: ["", "c-", "site-", "wp-", "x_"][rng.usize(..5)],
            classes: [2, 6, 9, 9][rng.usize(..4)],
            tables: rng.u8(..5) == 0,
        };
        Self {
            resources: (0..rng.usize(1..7)).map(|_| resource(rng)).collect(),
            frame: style.frame(rng),
            extra: String::new(),
            kinds: (0..kinds).map(|number| style.kind(number, rng)).collect(),
            style,
        }
    }

    /// The same template after an edit that nobody would call a redesign: one file, or one more thing at the foot of the page.
    pub(super) fn edited(&self, rng: &mut Rng) -> Self {
        let mut new = self.clone();
        match rng.u8(..3) {
            0 => new.resources.push(resource(rng)),
            1 if new.resources.len() > 2 => drop(new.resources.pop()),
            _ => new.extra = format!("<p{}><a href=/>{WORDS}</a></p>", self.style.class(rng)),
        }
        new
    }

    /// Another design of the same site, which keeps some of its files.
    pub(super) fn redesigned(&self, rng: &mut Rng) -> Self {
        let mut new = Self::new(self.kinds.len(), rng);
        let kept = self.resources.iter().filter(|_| rng.u8(..3) == 0).cloned();
        new.resources.extend(kept.collect::<Vec<_>>());
        new
    }

    /// The same frame around new bodies.
    pub(super) fn with_new_bodies(&self, rng: &mut Rng) -> Self {
        let kinds = (0..self.kinds.len()).map(|number| self.style.kind(number, rng)).collect();
        Self { kinds, ..self.clone() }
    }
}

impl Style {
    fn frame(self, rng: &mut Rng) -> String {
        let mut page = self.part(["header", "div", "nav"][rng.usize(..3)], 2, rng);
        page += &self.part(["nav", "ul", "div"][rng.usize(..3)], 2, rng);
        let (open, close) = self.wrapped(rng.usize(1..3), rng);
        page = format!("{page}{open}{CONTENT}{close}");
        if rng.bool() {
            page += &self.part("aside", 2, rng);
        }
        page + &self.part(["footer", "div"][rng.usize(..2)], 2, rng)
    }

    fn kind(self, number: usize, rng: &mut Rng) -> Kind {
        let (open, close) = self.wrapped(rng.usize(1..4), rng);
        let head = self.part("div", 1, rng);
        let foot = if rng.bool() { self.part("section", 2, rng) } else { String::new() };
        let item = (number % 2 == 1).then(|| self.part(["li", "article", "tr"][rng.usize(..3)], 2, rng));
        Kind { around: format!("{open}{head}{CONTENT}{foot}{close}"), item }
    }

    /// So many containers around something.
    fn wrapped(self, levels: usize, rng: &mut Rng) -> (String, String) {
        let (mut open, mut close) = (String::new(), String::new());
        for _ in 0..levels {
            let tag = if self.tables { "div" } else { ["div", "main", "section", "article"][rng.usize(..4)] };
            open = format!("{open}<{tag}{}>", self.class(rng));
            close.insert_str(0, &format!("</{tag}>"));
        }
        (open, close)
    }

    /// An element with a few others inside.
    fn part(self, tag: &str, depth: usize, rng: &mut Rng) -> String {
        let (tag, inner) = match tag {
            "tr" => ("tr", "td"),
            "ul" => ("ul", "li"),
            _ if self.tables => ("table", "td"),
            other => (other, ["div", "span", "p", "ul", "section"][rng.usize(..5)]),
        };
        let class = self.class(rng);
        let inside: String = (0..rng.usize(1..5))
            .map(|_| if depth > 1 { self.part(inner, depth - 1, rng) } else { self.leaf(rng) })
            .collect();
        format!("<{tag}{class}>{inside}</{tag}>")
    }

    fn leaf(self, rng: &mut Rng) -> String {
        let class = self.class(rng);
        match rng.u8(..7) {
            0 => format!("<img{class} src=/i.png>"),
            1 => format!("<h3{class}>{WORDS}</h3>"),
            2 => format!("<form{class}><input{class}><button>{WORDS}</button></form>"),
            3 => format!("<span{class}>{WORDS}</span>"),
            4 => format!("<a{class} href=/><i{class}></i></a>"),
            _ => format!("<a{class} href=/>{WORDS}</a>"),
        }
    }

    fn class(self, rng: &mut Rng) -> String {
        if rng.u8(..10) >= self.classes {
            return String::new();
        }
        format!(" class={}{}-{}", self.prefix, common_word(rng), common_word(rng))
    }
}

fn resource(rng: &mut Rng) -> String {
    let name = format!("{}-{}", common_word(rng), common_word(rng));
    match rng.u8(..3) {
        0 => format!("<script src=/js/{name}.js></script>"),
        _ => format!("<link rel=stylesheet href=/css/{name}.css>"),
    }
}
