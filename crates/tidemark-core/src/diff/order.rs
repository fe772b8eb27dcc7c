//! Things in order: the longest run that kept it (Schensted 1961, by patience; O(n log n)), and the heaviest pairs in it (Needleman & Wunsch 1970;
//! the product of both sides, so whoever asks has a budget).

/// Places of a longest strictly rising subsequence.
pub(crate) fn rising<T: Copy + PartialOrd>(values: &[T]) -> Vec<usize> {
    if values.is_sorted_by(|a, b| a < b) {
        return (0..values.len()).collect(); // nothing changed places: by far the most common case
    }
    let mut tops: Vec<usize> = Vec::new(); // per length, the place of the smallest last value
    let mut before = vec![usize::MAX; values.len()];
    for (at, &value) in values.iter().enumerate() {
        let length = tops.partition_point(|&top| values[top] < value);
        if length > 0 {
            before[at] = tops[length - 1];
        }
        if length == tops.len() {
            tops.push(at);
        } else {
            tops[length] = at;
        }
    }
    let mut places = Vec::with_capacity(tops.len());
    let mut at = tops.last().copied();
    while let Some(place) = at {
        places.push(place);
        at = Some(before[place]).filter(|&place| place != usize::MAX);
    }
    places.reverse();
    places
}

/// For each value whether it is part of that subsequence; the others are out of order.
pub(crate) fn kept<T: Copy + PartialOrd>(values: &[T]) -> Vec<bool> {
    let mut kept = vec![false; values.len()];
    rising(values).into_iter().for_each(|place| kept[place] = true);
    kept
}

/// Places of pairs in order on both sides with the largest sum of gains. What gains nothing is no pair.
pub(crate) fn heaviest(
    olds: usize,
    news: usize,
    mut gain: impl FnMut(usize, usize) -> f32,
) -> Vec<(usize, usize)> {
    let width = news + 1;
    let mut best = vec![0f32; (olds + 1) * width]; // of what lies behind a place on both sides
    let mut gains = vec![0f32; (olds + 1) * width];
    for old in (0..olds).rev() {
        for new in (0..news).rev() {
            let at = old * width + new;
            gains[at] = gain(old, new);
            let paired = if gains[at] > 0.0 { gains[at] + best[at + width + 1] } else { 0.0 };
            best[at] = paired.max(best[at + width]).max(best[at + 1]);
        }
    }
    let (mut old, mut new, mut pairs) = (0, 0, Vec::new());
    while old < olds && new < news {
        let at = old * width + new;
        if gains[at] > 0.0 && best[at] <= gains[at] + best[at + width + 1] {
            pairs.push((old, new));
            (old, new) = (old + 1, new + 1);
        } else if best[at + width] >= best[at + 1] {
            old += 1;
        } else {
            new += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::rising;

    #[test]
    fn the_longest_run_is_found() {
        assert_eq!(rising::<u32>(&[]), [0; 0]);
        assert_eq!(rising(&[5, 6, 9]), [0, 1, 2]);
        assert_eq!(rising(&[9, 1, 2, 3]), [1, 2, 3]);
        assert_eq!(rising(&[1, 5, 2, 3, 9, 4]), [0, 2, 3, 5]);
        assert_eq!(rising(&[3, 2, 1]).len(), 1);
    }
}
