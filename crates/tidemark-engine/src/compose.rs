//! Puts a notice into words: from the passages that were kept with its verdicts, and only from them.

use crate::channel::Kind;
use crate::message::{Message, Told};
use crate::notice::{ClaimedNotice, Item, What};
use crate::request::host_of;
use crate::store::ChangeLine;
use crate::template;
use crate::watch::Watch;
use std::collections::BTreeSet;
use tidemark_core::render::text::clean;
use url::Url;

/// Most things that one message lists, and the most characters of its subject and of a name.
const MOST: usize = 50;
const SUBJECT: usize = 200;
const NAME: usize = 80;

/// The message of a notice; none if nothing is left to tell, as the watches it was for are gone. `base` is where changes are shown.
pub fn compose(notice: &ClaimedNotice, base: Option<&Url>) -> Option<Message> {
    let mut items: Vec<Told> = notice.items.iter().map(|item| told(item, base)).collect();
    if items.is_empty() {
        return None;
    }
    let subject = subject(&items);
    let all = items.len();
    items.truncate(MOST);
    let channel = &notice.channel;
    let message = Message {
        key: notice.key.clone(),
        made: notice.made,
        subject,
        text: None,
        more: all - items.len(),
        thread: thread(notice, &items),
        items,
        stop: format!("To end these messages: tidemark notify remove {}", channel.id.0),
        via: channel.id,
        channel: channel.terms.name.clone().unwrap_or_else(|| format!("channel {}", channel.id.0)),
    };
    Some(template::applied(message, channel.terms.template.as_ref()))
}

/// A change in words, as one watch sees it.
pub fn told_of_change(watch: &Watch, change: &ChangeLine, base: Option<&Url>) -> Told {
    let item = Item {
        watch: watch.clone(),
        kind: Kind::of_change(&change.summary),
        at: change.at,
        what: What::Change {
            id: change.id,
            old: change.old,
            new: change.new,
            summary: change.summary.clone(),
            verdict: change.verdict.clone(),
        },
    };
    told(&item, base)
}

fn told(item: &Item, base: Option<&Url>) -> Told {
    let watch = &item.watch;
    let mut told = Told {
        watch: watch.id,
        name: name(item),
        url: watch.url.clone(),
        kind: item.kind,
        at: item.at,
        said: String::new(),
        change: None,
        versions: None,
        severity: 1.0,
        interest: 0.0,
        passages: Vec::new(),
        more: 0,
        link: None,
    };
    match &item.what {
        What::Event(detail) => {
            let said = detail.get("said").and_then(serde_json::Value::as_str);
            told.said = line(said.unwrap_or(item.kind.name()), SUBJECT);
        }
        What::Change { id, old, new, verdict, .. } => {
            // What was told is the first reason; a second look adds another one.
            told.said = line(verdict.reasons.first().map_or("changed", String::as_str), SUBJECT);
            told.change = Some(*id);
            told.versions = Some((*old, *new));
            (told.severity, told.interest) = (verdict.severity, verdict.interest);
            told.passages.clone_from(&verdict.passages);
            told.more = verdict.more as usize;
            let place = format!("changes/{}?watch={}", id.0, watch.id.0);
            told.link = base.and_then(|base| base.join(&place).ok());
        }
    }
    told
}

/// What the reader calls the watch, or else the title of the page, or else its address.
fn name(item: &Item) -> String {
    let title = match &item.what {
        What::Change { summary, .. } => summary.get("title").and_then(serde_json::Value::as_str),
        What::Event(_) => None,
    };
    let title = title.map(str::trim).filter(|title| !title.is_empty());
    let url = &item.watch.url;
    let address = || format!("{}{}", host_of(url), url.path().trim_end_matches('/'));
    line(&item.watch.wish.name.clone().or_else(|| title.map(str::to_owned)).unwrap_or_else(address), NAME)
}

fn subject(items: &[Told]) -> String {
    let Some(first) = items.first() else { return String::new() };
    let pages: BTreeSet<&Url> = items.iter().map(|told| &told.url).collect();
    let same = items.iter().all(|told| told.kind == first.kind);
    let text = match (first.kind, pages.len()) {
        (kind, 1) if same => one(kind, first),
        (Kind::Change, pages) if same => format!("{} changes on {pages} pages", items.len()),
        (kind, pages) if same => format!("{pages} pages {}{}", state(kind), site(&pages_of(items))),
        (_, 1) => format!("{}: {} things happened", first.name, items.len()),
        (_, pages) => format!("{} things happened on {pages} pages", items.len()),
    };
    line(&text, SUBJECT)
}

fn one(kind: Kind, told: &Told) -> String {
    match kind {
        Kind::Redesigned => format!("{} has another design", told.name),
        Kind::Well => format!("{} is there again", told.name),
        Kind::Change | Kind::Unwell | Kind::ZoneLost | Kind::ZoneFound => {
            format!("{}: {}", told.name, told.said)
        }
    }
}

const fn state(kind: Kind) -> &'static str {
    match kind {
        Kind::Change => "changed",
        Kind::Redesigned => "have another design",
        Kind::Unwell => "cannot be looked at",
        Kind::Well => "are there again",
        Kind::ZoneLost => "lost the part that is watched",
        Kind::ZoneFound => "have the part that is watched again",
    }
}

fn pages_of(items: &[Told]) -> BTreeSet<String> {
    items.iter().map(|told| host_of(&told.url)).collect()
}

fn site(hosts: &BTreeSet<String>) -> String {
    match hosts.first() {
        Some(host) if hosts.len() == 1 => format!(" on {host}"),
        _ => String::new(),
    }
}

/// What belongs together in a reader's mail: the story of one watch, of one site, or all that a channel gathers.
fn thread(notice: &ClaimedNotice, items: &[Told]) -> String {
    // Keys begin with a name of this database: another one has watches of the same numbers.
    let ours = notice.key.split('-').next().unwrap_or_default();
    format!("{ours}-{}", story(notice, items))
}

fn story(notice: &ClaimedNotice, items: &[Told]) -> String {
    let watches: BTreeSet<_> = items.iter().map(|told| told.watch).collect();
    match watches.first() {
        Some(watch) if watches.len() == 1 => format!("watch-{}", watch.0),
        _ if notice.slot.starts_with("page ") => {
            format!("page-{}", notice.items.first().map_or(0, |item| item.watch.page.0))
        }
        _ => format!("channel-{}-{}", notice.channel.id.0, notice.slot.replace(' ', "-")),
    }
}

/// One line of plain text, not too long.
fn line(text: &str, most: usize) -> String {
    let even = clean(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    match even.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", even[..end].trim_end()),
        None => even,
    }
}
