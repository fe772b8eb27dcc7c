//! The smallest set of rows that must have moved.
//!
//! Source: the longest increasing subsequence by patience sorting (Fredman, 1975). Cost: O(n log n).

/// Which of the numbers belong to one longest increasing subsequence; the rest is out of order. Numbers are distinct.
pub(super) fn in_order(numbers: &[usize]) -> Vec<bool> {
    let (mut piles, mut before) = (Vec::<usize>::new(), vec![usize::MAX; numbers.len()]);
    for (place, &number) in numbers.iter().enumerate() {
        let pile = piles.partition_point(|&top| numbers[top] < number);
        before[place] = if pile == 0 { usize::MAX } else { piles[pile - 1] };
        if pile == piles.len() {
            piles.push(place);
        } else {
            piles[pile] = place;
        }
    }
    let mut kept = vec![false; numbers.len()];
    let mut place = piles.last().copied().unwrap_or(usize::MAX);
    while let Some(keep) = kept.get_mut(place) {
        *keep = true;
        place = before[place];
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::in_order;

    fn moved(numbers: &[usize]) -> Vec<usize> {
        let kept = in_order(numbers);
        numbers.iter().zip(kept).filter(|(_, kept)| !kept).map(|(number, _)| *number).collect()
    }

    #[test]
    fn only_what_jumped_is_out_of_order() {
        assert_eq!(moved(&[]), [0; 0]);
        assert_eq!(moved(&[1, 2, 5, 9]), [0; 0]);
        assert_eq!(moved(&[9, 1, 2, 3]), [9]);
        assert_eq!(moved(&[2, 3, 4, 1]), [1]);
        assert_eq!(moved(&[3, 2, 1]).len(), 2);
    }
}
