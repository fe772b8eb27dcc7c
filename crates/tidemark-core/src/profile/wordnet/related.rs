//! What speaks of a term: synonyms, kinds and what it is a kind of, each with a weight.
//!
//! Source: WordNet's relations; the weight of the general by intrinsic information content (Seco, Veale & Hayes, *An Intrinsic
//! Information Content Metric for Semantic Similarity in WordNet*, ECAI 2004). A word is evidence of a term as far as the term is
//! meant in this sense and the word is meant in that: the weight is the share of the sense among those of the term, times the
//! share of the meaning among those of the word, times a decay for each step. So `bank` brings `depository`, but hardly `cant`.
//! Upwards a step also costs what the general says less, and ends where it says next to nothing: a synset with very many
//! below it (`object`, `person`, `act`) is a word of every page. Counting what is below needs no list of such words; depth
//! from the root would not do, as WordNet is deep in zoology and shallow among verbs.
//! Named things (Paris) lead up to their kind, but are not told as kinds of it: who follows cities does not follow each city.
//! Cost: at most [`BUDGET`] synsets a call, the nearest first.

use super::{Reach, Related, Relation, WordNet};
use rustc_hash::{FxHashMap, FxHashSet};

/// Synsets that are looked at.
const BUDGET: usize = 4096;
/// A sense that is meant more rarely is not looked at.
const MIN_SHARE: f64 = 0.1;
/// A word that says less is left out.
const MIN_WEIGHT: f64 = 0.04;
/// What is said of the term by a synonym, for each step down, and for each step up.
const SAME: f64 = 0.95;
const DOWN: f64 = 0.8;
const UP: f64 = 0.6;
/// What is alike, among adjectives.
const ALIKE: f64 = 0.5;
/// Least information content of something general; 0 is the whole of WordNet, 1 a synset with nothing below it.
const MIN_CONTENT: f64 = 0.4;
/// The same for a term whose kinds are told: those of `person` are seven thousand, and none says anything.
const MIN_CONTENT_OF_KINDS: f64 = 0.25;

/// Words that speak of a folded term.
pub(super) fn related(wordnet: &WordNet, term: &str, reach: &Reach) -> Vec<Related> {
    let bases = if wordnet.lemma(term).is_some() { vec![term.to_owned()] } else { wordnet.lemmas(term) };
    let mut search =
        Search { wordnet, found: FxHashMap::default(), own: FxHashSet::default(), steps: BUDGET };
    let entries: Vec<_> = bases.iter().filter_map(|base| wordnet.lemma(base)).collect();
    search.own.extend(entries.iter().map(|entry| entry.id));
    for entry in &entries {
        let senses = entry.senses().zip(1..).take(reach.senses);
        for ((synset, share), sense) in senses.filter(|((_, share), _)| *share >= MIN_SHARE) {
            search.sense(synset, share / entries.len() as f64, sense, reach);
        }
    }
    search.best(reach.most)
}

struct Search<'a> {
    wordnet: &'a WordNet,
    /// By number of the word, with how common it is.
    found: FxHashMap<u32, (Related, u32)>,
    /// The term itself.
    own: FxHashSet<u32>,
    steps: usize,
}

/// Where the search is, and what that says of the term.
#[derive(Clone, Copy)]
struct Step {
    relation: Relation,
    depth: u8,
    sense: u8,
    weight: f64,
}

impl Search<'_> {
    fn sense(&mut self, id: u32, share: f64, sense: u8, reach: &Reach) {
        self.add(id, Step { relation: Relation::Synonym, depth: 0, sense, weight: share * SAME });
        let kinds = Step { relation: Relation::Hyponym, depth: 0, sense, weight: share };
        if self.wordnet.content(id) >= MIN_CONTENT_OF_KINDS {
            self.walk(id, kinds, reach.down);
        }
        self.walk(id, Step { relation: Relation::Hypernym, ..kinds }, reach.up);
    }

    /// Goes from synset to synset in one direction, the nearest first.
    fn walk(&mut self, id: u32, mut step: Step, depths: usize) {
        let down = step.relation == Relation::Hyponym;
        step.weight *= match (self.wordnet.is_adjective(id), down) {
            (true, _) => ALIKE,
            (false, true) => DOWN,
            (false, false) => UP,
        };
        let decay = if down { DOWN } else { UP };
        if self.wordnet.is_adjective(id) {
            step.relation = Relation::Synonym;
        }
        let (mut level, mut seen) = (vec![id], FxHashSet::from_iter([id]));
        for depth in 1..=depths.min(usize::from(u8::MAX)) {
            level = self.next_level(&level, down, &mut seen);
            for &id in &level {
                let content = if down { 1.0 } else { self.wordnet.content(id) };
                self.add(id, Step { depth: depth as u8, weight: step.weight * content, ..step });
            }
            step.weight *= decay;
        }
    }

    /// The synsets one step on that were not seen yet.
    fn next_level(&mut self, level: &[u32], down: bool, seen: &mut FxHashSet<u32>) -> Vec<u32> {
        let packed = &self.wordnet.packed;
        let mut next = Vec::new();
        for &id in level.iter().take(self.steps) {
            let near = if down { packed.hyponyms(id) } else { packed.hypernyms(id) };
            let near = near.into_iter().filter(|&id| {
                if down { !packed.is_instance(id) } else { self.wordnet.content(id) >= MIN_CONTENT }
            });
            next.extend(near.filter(|&id| seen.insert(id)));
        }
        next.truncate(self.steps);
        self.steps -= next.len();
        next
    }

    /// The words of a synset, as far as they are meant so.
    fn add(&mut self, id: u32, step: Step) {
        let Some(synset) = self.wordnet.packed.synset(id) else { return };
        for word in synset.words.filter(|word| !self.own.contains(word)) {
            let Some((words, entry)) = self.wordnet.packed.word(word) else { continue };
            let share = entry.senses().find(|&(sense, _)| sense == id).map_or(0.0, |(_, share)| share);
            let Step { relation, depth, sense, weight } = step;
            let related = Related { words, relation, depth, sense, weight: weight * share };
            if related.weight >= MIN_WEIGHT {
                let best = self.found.entry(word).or_insert_with(|| (related.clone(), entry.frequency));
                if best.0.weight < related.weight {
                    best.0 = related;
                }
            }
        }
    }

    /// The words of the highest weight; of equal ones, the more common.
    fn best(self, most: usize) -> Vec<Related> {
        let mut found: Vec<(Related, u32)> = self.found.into_values().collect();
        found.sort_unstable_by(|(a, a_common), (b, b_common)| {
            let by_weight = b.weight.total_cmp(&a.weight).then(b_common.cmp(a_common));
            by_weight.then_with(|| a.words.cmp(&b.words))
        });
        found.into_iter().take(most).map(|(related, _)| related).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(term: &str, reach: &Reach) -> Vec<Related> {
        WordNet::get().related(term, reach)
    }

    fn find(term: &str, word: &str) -> Option<Related> {
        let reach = Reach { most: usize::MAX, ..Reach::default() };
        all(term, &reach).into_iter().find(|related| related.words == word)
    }

    #[test]
    fn known_facts() {
        for (term, word, relation) in [
            ("storm", "hurricane", Relation::Hyponym),
            ("storm", "blizzard", Relation::Hyponym),
            ("dog", "canine", Relation::Hypernym),
            ("car", "automobile", Relation::Synonym),
            ("cars", "automobile", Relation::Synonym),
            ("Stock Markets", "stock exchange", Relation::Synonym),
            ("angry", "furious", Relation::Synonym),
            ("Paris", "national capital", Relation::Hypernym),
        ] {
            let found = find(term, word).map(|related| related.relation);
            assert_eq!(found, Some(relation), "{term} {word}: {:?}", all(term, &Reach::default()));
        }
    }

    #[test]
    fn words_that_mean_something_else_stay_away() {
        for (term, word) in [("bank", "cant"), ("car", "machine"), ("city", "paris"), ("storm", "storm")] {
            assert!(find(term, word).is_none(), "{term} {word}");
        }
    }

    #[test]
    fn the_very_general_is_never_told() {
        let reach = Reach { senses: 9, up: 20, down: 0, most: 1000 };
        assert!(find("person", "scientist").is_none() && find("entity", "abstract entity").is_none());
        for term in ["dog", "storm", "election", "teacher", "run", "Paris", "idea"] {
            for word in
                ["entity", "object", "physical object", "person", "act", "state", "organism", "abstraction"]
            {
                assert!(!all(term, &reach).iter().any(|related| related.words == word), "{term} {word}");
            }
        }
    }

    #[test]
    fn weights_fall_with_every_step() {
        let [near, far] = ["windstorm", "hurricane"].map(|word| find("storm", word).unwrap());
        assert!((near.depth, far.depth) == (1, 3) && near.weight > far.weight, "{near:?} {far:?}");
        let all = all("storm", &Reach::default());
        assert!(all.is_sorted_by(|a, b| a.weight >= b.weight));
        assert!(all.iter().all(|related| (MIN_WEIGHT..1.0).contains(&related.weight)));
    }

    #[test]
    fn reach_is_kept() {
        let reach = |senses, down, up, most| Reach { senses, down, up, most };
        assert!(all("dog", &reach(0, 9, 9, 9)).is_empty() && all("dog", &reach(9, 9, 9, 0)).is_empty());
        assert_eq!(all("dog", &reach(1, 3, 1, 7)).len(), 7);
        assert!(all("dog", &reach(1, 0, 0, 99)).iter().all(|related| related.relation == Relation::Synonym));
        let deep = all("animal", &reach(usize::MAX, usize::MAX, usize::MAX, usize::MAX));
        assert!(deep.len() < 4 * BUDGET, "{}", deep.len());
        let mut words: Vec<&str> = deep.iter().map(|related| &*related.words).collect();
        words.sort_unstable();
        assert!(words.is_sorted_by(|a, b| a < b), "each once");
    }
}
