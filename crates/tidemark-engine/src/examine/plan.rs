//! When to visit a page next: the earliest that any of its watches asks for.

use super::draft::Draft;
use crate::fetch::RetryAfter;
use crate::record::Record;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tidemark_core::revisit::{Bounds, Demand, Outlook, Rate, Revisit, Why};

/// No host may ask for a longer pause than this between two visits.
const LONGEST_DELAY: Duration = Duration::from_mins(10);

impl Draft<'_> {
    /// The record, with the next visit.
    pub(super) fn finish(mut self) -> Record {
        self.rest_the_host();
        if self.sight.claimed.page.entry_of.is_some() && self.sight.claimed.watches.is_empty() {
            "an entry of a feed is visited once".clone_into(&mut self.record.why);
            return self.record;
        }
        let next = self.next();
        self.record.due = Some(next.at);
        self.record.why = said(next, self.sight.at);
        self.record.demand = Some(self.demand().to_bits().cast_signed());
        self.record
    }

    /// How long the page would be left alone by the law.
    pub(super) fn interval(&self) -> Duration {
        self.demand().interval(self.terms.price)
    }

    fn next(&self) -> Revisit {
        let rate = self.record.state.rate.unwrap_or_default();
        let bounds =
            self.sight.claimed.watches.iter().map(|watch| (watch.wish.bounds, watch.wish.hours.as_ref()));
        let outlooks = bounds.map(|(bounds, hours)| {
            let bounds = bounds.unwrap_or(self.terms.bounds);
            Outlook {
                importance: self.importance(),
                hours,
                confirm: self.confirm,
                failures: self.record.state.failures,
                retry_after: self.retry_after(),
                jitter: self.terms.jitter,
                ..Outlook::new(self.sight.at, &rate, self.terms.price, &bounds)
            }
            .next()
        });
        let none = Revisit { at: self.sight.at + SignedDuration::from_hours(24), why: Why::Most };
        outlooks.min_by_key(|revisit| revisit.at).unwrap_or(none)
    }

    fn demand(&self) -> Demand {
        let rate = self.record.state.rate.unwrap_or_default();
        let bounds =
            self.sight.claimed.watches.iter().map(|watch| watch.wish.bounds.unwrap_or(self.terms.bounds));
        let bounds = bounds
            .reduce(|one, other| Bounds::new(one.least().min(other.least()), one.most().min(other.most())));
        Demand::new(&rate as &Rate, self.importance(), &bounds.unwrap_or(self.terms.bounds))
    }

    /// All readers of a page together.
    fn importance(&self) -> f64 {
        self.sight.claimed.watches.iter().map(|watch| watch.wish.importance).sum::<f64>().max(0.01)
    }

    fn retry_after(&self) -> Option<Duration> {
        let now = self.sight.at;
        self.sight.answer.retry_after.map(|retry| match retry {
            RetryAfter::In(wait) => wait,
            RetryAfter::At(at) => Duration::try_from(at.duration_since(now)).unwrap_or_default(),
        })
    }

    /// What the host asks for, for all of its pages.
    fn rest_the_host(&mut self) {
        let asks = self.sight.answer.crawl_delay.map(|delay| delay.min(LONGEST_DELAY));
        if asks != self.sight.claimed.host.crawl_delay && self.sight.claimed.page.request.robots {
            let mut host = self.record.host.clone().unwrap_or_else(|| self.sight.claimed.host.clone());
            host.crawl_delay = asks;
            self.record.host = Some(host);
        }
        // 429 and 503 speak for the host; with any other status the wish is about the page.
        let busy = matches!(self.record.visit.status, Some(429 | 503));
        let rest = self.retry_after().filter(|_| busy).map(|wait| wait.min(Duration::from_hours(24)));
        self.record.host_rests_until = rest.and_then(|wait| later(self.sight.at, wait));
    }
}

fn later(at: Timestamp, wait: Duration) -> Option<Timestamp> {
    at.checked_add(SignedDuration::try_from(wait).ok()?).ok()
}

/// When next and why, in words.
fn said(next: Revisit, now: Timestamp) -> String {
    let why = match next.why {
        Why::Law => "as often as it changes, within the budget",
        Why::Probe => "an early look, to learn how often it changes",
        Why::Hint => "a hint",
        Why::Least => "the shortest interval allowed",
        Why::Most => "the longest interval allowed",
        Why::Confirm => "a second look",
        Why::BackOff => "it failed; later each time",
        Why::Gone => "it seems to be gone",
        Why::RetryAfter => "the server asks for it",
        Why::Host => "the host is to be left alone until then",
        Why::Hours => "outside the active hours",
    };
    let seconds = next.at.duration_since(now).as_secs();
    format!("next in {}: {why}", crate::span::short(Duration::from_secs(seconds.unsigned_abs())))
}
