//! The HTML part of a mail: tables for layout, styles in the tags, no pictures, nothing loaded from anywhere. All words are escaped here, and nowhere else.

use super::look;
use crate::courier::clean::{clean, short};
use crate::courier::dialect::escape_html;
use crate::courier::fit::{Dialect, Fitted, fit};
use crate::courier::wording::{Block, Line, Look, Piece, Role, more};
use tidemark_engine::message::Message;
use tidemark_engine::passage::ChangeKind;

/// Large programs cut mail off at about 100 KB; the whole stays below.
const ROOM: usize = 92_000;

/// The whole document.
pub(super) fn html(message: &Message) -> String {
    let subject = escape_html(&short(&clean(&message.subject), 200));
    let hint =
        message.items.first().map(|told| escape_html(&short(&clean(&told.said), 120))).unwrap_or_default();
    let mut page = Page(String::with_capacity(8 << 10));
    page.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">");
    page.raw("<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"supported-color-schemes\" content=\"light dark\">");
    page.raw(&format!("<title>{subject}</title><style>{}</style></head>\n", look::SHEET));
    page.raw(&format!("<body style=\"{}\"><div style=\"{}\">{hint}</div>\n", look::BODY, look::HIDDEN));
    page.open_table("page", look::PAGE);
    page.raw(&format!(
        "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" style=\"{}\">",
        look::SHELL
    ));
    page.raw(&format!("<tr><td class=\"card\" style=\"{}\">", look::CARD));
    page.cell("div", "brand", look::BRAND, "Tidemark");
    page.cell("h1", "subject", look::SUBJECT, &subject);
    page.blocks(message);
    page.raw("</td></tr>\n<tr>");
    page.cell("td", "foot", look::FOOT, &escape_html(&clean(&message.stop)));
    page.raw("</tr></table></td></tr></table></body></html>\n");
    page.0
}

/// A document that grows.
struct Page(String);

/// Counts the bytes of a document.
struct Tagged;

impl Dialect for Tagged {
    fn write(&self, piece: &Piece, out: &mut String) {
        out.push_str(&words(piece, Role::Note));
    }

    fn count(&self, text: &str) -> usize {
        text.len()
    }

    /// A little more than the tags around a line take.
    fn frame(&self, role: Role) -> usize {
        match role {
            Role::Passage(_) => 850,
            Role::Title => 600,
            Role::Said | Role::Place | Role::Reason | Role::Note => 260,
        }
    }
}

impl Page {
    fn raw(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn open_table(&mut self, class: &str, style: &str) {
        let table = "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\"><tr>";
        self.raw(&format!("{table}<td class=\"{class}\" style=\"{}\">", look::style(style)));
    }

    /// What is inside is written already.
    fn cell(&mut self, tag: &str, class: &str, style: &str, inside: &str) {
        self.raw(&format!("<{tag} class=\"{class}\" style=\"{}\">{inside}</{tag}>\n", look::style(style)));
    }

    fn blocks(&mut self, message: &Message) {
        let Fitted { blocks, left } = fit(message, &Tagged, ROOM);
        for (at, block) in blocks.iter().enumerate() {
            if block.head && at > 0 {
                self.rule();
            }
            block.lines.iter().for_each(|line| self.line(line));
        }
        if let Some(text) = more(left) {
            self.rule();
            Block::note(&text).lines.iter().for_each(|line| self.line(line));
        }
    }

    fn rule(&mut self) {
        self.cell("div", "gap", look::GAP, "&nbsp;");
        self.cell("div", "rule", look::RULE, "&nbsp;");
    }

    fn line(&mut self, line: &Line) {
        let (class, style) = look::line(line.role);
        let inside: String = line.pieces.iter().map(|piece| words(piece, line.role)).collect();
        match line.role {
            Role::Passage(kind) => self.passage(kind, &inside),
            Role::Reason => self.cell("div", class, style, &format!("&#9733; {inside}")),
            Role::Title | Role::Said | Role::Place | Role::Note => {
                let empty = inside.is_empty();
                self.cell("div", class, style, if empty { "&nbsp;" } else { &inside });
            }
        }
    }

    fn passage(&mut self, kind: ChangeKind, inside: &str) {
        let ((class, style), (frame, border)) = (look::line(Role::Passage(kind)), look::frame(kind));
        self.cell("div", "gap", look::SMALL_GAP, "&nbsp;");
        self.open_table(frame, border);
        let label = look::label(kind);
        if let Some((word, colour)) = label {
            self.cell("div", "label", &format!("{}{colour}", look::LABEL), word);
        }
        let style =
            if label.is_some() { style.replace(look::ALONE, look::LABELLED) } else { style.to_owned() };
        self.cell("div", class, &style, inside);
        self.raw("</td></tr></table>\n");
    }
}

fn words(piece: &Piece, role: Role) -> String {
    let mut text = escape_html(&piece.text);
    let marked = matches!(piece.look, Look::Added | Look::Removed);
    if piece.strong && role != Role::Title {
        let (class, style) = if marked { ("warm", look::WARM) } else { ("hot", look::HOT) };
        text = format!("<b class=\"{class}\" style=\"{style}\">{text}</b>");
    }
    if let Some((tag, class, style)) = look::words(piece.look) {
        text = format!("<{tag} class=\"{class}\" style=\"{style}\">{text}</{tag}>");
    }
    if let Some(link) = &piece.link {
        let (class, style) = look::link(role);
        let to = escape_html(link.as_str());
        text = format!("<a class=\"{class}\" href=\"{to}\" style=\"{style}\">{text}</a>");
    }
    text
}
