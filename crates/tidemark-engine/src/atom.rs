//! Changes as an Atom feed (RFC 4287), for those who read feeds: the changes marked, newest first.

use crate::message::Told;
use crate::passage::{ChangeKind, Passage, SpanKind, Stretch};
use jiff::Timestamp;
use std::fmt::Write as _;

/// What the feed is called, and what tells it from others.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its title.
    pub title: String,
    /// A name that stays the same and no other feed has.
    pub id: String,
}

/// Writes a feed. Each change is an entry with a name of its own that stays the same.
pub fn feed(head: &Head, told: &[Told]) -> String {
    let updated = told.iter().map(|told| told.at).max().unwrap_or(Timestamp::UNIX_EPOCH);
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n",
    );
    let (title, id) = (text(&head.title), text(&head.id));
    let _ = writeln!(xml, "<title>{title}</title>\n<id>{id}</id>\n<updated>{updated}</updated>");
    xml.push_str("<author><name>Tidemark</name></author>\n<generator>Tidemark</generator>\n");
    for told in told {
        entry(&mut xml, head, told);
    }
    xml.push_str("</feed>\n");
    xml
}

fn entry(xml: &mut String, head: &Head, told: &Told) {
    let change = told.change.map_or(0, |change| change.0);
    let id = text(&format!("{}:watch:{}:change:{change}:{}", head.id, told.watch.0, told.at));
    let link = text(told.link.as_ref().unwrap_or(&told.url).as_str());
    let title = text(&format!("{}: {}", told.name, told.said));
    let _ = write!(
        xml,
        "<entry>\n<title>{title}</title>\n<id>{id}</id>\n<updated>{}</updated>\n<link href=\"{link}\"/>\n<content type=\"html\">{}</content>\n</entry>\n",
        told.at,
        text(&html(told)),
    );
}

/// The changes as HTML that feed readers keep.
fn html(told: &Told) -> String {
    let (mut html, mut place) = (String::new(), None);
    for passage in &told.passages {
        let path = passage.path();
        if !path.is_empty() && place.as_ref() != Some(&path) {
            let _ = write!(html, "<p><small>{}</small></p>", text(&path));
        }
        place = Some(path);
        let _ = write!(html, "<p>{}</p>", paragraph(passage));
    }
    if told.more > 0 {
        let _ = write!(html, "<p>… {} more</p>", told.more);
    }
    html
}

fn paragraph(passage: &Passage) -> String {
    let words: String = passage.spans.iter().map(stretch).collect();
    match passage.kind {
        ChangeKind::Added => format!("<ins>{words}</ins>"),
        ChangeKind::Removed => format!("<del>{words}</del>"),
        ChangeKind::Changed => words,
        ChangeKind::Moved => format!("{words} <small>(moved)</small>"),
    }
}

fn stretch(stretch: &Stretch) -> String {
    let words = text(&stretch.text);
    let words = if stretch.of_interest { format!("<b>{words}</b>") } else { words };
    match stretch.kind {
        SpanKind::Same => words,
        SpanKind::Removed => format!("<del>{words}</del>"),
        SpanKind::Added => format!("<ins>{words}</ins>"),
    }
}

/// Text for XML and HTML alike; what XML cannot hold is left out.
fn text(plain: &str) -> String {
    let mut safe = String::with_capacity(plain.len());
    for character in plain.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' => safe.push(character),
            '\u{fffe}' | '\u{ffff}' => {}
            control if control.is_control() => {}
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::Kind;
    use crate::watch::WatchId;
    use tidemark_core::feed::Feed;

    fn told(name: &str, words: &str) -> Told {
        Told {
            watch: WatchId(3),
            name: name.to_owned(),
            url: "https://shop.test/?a=1&b=2".parse().unwrap(),
            kind: Kind::Change,
            at: "2026-03-01T10:00:00Z".parse().unwrap(),
            said: "1 changed".to_owned(),
            change: Some(crate::record::ChangeId(7)),
            versions: Some((1, 2)),
            severity: 0.5,
            interest: 0.0,
            passages: vec![Passage::plain(ChangeKind::Added, words)],
            more: 0,
            link: None,
        }
    }

    #[test]
    fn a_feed_reader_reads_it_back_whatever_a_page_says() {
        let head = Head { title: "Prices".to_owned(), id: "urn:uuid:1".to_owned() };
        let hostile = "</content></entry><script>alert(1)</script> ]]> &amp; \u{0} \u{ffff}";
        let xml = feed(&head, &[told("<b>Kettles</b>", hostile), told("x", "plain")]);
        let feed = Feed::read(xml.as_bytes(), &tidemark_core::page::Reading::default()).unwrap();
        assert_eq!(feed.items.len(), 2);
        assert_eq!(feed.items[0].link.as_deref(), Some("https://shop.test/?a=1&b=2"));
        assert!(feed.items[0].title.text.contains("<b>Kettles</b>"), "{:?}", feed.items[0].title);
        assert!(!xml.contains("<script"));
    }
}
