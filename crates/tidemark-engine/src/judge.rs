//! What a change is to one watch: worth telling, held back, or to be looked at once more. Every step that decides says why.
//!
//! The order is that of cost and of weight: the zone, what a reader sees, restless places, entries, what went back, interests, the threshold.
//! Held back is never dropped: the change is kept with its script, and the reasons with it.

use crate::pair::Pair;
use crate::record::{Standing, Verdict};
use crate::restless::Restless;
use crate::tell::{self, Told};
use crate::watch::Wish;
use tidemark_core::page::zone::{Located, Outcome};
use tidemark_core::profile::Matcher;

/// All that a judgement may look at.
pub struct Case<'a> {
    /// The two versions.
    pub pair: &'a Pair,
    /// Places that change at nearly every visit.
    pub restless: &'a Restless,
    /// The number of this look.
    pub look: u64,
    /// Whether the page went back and forth of late.
    pub flapping: bool,
    /// Whether a second look is made before a change of this page is told.
    pub confirm: bool,
}

/// A verdict, and whether the zones of the watch were found.
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether there is a zone on the new page, or none was asked for.
    pub zones_found: bool,
}

impl Case<'_> {
    /// What the change is to a watch.
    pub fn judge(&self, wish: &Wish, matcher: &Matcher) -> Judgement {
        let parts =
            wish.has_zones().then(|| [&self.pair.old, &self.pair.new].map(|page| wish.zones.locate(page)));
        let zones_found = parts.as_ref().is_none_or(|[_, new]| is_found(wish, new));
        let told = tell::told(self.pair, parts.as_ref(), matcher, |change| {
            !wish.has_zones() && self.restless.is_restless(&self.pair.new, change, self.look)
        });
        let mut reasons = Vec::new();
        let standing = self.stand(wish, &told, zones_found, &mut reasons);
        let severity = told.severity(self.pair, parts.as_ref(), wish.weights);
        let standing = match standing {
            Standing::Told if severity < wish.threshold => {
                reasons.push(format!("its severity {severity:.3} is below the threshold {}", wish.threshold));
                Standing::Held
            }
            Standing::Told if self.confirm => {
                reasons.push("the page goes to and fro: a second look will tell whether it stays".to_owned());
                Standing::Waiting
            }
            other => other,
        };
        let held = told.held() as u32;
        let verdict = Verdict {
            standing,
            reasons,
            severity,
            interest: told.interest(),
            told: told.count() as u32,
            held,
            more: told.more(),
            passages: told.passages,
        };
        Judgement { verdict, zones_found }
    }

    fn stand(&self, wish: &Wish, told: &Told, zones_found: bool, reasons: &mut Vec<String>) -> Standing {
        let mut hold = |reason: String| {
            reasons.push(reason);
            Standing::Held
        };
        if !zones_found && told.is_empty() {
            return hold("no zone of the watch is on the page".to_owned());
        }
        if told.is_empty() {
            return hold("nothing changed where the watch looks".to_owned());
        }
        if told.count() == 0 {
            return hold(told.why_nothing());
        }
        if self.pair.went_back && self.flapping {
            return hold("it went back to what it was before, as it does now and then".to_owned());
        }
        if wish.only_interests && told.interest() <= 0.0 {
            return hold("nothing of interest is in it".to_owned());
        }
        let mut reason = told.summary();
        if self.pair.went_back {
            reason.push_str("; it went back to what it was before");
        }
        reasons.push(reason);
        Standing::Told
    }
}

fn is_found(wish: &Wish, part: &Located) -> bool {
    let found = |outcome: &Outcome| matches!(outcome, Outcome::Found { .. } | Outcome::Reanchored { .. });
    wish.zones.include.is_empty() || part.included.iter().any(found)
}
