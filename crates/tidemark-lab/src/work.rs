//! Doing one thing to many pages: on all cores, with a progress bar, results in order.
//!
//! For counting and compressing only. Whatever is timed runs alone.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A progress bar on standard error; silent where that is not a terminal.
pub fn bar(steps: usize, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:>16} {wide_bar} {pos}/{len} {eta}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(steps as u64).with_style(style).with_message(what)
}

/// Does `job` to each item and gives the results in the order of the items.
///
/// # Panics
/// If a job panics.
pub fn through<T: Sync, R: Send>(items: &[T], what: &'static str, job: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let bar = bar(items.len(), what);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let work = || {
        while let Some((at, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
        {
            let result = job(item);
            done.lock().expect("no job panics while it holds the lock").push((at, result));
            bar.inc(1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, Into::into) {
            scope.spawn(work);
        }
    });
    bar.finish_and_clear();
    let mut done = done.into_inner().expect("no job panics while it holds the lock");
    done.sort_unstable_by_key(|&(at, _)| at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        let doubled = super::through(&items, "doubling", |item| item * 2);
        assert!(doubled.iter().enumerate().all(|(at, &result)| result == at * 2));
    }
}
