//! NEW-AVG-DROP, MAX-AVG-DIFF and STATISTICS: detectors that read the matrix and remember nothing.
//!
//! Source: Gottron, section 4.3. Cost: one pass over h² numbers.
//! The paper leaves open what a significant drop is: here the average must fall by a given share of what the averages of the history are.
//! The triangles speak only when every entry of the matrix is there. STATISTICS asks for a shift downwards, which the paper means and does not say.

use super::detector::{Verdict, View};
use super::welch::{Sample, welch};

/// What a document alone and what two triangles can be worth; the rest comes with further documents.
const DOCUMENT: f64 = 0.5;
const TRIANGLES: f64 = 0.9;

/// The average similarity of the new document, beside those of the history.
pub(super) fn new_avg_drop(view: &View<'_>) -> Verdict {
    let averages: Vec<f64> =
        view.matrix.vectors().filter_map(|vector| mean(vector.iter().copied())).collect();
    let Some((&value, usual)) = averages.split_last() else { return silent(1.0, 0.0) };
    let bound = mean(usual.iter().copied()).map_or(0.0, |usual| usual * (1.0 - view.settings.drop));
    let has_history = view.matrix.newest().len() == view.settings.history;
    let certainty = DOCUMENT * (1.0 - value / bound.max(f64::MIN_POSITIVE));
    let report = (has_history && value < bound).then_some((view.document, certainty.clamp(0.0, 1.0)));
    Verdict { value, bound, report }
}

/// The largest similarity of the lower triangle, beside the average of the upper one.
pub(super) fn max_avg_diff(view: &View<'_>) -> Verdict {
    let value = view.matrix.lower().fold(0.0, f64::max);
    let Some(bound) = mean(view.matrix.upper()) else { return silent(value, 0.0) };
    let certainty = worth(bound - value);
    let report = (view.matrix.is_full() && value < bound).then_some((view.oldest(), certainty));
    Verdict { value, bound, report }
}

/// The probability that both triangles have one mean.
pub(super) fn statistics(view: &View<'_>) -> Verdict {
    let bound = 1.0 - view.settings.significance;
    if !view.matrix.is_full() {
        return silent(1.0, bound);
    }
    let [lower, upper] = [view.matrix.lower().collect::<Vec<f64>>(), view.matrix.upper().collect()]
        .map(|values| Sample::of(values.iter().copied()));
    let fall = upper.mean - lower.mean;
    let value = if fall > 0.0 { welch(lower, upper) } else { 1.0 };
    let certainty = worth(fall);
    Verdict { value, bound, report: (value < bound).then_some((view.oldest(), certainty)) }
}

/// What a fall from one triangle to the other says.
fn worth(fall: f64) -> f64 {
    TRIANGLES * (0.5 + fall / 2.0).clamp(0.0, 1.0)
}

fn silent(value: f64, bound: f64) -> Verdict {
    Verdict { value, bound, report: None }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}
