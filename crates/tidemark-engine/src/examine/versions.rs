//! A version that is new: the first, the same page in other bytes, or another page.

use super::draft::Draft;
use super::picture;
use crate::content::{Content, ContentKind};
use crate::fetch::Fetched;
use crate::judge::Case;
use crate::memory::Memory;
use crate::page::{Snapshot, Track};
use crate::pair::{Pair, Raw};
use crate::passage::{ChangeKind, Passage};
use crate::record::{EventKind, NewChange, Standing, Verdict, VisitResult};
use crate::request::Request;
use crate::watch::WatchId;
use serde_json::json;
use std::collections::BTreeSet;
use tidemark_core::digest::{Facet, PageDigest};
use tidemark_core::feed::Feed;
use tidemark_core::render::Change;
use tidemark_core::revisit::confirm;

/// A page that went back within so many looks goes to and fro.
const FLAPPING: u64 = 24;
/// New entries of a feed that are looked at, per visit.
const MOST_ENTRIES: usize = 3;

impl Draft<'_> {
    /// The first version.
    pub(super) fn first(&mut self, content: &Content, fetched: &Fetched) {
        self.record.visit.result = VisitResult::First;
        self.picture(fetched, content.digest.as_deref(), &[]);
        self.enter_stream(content);
        self.log(format!("the first version: a {} of {} bytes", content.kind.name(), fetched.body.len()));
        self.record.memory =
            content.digest.as_deref().and_then(|digest| Memory::recall(None, Some(digest)).pack());
        let watches = &self.sight.claimed.watches;
        let lost = |watch: &&crate::watch::Watch| {
            let zones = &watch.wish.zones;
            let found =
                content.digest.as_ref().is_some_and(|digest| !zones.locate(digest).regions.is_empty());
            !zones.include.is_empty() && !found
        };
        let lost: Vec<WatchId> = watches.iter().filter(lost).map(|watch| watch.id).collect();
        self.zones(&lost);
        if let Some(feed) = content.feed(&fetched.body, fetched.content_type.as_deref()) {
            self.follow(&feed, 0..feed.items.len());
        }
        self.seen(false, None);
    }

    /// Another version.
    pub(super) fn compare(&mut self, track: &Track, old: &Content, new: &Content, fetched: &Fetched) {
        let Some(snapshot) = &track.baseline else { return };
        match Pair::compare(old, new) {
            Some(pair) => self.changed(track, pair, [old, new], snapshot, fetched),
            None if old.digest.is_some() && new.digest.is_some() => {
                self.record.visit.result = VisitResult::Respelled;
                self.log("other bytes, the same page");
                self.picture(fetched, new.digest.as_deref(), &[]);
                self.settle_waiting(Standing::Told, "still there at the second look");
                self.seen(false, None);
            }
            None => self.other_file(snapshot.body.len(), fetched.body.len()),
        }
    }

    fn changed(
        &mut self,
        track: &Track,
        mut pair: Pair,
        contents: [&Content; 2],
        snapshot: &Snapshot,
        fetched: &Fetched,
    ) {
        self.record.visit.result = VisitResult::Changed;
        self.picture(fetched, Some(&pair.new), &pair.changes.changes);
        // Other words in the same elements say nothing about the template.
        if pair.facets.contains(Facet::Structure) || pair.facets.contains(Facet::Tags) {
            self.enter_stream(contents[1]);
        }
        if contents[1].kind == ContentKind::Feed {
            let raw = [
                Raw { body: &snapshot.body, content_type: snapshot.content_type.as_deref() },
                Raw { body: &fetched.body, content_type: fetched.content_type.as_deref() },
            ];
            pair = pair.with_entries(contents, raw);
        }
        let look = self.record.state.looks + 1;
        let mut memory = Memory::recall(track.memory.as_deref(), contents[0].digest.as_deref());
        pair.remember(&mut memory, look);
        self.record.memory = memory.pack();
        let verdicts = self.judge(&pair, &memory, look);

        let worth = verdicts.iter().any(|(_, verdict)| verdict.standing != Standing::Held);
        self.note_entries(&pair);
        self.note_redesign(&pair);
        self.count_flip(&pair, look);
        let entries = pair.feed.as_ref().map(|entries| entries.diff.added.len() as u32);
        self.seen(worth, entries);
        let title = pair.new.tagged("title").next().map(|title| pair.new.visible_text(title));
        let summary = json!({
            "kind": if pair.redesign.is_some() { "redesign" } else { contents[1].kind.name() },
            "title": title.map(|title| title.chars().take(200).collect::<String>()),
            "edits": pair.difference.script.len(),
            "exact": pair.difference.exact,
        });
        self.record.change = Some(NewChange { script: pair.script(), summary, verdicts });
    }

    /// How the new version looks, with where it changed for a reader.
    fn picture(&mut self, fetched: &Fetched, page: Option<&PageDigest>, changes: &[Change]) {
        if let (Some(picture), Some(page)) = (&fetched.picture, page) {
            let seen = changes.iter().filter(|change| change.seen);
            self.record.picture = Some(picture::kept(picture, page, seen));
        }
    }

    /// A file that can only be compared by hash.
    fn other_file(&mut self, old: usize, new: usize) {
        self.record.visit.result = VisitResult::Changed;
        let line = format!("the file changed: {old} bytes before, {new} bytes now");
        self.log(line.clone());
        let verdict = Verdict {
            standing: Standing::Told,
            reasons: vec!["files like this are compared by hash".to_owned()],
            severity: 1.0,
            interest: 0.0,
            told: 1,
            held: 0,
            passages: vec![Passage::plain(ChangeKind::Changed, &line)],
            more: 0,
        };
        let verdicts = self.sight.claimed.watches.iter().map(|watch| (watch.id, verdict.clone())).collect();
        let summary = json!({ "kind": "file", "old": old, "new": new });
        self.settle_waiting(Standing::Told, "it changed further");
        self.seen(true, None);
        self.record.change = Some(NewChange { script: Vec::new(), summary, verdicts });
    }

    /// What becomes of a change that waited for this look.
    fn settle(&mut self, pair: &Pair) {
        if pair.went_back {
            self.settle_waiting(Standing::Held, "gone again at the second look");
        } else {
            self.settle_waiting(Standing::Told, "still changed at the second look");
        }
    }

    fn judge(&mut self, pair: &Pair, memory: &Memory, look: u64) -> Vec<(WatchId, Verdict)> {
        let state = &self.record.state;
        let flapping = state.last_flip.is_some_and(|flip| look - flip.min(look) <= FLAPPING);
        let second = state.waiting.is_some();
        let delay =
            confirm(state.flips, state.changes, self.interval()).filter(|_| !second && !pair.went_back);
        let case = Case { pair, restless: &memory.restless, look, flapping, confirm: delay.is_some() };
        let mut verdicts = Vec::new();
        let mut lost = Vec::new();
        self.settle(pair);
        for watch in &self.sight.claimed.watches {
            let judgement = case.judge(&watch.wish, &(self.terms.interests)(&watch.wish.interests));
            if !judgement.zones_found {
                lost.push(watch.id);
            }
            verdicts.push((watch.id, judgement.verdict));
        }
        self.zones(&lost);
        for (watch, verdict) in &verdicts {
            let decided = verdict.reasons.last().map_or("", String::as_str);
            self.log(format!("watch {}: {}: {decided}", watch.0, verdict.standing.name()));
        }
        if verdicts.iter().any(|(_, verdict)| verdict.standing == Standing::Waiting) {
            self.confirm = delay;
            self.record.state.waiting = self.record.visit.version;
        }
        verdicts
    }

    /// Events for zones that are lost or found again.
    fn zones(&mut self, lost: &[WatchId]) {
        let before: BTreeSet<WatchId> = self.record.state.lost_zones.iter().copied().collect();
        let now: BTreeSet<WatchId> = lost.iter().copied().collect();
        for watch in now.difference(&before) {
            self.event(
                EventKind::ZoneLost,
                json!({ "watch": watch, "said": "no zone of the watch is on the page" }),
            );
        }
        for watch in before.difference(&now) {
            self.event(
                EventKind::ZoneFound,
                json!({ "watch": watch, "said": "a zone of the watch is on the page again" }),
            );
        }
        self.record.state.lost_zones = lost.to_vec();
    }

    fn note_entries(&mut self, pair: &Pair) {
        if let Some(entries) = &pair.feed {
            self.follow(&entries.new, entries.diff.added.iter().copied());
        }
    }

    fn note_redesign(&mut self, pair: &Pair) {
        if let Some(content) = &pair.redesign {
            let tally = content.tally();
            let said = "the page has another design";
            self.log(said);
            let detail = json!({ "said": said, "words_kept": tally.unchanged, "words_gone": tally.removed, "words_new": tally.added });
            self.event(EventKind::Redesigned, detail);
        }
    }

    fn count_flip(&mut self, pair: &Pair, look: u64) {
        let state = &mut self.record.state;
        state.changes = state.changes.saturating_add(1);
        if pair.went_back {
            state.flips = state.flips.saturating_add(1);
            state.last_flip = Some(look);
        }
    }

    /// New entries are looked at once, for the stream of the feed.
    fn follow(&mut self, feed: &Feed, places: impl IntoIterator<Item = usize>) {
        let page = &self.sight.claimed.page;
        if !self.terms.follow_entries || page.entry_of.is_some() {
            return;
        }
        let links = places.into_iter().filter_map(|at| feed.items.get(at)?.link.as_deref());
        let urls = links.filter_map(|link| page.request.url.join(link).ok());
        let requests = urls.filter_map(|url| Request::get(url.as_str()).ok());
        self.record.entries.extend(requests.take(MOST_ENTRIES));
    }
}

impl Standing {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Told => "told",
            Self::Held => "held back",
            Self::Waiting => "waits for a second look",
        }
    }
}
