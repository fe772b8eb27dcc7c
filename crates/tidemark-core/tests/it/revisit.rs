//! When to look again: estimators against simulated pages, the law against its budget, and nothing that any number could break.

use core::time::Duration;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use tidemark_core::revisit::{
    Answer, Bounds, Category, Demand, Demands, Failures, Hours, Outlook, Price, Rate, Trust, Why, confirm,
    from_even_gaps,
};

const DAY: f64 = 86_400.0;

/// A generator of our own, so that runs repeat: Marsaglia's xorshift.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Visits at uneven gaps round a mean, to a Poisson page.
    fn visits(&mut self, rate: f64, mean_gap: f64, count: usize) -> Vec<(Duration, bool)> {
        let gaps = (0..count).map(|_| (mean_gap * (0.2 + 1.6 * self.next()), self.next()));
        gaps.map(|(gap, chance)| (Duration::from_secs_f64(gap), chance < 1.0 - (-rate * gap).exp())).collect()
    }
}

fn learned(visits: &[(Duration, bool)]) -> Rate {
    let mut rate = Rate::new(Category::Unknown);
    visits.iter().for_each(|(gap, changed)| rate.observe(*gap, *changed));
    rate
}

/// The rate under which all visits are likeliest, by bisection of the derivative.
fn likeliest(visits: &[(Duration, bool)]) -> f64 {
    let slope = |rate: f64| -> f64 {
        let of = |(gap, changed): &(Duration, bool)| {
            let gap = gap.as_secs_f64();
            if *changed { gap / ((rate * gap).exp() - 1.0) } else { -gap }
        };
        visits.iter().map(of).sum()
    };
    let (mut low, mut high) = (-40.0_f64, 0.0_f64);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        *(if slope(middle.exp()) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    low.exp()
}

#[test]
fn the_estimate_comes_near_the_truth_over_uneven_gaps() {
    let mut chance = Chance(7);
    for mean_gap in [0.1, 0.3, 1.0, 2.0] {
        // Forty pages each: their mean error is what is left of the noise.
        let off: f64 = (0..40)
            .map(|_| (learned(&chance.visits(1.0 / DAY, mean_gap * DAY, 1000)).per_second() * DAY).ln())
            .sum();
        assert!((off / 40.0).abs() < 0.06, "gaps of {mean_gap} days: off by {}", off / 40.0);
    }
}

#[test]
fn the_estimate_is_near_the_maximum_of_the_likelihood() {
    let mut chance = Chance(11);
    for _ in 0..20 {
        let visits = chance.visits(2.0 / DAY, 0.5 * DAY, 150);
        let ratio = learned(&visits).per_second() / likeliest(&visits);
        assert!((0.75..1.35).contains(&ratio), "{ratio}");
    }
}

#[test]
fn at_even_gaps_it_agrees_with_the_estimator_corrected_for_bias() {
    let mut chance = Chance(3);
    let gap = Duration::from_hours(24);
    for rate in [0.1, 0.5, 1.0, 2.0] {
        let visits: Vec<(Duration, bool)> =
            (0..300).map(|_| (gap, chance.next() < 1.0 - f64::exp(-rate))).collect();
        let changed = visits.iter().filter(|visit| visit.1).count() as u32;
        let even = from_even_gaps(300, changed, gap);
        let ratio = learned(&visits).per_second() / even;
        assert!((0.75..1.35).contains(&ratio), "rate {rate}: {ratio}");
        assert!((even * DAY / rate - 1.0).abs() < 0.35, "rate {rate}: {}", even * DAY);
    }
}

#[test]
fn it_grows_surer_with_visits() {
    let visits = Chance(5).visits(1.0 / DAY, DAY, 200);
    let spreads = [0, 5, 20, 200].map(|count| learned(&visits[..count]).spread());
    assert!(spreads.windows(2).all(|pair| pair[1] < pair[0]), "{spreads:?}");
    assert!(spreads[3] < 0.25);
}

#[test]
fn a_page_that_wakes_up_or_dies_is_noticed_soon() {
    let mut chance = Chance(9);
    let (slow, fast) = (0.01 / DAY, 2.0 / DAY);
    let [woken, dead] = [(slow, fast), (fast, slow)].map(|(before, after)| {
        let mut visits = chance.visits(before, DAY, 300);
        visits.extend(chance.visits(after, DAY, 20));
        learned(&visits).per_second()
    });
    assert!(woken > fast / 3.0, "{} of the new rate", woken / fast);
    // Twenty silent days do not say much more than that.
    assert!(dead < fast / 8.0, "{} of the old rate", dead / fast);
}

#[test]
fn sources_that_cry_wolf_buy_nothing() {
    let (mut honest, mut wolf) = (Trust::default(), Trust::default());
    for _ in 0..60 {
        honest.observe(true, 0.1);
        wolf.observe(false, 0.1);
    }
    let (rate, bounds) = (Rate::new(Category::Academic), Bounds::default());
    let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(30);
    let page = Outlook { last: Timestamp::UNIX_EPOCH, ..Outlook::new(now, &rate, Price::new(1e5), &bounds) };
    let [plain, hinted, cried] =
        [0.0, honest.belief(), wolf.belief()].map(|hints| Outlook { hints, ..page }.next());
    assert_eq!((hinted.at, hinted.why), (now, Why::Hint));
    let lost = plain.at.duration_since(cried.at).as_secs_f64() / plain.at.duration_since(now).as_secs_f64();
    assert!(plain.why == Why::Law && (0.0..0.1).contains(&lost), "{plain:?} {cried:?}");
}

#[test]
fn hours_are_open_for_as_long_as_they_say_on_every_day_of_a_year() {
    for zone in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"] {
        let hours: Hours = format!("09:00-17:00 {zone}").parse().unwrap();
        let mut at = Date::constant(2026, 1, 1).in_tz(zone).unwrap().timestamp();
        for _ in 0..366 {
            let open = hours.next_open(at);
            let minute = SignedDuration::from_mins(1);
            assert_eq!(hours.next_open(open), open);
            assert_eq!(
                hours.next_open(open + minute * (8 * 60 - 1)),
                open + minute * (8 * 60 - 1),
                "{zone} {open}"
            );
            assert!(hours.next_open(open + minute * (8 * 60)) > open + minute * (22 * 60), "{zone} {open}");
            at = open + minute * (8 * 60);
        }
    }
}

fn any_bounds() -> impl Strategy<Value = Bounds> {
    (0.0..12.0_f64, 0.0..10.0_f64).prop_map(|(least, wider)| {
        let least = least.exp2() * 60.0;
        Bounds::new(Duration::from_secs_f64(least), Duration::from_secs_f64(least * wider.exp2()))
    })
}

fn any_page() -> impl Strategy<Value = (f64, f64, Bounds)> {
    ((-8.0..8.0_f64).prop_map(|log| log.exp2() / DAY), 0.1..10.0_f64, any_bounds())
}

fn any_time() -> impl Strategy<Value = Timestamp> {
    prop_oneof![
        Just(Timestamp::MIN),
        Just(Timestamp::MAX),
        (-1_000_000_000_i64..4_000_000_000).prop_map(|second| Timestamp::from_second(second).unwrap()),
    ]
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![prop::num::f64::ANY, 0.0..1.0_f64]
}

fn any_length() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(Duration::ZERO),
        Just(Duration::MAX),
        Just(Duration::from_secs(1_000_000_000_000_000_000)),
        (0_u64..1_000_000_000).prop_map(Duration::from_secs),
        (0_u64..1_000_000_000).prop_map(Duration::from_nanos),
    ]
}

proptest! {
    #[test]
    fn the_law_meets_the_budget(pages in prop::collection::vec(any_page(), 50..300), share in 0.05..0.95_f64) {
        let visits = |interval: &dyn Fn(Demand, &Bounds) -> f64| -> f64 {
            pages.iter().map(|(rate, weight, bounds)| {
                1.0 / interval(Demand::of_known(*rate, *weight, bounds), bounds)
            }).sum()
        };
        let (idle, busy) = (visits(&|_, bounds| bounds.most().as_secs_f64()), visits(&|_, bounds| bounds.least().as_secs_f64()));
        let budget = idle + share * (busy - idle);
        let demands: Demands = pages.iter().map(|(rate, weight, bounds)| (Demand::of_known(*rate, *weight, bounds), 1)).collect();
        let price = demands.price(budget);
        let planned = visits(&|demand, bounds| demand.interval(price).clamp(bounds.least(), bounds.most()).as_secs_f64());
        prop_assert!((planned / budget - 1.0).abs() < 0.02, "{planned} instead of {budget}");
    }

    #[test]
    fn one_by_one_is_the_same_as_all_at_once(bits in prop::collection::vec(any::<u32>(), 1..100), removed in 0_usize..50) {
        let demands: Vec<Demand> = bits.iter().map(|bits| Demand::from_bits(*bits)).collect();
        let removed = removed.min(demands.len());
        let mut kept = Demands::default();
        demands.iter().for_each(|demand| kept.add(*demand));
        demands[..removed].iter().for_each(|demand| kept.remove(*demand));
        let rebuilt: Demands = demands[removed..].iter().map(|demand| (*demand, 1)).collect();
        prop_assert_eq!(&kept, &rebuilt);
        prop_assert!(kept.price(1e-3).seconds() > 0.0);
    }

    #[test]
    fn a_higher_budget_never_makes_a_visit_dearer(bits in prop::collection::vec(any::<u32>(), 1..50), budgets in (0.0..10.0_f64, 0.0..10.0_f64)) {
        let demands: Demands = bits.iter().map(|bits| (Demand::from_bits(*bits), 3)).collect();
        let (low, high) = (budgets.0.min(budgets.1), budgets.0.max(budgets.1));
        prop_assert!(demands.price(high).seconds() <= demands.price(low).seconds() * (1.0 + 1e-9));
    }

    #[test]
    fn any_history_gives_a_rate(visits in prop::collection::vec((any_length(), any::<bool>(), any_length(), any_number(), any::<u32>()), 0..40), stored in any::<[u8; 20]>()) {
        for mut rate in [Rate::default(), Rate::from_bytes(&stored)] {
            for (gap, changed, age, weight, count) in &visits {
                rate.observe(*gap, *changed);
                rate.sharpen(changed.then_some(*gap), *age, *weight);
                rate.count(*age, *count);
                prop_assert!(rate.per_second().is_finite() && rate.per_second() > 0.0);
                prop_assert!(rate.spread().is_finite() && rate.spread() > 0.0);
                prop_assert!((0.0..=1.0).contains(&rate.chance(*gap)));
                prop_assert!(rate.interval() > Duration::ZERO);
            }
        }
    }

    #[test]
    fn any_outlook_gives_a_visit_that_is_not_over_yet(
        times in (any_time(), any_time(), prop::option::of(any_time())),
        lengths in (any_length(), any_length(), prop::option::of(any_length()), prop::option::of(any_length())),
        numbers in (any_number(), any_number(), any_number(), any_number()),
        answers in prop::collection::vec(prop_oneof![Just(Answer::Page), Just(Answer::Failed), Just(Answer::Gone)], 0..60),
        stored in any::<[u8; 20]>(),
    ) {
        let (rate, bounds) = (Rate::from_bytes(&stored), Bounds::new(lengths.0, lengths.1));
        let hours: Hours = "Mon-Wed 22:00-06:00; Sun 10:00-12:00 Europe/Berlin".parse().unwrap();
        let mut failures = Failures::default();
        answers.iter().for_each(|answer| failures.observe(*answer));
        let page = Outlook {
            last: times.1, importance: numbers.0, hours: numbers.0.is_sign_positive().then_some(&hours), hints: numbers.1, confirm: lengths.2,
            failures, retry_after: lengths.3, not_before: times.2, jitter: numbers.2,
            ..Outlook::new(times.0, &rate, Price::new(numbers.3), &bounds)
        };
        let next = page.next();
        prop_assert!(next.at >= times.0 && times.2.is_none_or(|host| next.at >= host));
    }

    #[test]
    fn no_text_breaks_the_reading_of_hours(text in "[A-Za-z0-9:;, /_-]{0,60}", flips in any::<u32>(), changes in any::<u32>(), interval in any_length()) {
        if let Ok(hours) = text.parse::<Hours>() {
            prop_assert_eq!(hours.to_string().parse::<Hours>().unwrap(), hours);
        }
        prop_assert!(confirm(flips, changes, interval).is_none_or(|delay| delay < interval));
    }
}
