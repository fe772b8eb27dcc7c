//! The schedule keeps what it promises: near the optimum that knows the true rates, at an equal number of fetches.

use tidemark_lab::schedule::{Setting, poisson};

const ONE_INTERVAL: usize = 0;
const CATEGORIES: usize = 1;
const OURS: usize = 2;
const OPTIMUM: usize = 3;

#[test]
fn changes_wait_hardly_longer_than_they_must() {
    let contest = poisson(&Setting { pages: 300, days: 60.0, visits: 2.0, seed: 7 });
    let ours = contest.mean(OURS);
    assert!(ours < 1.1 * contest.mean(OPTIMUM), "{} times the optimum", ours / contest.mean(OPTIMUM));
    assert!(
        2.0 * ours < contest.mean(ONE_INTERVAL),
        "{} times one interval",
        ours / contest.mean(ONE_INTERVAL)
    );
    assert!(ours < contest.mean(CATEGORIES), "{} times the categories", ours / contest.mean(CATEGORIES));
    for policy in [ONE_INTERVAL, CATEGORIES, OPTIMUM] {
        let ratio = contest.fetches(policy) as f64 / contest.fetches(OURS) as f64;
        assert!((0.99..1.01).contains(&ratio), "policy {policy} made {ratio} times the fetches");
    }
}
