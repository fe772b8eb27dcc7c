//! How alike two nodes are.
//!
//! Source: Artail & Fawaz, equations 1 to 4, with the errata of equation 3. Cost: constant, given what the nodes share.
//! We differ: equation 3 is summed, not multiplied, unless [`PathForm::Product`] is asked for; both are in closed form, so that
//! paths of any length neither overflow nor take time. Equation 4 is turned round to 1 - 2 (alpha (1 - Typedist) + …): the same
//! for weights that sum to 1, but exactly 1 for equal nodes whatever binary fractions make of the sum. Attributes are pairs of
//! name and value, in the intersection as in the union; those with no weight at all on either side are as good as none.

use super::Weights;

/// How equation 3 joins the steps of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PathForm {
    /// By sums, as Flesca & Masciari have it: every step counts.
    #[default]
    Sum,
    /// By products, as Artail & Fawaz print it: paths that differ only in their last step seem equal.
    Product,
}

/// Equations 1 and 2: what two sets share over what they have together. Two empty sets are equal.
pub(super) fn share(shared: u64, together: u64) -> f64 {
    if together == 0 { 1.0 } else { shared as f64 / together as f64 }
}

/// Equation 3, from the number of steps that two paths have in common from the root on, and the length of the longer one.
pub(super) fn typedist(form: PathForm, common: usize, longest: usize) -> f64 {
    match form {
        // The sum of 2^(max-i) up to i = n is 2^(max+1) (1 - 2^-(n+1)).
        PathForm::Sum => (1.0 - half_to(common + 1)) / (1.0 - half_to(longest + 1)),
        // What the product lacks are the factors 2^(missing-1) … 2^1, 2^0.
        PathForm::Product => {
            let missing = longest - common;
            half_to(missing.saturating_mul(missing.saturating_sub(1)) / 2)
        }
    }
}

/// Equation 4 of the three parts.
pub(super) fn coefficient(weights: Weights, path: f64, attributes: f64, words: f64) -> f64 {
    let distance = weights.path() * (1.0 - path)
        + weights.attributes() * (1.0 - attributes)
        + weights.words() * (1.0 - words);
    (1.0 - 2.0 * distance).max(-1.0)
}

/// Half to the power of a number; exact, and 0 where binary fractions end.
fn half_to(exponent: usize) -> f64 {
    0.5f64.powi(i32::try_from(exponent).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equation 3 as it is printed, with sums.
    fn sums(common: usize, longest: usize) -> f64 {
        let above: f64 = (0..=common).map(|i| two_to(longest - i)).sum();
        let below: f64 = (0..=longest).map(two_to).sum();
        above / below
    }

    /// Equation 3 as it is printed.
    fn products(common: usize, longest: usize) -> f64 {
        let above: f64 = (0..=common).map(|i| two_to(longest - i)).product();
        let below: f64 = (0..=longest).map(two_to).product();
        above / below
    }

    fn two_to(exponent: usize) -> f64 {
        1.0 / half_to(exponent)
    }

    fn same(one: f64, two: f64) -> bool {
        one.to_bits() == two.to_bits()
    }

    #[test]
    fn equation_1_and_2_share() {
        assert!(same(share(1, 3), 1.0 / 3.0));
        assert!(same(share(0, 5), 0.0));
        assert!(same(share(0, 0), 1.0), "two empty sets");
    }

    #[test]
    fn equation_3_in_closed_form_is_the_printed_one() {
        for longest in 1..900 {
            for common in (0..=longest).step_by(if longest > 80 { 13 } else { 1 }) {
                let closed = typedist(PathForm::Sum, common, longest);
                assert!(same(closed, sums(common, longest)), "{common} of {longest}");
            }
        }
        for longest in 1..40 {
            for common in 0..=longest {
                let closed = typedist(PathForm::Product, common, longest);
                assert!(same(closed, products(common, longest)), "{common} of {longest}");
            }
        }
    }

    #[test]
    fn erratum_the_product_form_does_not_see_a_change_of_the_last_step() {
        for longest in 1..30 {
            assert!(same(typedist(PathForm::Product, longest - 1, longest), 1.0));
            assert!(typedist(PathForm::Sum, longest - 1, longest) < 1.0);
        }
        assert!(same(typedist(PathForm::Product, 2, 4), 0.5), "it does see two steps");
    }

    #[test]
    fn paths_of_any_length_are_compared() {
        for form in [PathForm::Sum, PathForm::Product] {
            assert!(same(typedist(form, 5_000_000, 5_000_000), 1.0));
            let far = typedist(form, 0, 5_000_000);
            assert!((0.0..=0.5).contains(&far), "{far}");
        }
    }

    #[test]
    fn equation_4_is_the_printed_one() {
        let weights = Weights::new(0.5, 0.2, 0.3).unwrap();
        for (path, attributes, words) in [(1.0, 0.5, 0.25), (0.3, 0.0, 1.0), (0.0, 0.0, 0.0), (0.9, 0.8, 0.7)]
        {
            let printed = -1.0 + 2.0 * (0.5 * path + 0.2 * attributes + 0.3 * words);
            assert!((coefficient(weights, path, attributes, words) - printed).abs() < 1e-12);
        }
    }

    #[test]
    fn equal_nodes_have_exactly_1() {
        for (path, attributes, words) in [(0.1, 0.2, 0.7), (0.6, 0.3, 0.1), (0.15, 0.35, 0.5)] {
            let weights = Weights::new(path, attributes, words).unwrap();
            assert!(same(coefficient(weights, 1.0, 1.0, 1.0), 1.0));
            assert!(coefficient(weights, 0.0, 0.0, 0.0) >= -1.0);
        }
    }
}
