//! A channel: where a reader is told, of what, and when.

mod rhythm;

pub use rhythm::{Clock, Rhythm, RhythmError};

use crate::record::EventKind;
use crate::secret::Sealed;
use crate::watch::{Watch, WatchId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tidemark_core::revisit::Hours;

/// Pages of one site that fall ill, or are redesigned, within this time are one notice.
const STORM: SignedDuration = SignedDuration::from_mins(2);
/// And the next such notice of the site comes so much later at the earliest.
const CALM: SignedDuration = SignedDuration::from_hours(1);

/// Names a channel; small numbers that a person can type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChannelId(pub i64);

/// Where a reader is told, of what, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Channel {
    /// Its name.
    pub id: ChannelId,
    /// What is wished of it.
    pub terms: ChannelTerms,
    /// Where to: an address such as `mailto:…`, sealed, for it may hold a token.
    #[serde(skip)]
    pub target: Option<Sealed>,
    /// The address as it may be shown.
    pub shown: String,
    /// Since when.
    pub added: Timestamp,
    /// What is known of its deliveries.
    pub state: ChannelState,
}

/// What is known of the deliveries of a channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChannelState {
    /// Tries in a row that failed.
    pub failures: u32,
    /// Nothing is sent before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rests_until: Option<Timestamp>,
    /// What went wrong last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// When something was last delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered: Option<Timestamp>,
}

/// A channel to be.
#[derive(Clone, Debug, PartialEq)]
pub struct NewChannel {
    /// What is wished of it.
    pub terms: ChannelTerms,
    /// Where to.
    pub target: Sealed,
    /// The address as it may be shown.
    pub shown: String,
}

/// What is told on a channel, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChannelTerms {
    /// What the reader calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whose it is; empty for the only reader there is. It tells of that reader's watches.
    pub reader: String,
    /// Only of these watches, where there are any.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub watches: BTreeSet<WatchId>,
    /// Only of watches with one of these tags, where there are any.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub tags: BTreeSet<String>,
    /// Only of these kinds, where there are any.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub kinds: BTreeSet<Kind>,
    /// Only changes of at least this severity, from 0 to 1.
    pub severity: f64,
    /// Only changes that speak of an interest of the reader.
    pub only_interests: bool,
    /// At once or gathered.
    pub rhythm: Rhythm,
    /// What is gathered in one message.
    pub gather: Gather,
    /// Times in which nothing is sent; it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<Hours>,
    /// Texts of the reader's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
    /// Whether it rests: nothing new is stored for it.
    pub paused: bool,
}

/// Texts of a reader's own for notices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// One line; the usual one if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The text; the usual one if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// What a notice tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A change of a page.
    Change,
    /// The page has another design.
    Redesigned,
    /// It cannot be looked at any more: gone, walled off, unreachable.
    Unwell,
    /// It can again.
    Well,
    /// A zone of the watch is lost.
    ZoneLost,
    /// It is found again.
    ZoneFound,
}

/// What is gathered in one message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gather {
    /// All that the reader is told.
    #[default]
    Reader,
    /// What belongs to one tag.
    Tag,
    /// What belongs to one watch.
    Watch,
}

/// Something that can be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Tiding<'a> {
    /// The watch it is told for.
    pub watch: &'a Watch,
    /// What it is.
    pub kind: Kind,
    /// How much of what the watch looks at changed; 1 for events.
    pub severity: f64,
    /// How much it is of interest.
    pub interest: f64,
    /// When it was found.
    pub at: Timestamp,
}

/// Which notice something joins, and when that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// What joins the same open notice has the same text here.
    pub key: String,
    /// When it is sent, at the earliest.
    pub due: Timestamp,
    /// And so long after the last one of the same text.
    pub pause: Option<SignedDuration>,
}

impl Channel {
    /// The notice that something joins; none if the channel does not tell of it.
    pub fn slot(&self, tiding: &Tiding<'_>) -> Option<Slot> {
        self.terms.takes(tiding).then(|| self.terms.place(tiding))
    }
}

impl ChannelTerms {
    fn takes(&self, tiding: &Tiding<'_>) -> bool {
        let (watch, wish) = (tiding.watch, &tiding.watch.wish);
        let is_change = matches!(tiding.kind, Kind::Change | Kind::Redesigned);
        !self.paused
            && self.reader == wish.reader
            && (self.watches.is_empty() || self.watches.contains(&watch.id))
            && (self.tags.is_empty() || !self.tags.is_disjoint(&wish.tags))
            && (self.kinds.is_empty() || self.kinds.contains(&tiding.kind))
            && (!is_change || tiding.severity >= self.severity)
            && (!is_change || !self.only_interests || tiding.interest > 0.0)
    }

    fn place(&self, tiding: &Tiding<'_>) -> Slot {
        let slot = match self.rhythm.next(tiding.at) {
            Some(due) => Slot { key: self.group(tiding), due, pause: None },
            None => at_once(tiding),
        };
        let due = self.quiet.as_ref().map_or(slot.due, |quiet| quiet.next_closed(slot.due));
        Slot { due, ..slot }
    }

    fn group(&self, tiding: &Tiding<'_>) -> String {
        match self.gather {
            Gather::Reader => "all".to_owned(),
            Gather::Watch => format!("watch {}", tiding.watch.id.0),
            Gather::Tag => {
                let ours = |tag: &&String| self.tags.is_empty() || self.tags.contains(*tag);
                let tag = tiding.watch.wish.tags.iter().find(ours);
                tag.map_or_else(|| "no tag".to_owned(), |tag| format!("tag {tag}"))
            }
        }
    }
}

/// A change is told by itself, together for all watches of a page; what befalls a whole site is told once.
fn at_once(tiding: &Tiding<'_>) -> Slot {
    match tiding.kind {
        Kind::Change | Kind::ZoneLost | Kind::ZoneFound => {
            Slot { key: format!("page {} {}", tiding.watch.page.0, tiding.at), due: tiding.at, pause: None }
        }
        Kind::Redesigned | Kind::Unwell | Kind::Well => Slot {
            key: format!("{} {}", tiding.kind.name(), crate::request::host_of(&tiding.watch.url)),
            due: tiding.at.checked_add(STORM).unwrap_or(tiding.at),
            pause: Some(CALM),
        },
    }
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Change, Self::Redesigned, Self::Unwell, Self::Well, Self::ZoneLost, Self::ZoneFound];

    /// The word for it, as it is written in settings and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Redesigned => "redesigned",
            Self::Unwell => "unwell",
            Self::Well => "well",
            Self::ZoneLost => "zone-lost",
            Self::ZoneFound => "zone-found",
        }
    }

    /// The kind of a change, by what is shown of it in a list.
    pub fn of_change(summary: &serde_json::Value) -> Self {
        let redesign = summary.get("kind").and_then(serde_json::Value::as_str) == Some("redesign");
        if redesign { Self::Redesigned } else { Self::Change }
    }

    /// The inverse of its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == text)
    }
}

impl From<EventKind> for Kind {
    fn from(kind: EventKind) -> Self {
        match kind {
            EventKind::Unwell => Self::Unwell,
            EventKind::Well => Self::Well,
            EventKind::Redesigned => Self::Redesigned,
            EventKind::ZoneLost => Self::ZoneLost,
            EventKind::ZoneFound => Self::ZoneFound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::PageId;
    use crate::watch::Wish;

    fn watch(tags: &[&str]) -> Watch {
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        Watch {
            id: WatchId(7),
            page: PageId(3),
            url: "https://example.org/a".parse().unwrap(),
            wish: Wish { tags, ..Wish::default() },
            paused: false,
            added: Timestamp::UNIX_EPOCH,
        }
    }

    fn slot(terms: &ChannelTerms, kind: Kind, watch: &Watch, at: &str) -> Option<Slot> {
        let at = at.parse().unwrap();
        let tiding = Tiding { watch, kind, severity: 0.3, interest: 0.0, at };
        terms.takes(&tiding).then(|| terms.place(&tiding))
    }

    fn due(terms: &ChannelTerms, at: &str) -> String {
        slot(terms, Kind::Change, &watch(&[]), at).unwrap().due.to_string()
    }

    #[test]
    fn nothing_is_sent_in_quiet_hours() {
        let quiet = Some("Mon-Sun 22:00-07:00; Sun 06:00-10:00 UTC".parse().unwrap());
        let terms = ChannelTerms { quiet, ..ChannelTerms::default() };
        assert_eq!(due(&terms, "2026-03-02T21:59:59Z"), "2026-03-02T21:59:59Z");
        assert_eq!(due(&terms, "2026-03-02T22:00:00Z"), "2026-03-03T07:00:00Z");
        assert_eq!(due(&terms, "2026-03-03T03:00:00Z"), "2026-03-03T07:00:00Z");
        // The night before a Sunday goes over into its morning.
        assert_eq!(due(&terms, "2026-02-28T23:00:00Z"), "2026-03-01T10:00:00Z");
        let gathered = ChannelTerms { rhythm: "hourly".parse().unwrap(), ..terms };
        assert_eq!(due(&gathered, "2026-03-02T21:30:00Z"), "2026-03-03T07:00:00Z");
    }

    #[test]
    fn quiet_hours_that_never_end_put_off_and_do_not_lose() {
        let quiet = Some("Mon-Sun 00:00-13:00; Mon-Sun 12:00-01:00 UTC".parse().unwrap());
        let terms = ChannelTerms { quiet, ..ChannelTerms::default() };
        let due: Timestamp = due(&terms, "2026-03-02T12:00:00Z").parse().unwrap();
        assert!(
            due > "2026-03-08T00:00:00Z".parse().unwrap() && due < "2026-03-12T00:00:00Z".parse().unwrap()
        );
    }

    #[test]
    fn what_is_gathered_together_has_one_slot() {
        let at = "2026-03-02T12:00:00Z";
        let hourly =
            |gather| ChannelTerms { rhythm: "hourly".parse().unwrap(), gather, ..ChannelTerms::default() };
        let key =
            |terms: ChannelTerms, tags: &[&str]| slot(&terms, Kind::Unwell, &watch(tags), at).unwrap().key;
        assert_eq!(key(hourly(Gather::Reader), &["shop"]), "all");
        assert_eq!(key(hourly(Gather::Watch), &["shop"]), "watch 7");
        assert_eq!(key(hourly(Gather::Tag), &["news", "shop"]), "tag news");
        assert_eq!(key(hourly(Gather::Tag), &[]), "no tag");
        let only_shop = ChannelTerms { tags: ["shop".to_owned()].into(), ..hourly(Gather::Tag) };
        assert_eq!(key(only_shop.clone(), &["news", "shop"]), "tag shop");
        assert_eq!(slot(&only_shop, Kind::Change, &watch(&["news"]), at), None);
        assert_eq!(key(ChannelTerms::default(), &[]), "unwell example.org");
    }

    #[test]
    fn thresholds_are_for_changes() {
        let at = "2026-03-02T12:00:00Z";
        let terms = ChannelTerms { severity: 0.5, only_interests: true, ..ChannelTerms::default() };
        assert_eq!(slot(&terms, Kind::Change, &watch(&[]), at), None);
        assert!(slot(&terms, Kind::Unwell, &watch(&[]), at).is_some(), "a page that is gone is always told");
        let kinds = ChannelTerms { kinds: [Kind::Well].into(), ..terms };
        assert_eq!(slot(&kinds, Kind::Unwell, &watch(&[]), at), None);
        let other = ChannelTerms { reader: "bob".to_owned(), ..ChannelTerms::default() };
        assert_eq!(slot(&other, Kind::Change, &watch(&[]), at), None);
    }
}
