//! How services write: what is markup to them is escaped, what they would make links and mentions of by themselves is defused.

use super::clean::defuse;
use super::fit::Dialect;
use super::wording::{Look, Piece};
use url::Url;

/// Text without looks: marks say what came and went.
pub(crate) struct Plain;

/// Text without looks in a place that gives it looks of its own: each piece as it is, counted with what the place needs for it.
pub(crate) struct Bare {
    /// What a piece costs beside its characters.
    pub(crate) frame: usize,
}

/// Discord's Markdown.
pub(crate) struct Markdown;

/// HTML with few tags. What is counted differs: to Telegram only what is seen.
pub(crate) struct Html {
    pub(crate) removed: (&'static str, &'static str),
    pub(crate) added: (&'static str, &'static str),
    pub(crate) counts_markup: bool,
}

/// Tags of Telegram and Matrix.
pub(crate) const TELEGRAM: Html =
    Html { removed: ("<s>", "</s>"), added: ("<u>", "</u>"), counts_markup: false };
pub(crate) const MATRIX: Html =
    Html { removed: ("<del>", "</del>"), added: ("<u>", "</u>"), counts_markup: true };
/// Pushover has no tag for what went.
pub(crate) const PUSHOVER: Html = Html {
    removed: ("<font color=\"#b3261e\">[-", "-]</font>"),
    added: ("<u>", "</u>"),
    counts_markup: true,
};

impl Dialect for Plain {
    fn write(&self, piece: &Piece, out: &mut String) {
        let (open, close) = match piece.look {
            Look::Removed => ("[-", "-]"),
            Look::Added => ("{+", "+}"),
            Look::Plain | Look::Came | Look::Went => ("", ""),
        };
        // An address of the message itself is there to be followed.
        let itself = piece.link.as_ref().is_some_and(|link| link.as_str() == piece.text);
        let words = if itself { piece.text.clone() } else { defuse(&piece.text) };
        out.extend([open, &words, close]);
    }

    /// The services that take plain text count bytes.
    fn count(&self, text: &str) -> usize {
        text.len()
    }
}

impl Dialect for Bare {
    fn write(&self, piece: &Piece, out: &mut String) {
        out.push_str(&defuse(&piece.text));
    }

    fn measure(&self, piece: &Piece) -> usize {
        let link = piece.link.as_ref().map_or(0, |link| link.as_str().len());
        // As JSON writes it, in bytes: more than any other count.
        let text = serde_json::Value::from(defuse(&piece.text)).to_string().len();
        text + link + self.frame
    }
}

impl Dialect for Markdown {
    fn write(&self, piece: &Piece, out: &mut String) {
        let strong = if piece.strong { "**" } else { "" };
        let (open, close) = match piece.look {
            Look::Removed | Look::Went => ("~~", "~~"),
            Look::Added => ("__", "__"),
            Look::Plain | Look::Came => ("", ""),
        };
        // Marks count only next to words.
        let words = piece.text.trim();
        let (before, after) = edges(&piece.text);
        if words.is_empty() {
            out.push_str(&piece.text);
            return;
        }
        let mut text = format!("{open}{strong}{}{strong}{close}", escape_markdown(words));
        if let Some(link) = &piece.link {
            text = format!("[{text}](<{}>)", plain_link(link));
        }
        out.extend([before, &text, after]);
    }
}

impl Dialect for Html {
    fn write(&self, piece: &Piece, out: &mut String) {
        let mut tags: Vec<(String, &str)> = Vec::new();
        tags.extend(
            piece.link.as_ref().map(|link| (format!("<a href=\"{}\">", escape_html(link.as_str())), "</a>")),
        );
        tags.extend(piece.strong.then(|| ("<b>".to_owned(), "</b>")));
        tags.extend(match piece.look {
            Look::Removed | Look::Went => Some((self.removed.0.to_owned(), self.removed.1)),
            Look::Added => Some((self.added.0.to_owned(), self.added.1)),
            Look::Plain | Look::Came => None,
        });
        tags.iter().for_each(|(open, _)| out.push_str(open));
        out.push_str(&escape_html(&defuse(&piece.text)));
        tags.iter().rev().for_each(|(_, close)| out.push_str(close));
    }

    fn measure(&self, piece: &Piece) -> usize {
        if !self.counts_markup {
            // Marks that are seen count with the words.
            return self.count(&defuse(&piece.text));
        }
        let mut written = String::new();
        self.write(piece, &mut written);
        self.count(&written)
    }
}

/// For text and for attributes in double quotes.
pub(crate) fn escape_html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ => safe.push(character),
        }
    }
    safe
}

/// A backslash makes any mark plain; a link with a scheme that is escaped is no link.
pub(crate) fn escape_markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 16);
    for character in defuse(text).chars() {
        let marks = "\\*_~`|>#-+[]()<:@.!&/";
        if marks.contains(character) {
            safe.push('\\');
        }
        safe.push(character);
    }
    safe
}

/// An address that ends where it ends.
fn plain_link(link: &Url) -> String {
    link.as_str()
        .replace('<', "%3C")
        .replace('>', "%3E")
        .replace('(', "%28")
        .replace(')', "%29")
        .replace('\\', "%5C")
}

fn edges(text: &str) -> (&str, &str) {
    let from = text.len() - text.trim_start().len();
    (&text[..from], &text[text.trim_end().len().max(from)..])
}
