//! The longest run of things that kept their order. Source: Schensted 1961, by patience. Cost: O(n log n).

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
