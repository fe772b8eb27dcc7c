//! Writes what `tidemark_core::profile::wordnet` reads.

use super::source::{Sense, Source};
use super::tree::Order;
use std::collections::{BTreeMap, HashMap};
use tidemark_core::profile::wordnet::{BLOCK, FORMAT, HEAD, WHOLE_SHARE, checksum};

/// The packed file of a source, its order, its vocabulary with frequencies, and the count of background words.
pub(super) fn pack(
    source: &Source,
    order: &Order,
    vocabulary: &BTreeMap<String, u32>,
    total: u64,
) -> Vec<u8> {
    let numbers: HashMap<&str, u32> = vocabulary.keys().map(String::as_str).zip(0..).collect();
    let [word_index, word_data] = words(source, order, vocabulary, &numbers);
    let [synset_index, synset_data] = synsets(source, order, &numbers);
    let parts = [word_index, word_data, synset_index, synset_data];
    let mut packed = FORMAT.to_vec();
    packed.extend([0; 8]);
    packed.extend(total.to_le_bytes());
    let counts = [vocabulary.len(), source.synsets.len()].map(|count| count as u32);
    let lengths = parts.each_ref().map(|part| part.len() as u32);
    for number in counts.into_iter().chain(order.bounds).chain(lengths) {
        packed.extend(number.to_le_bytes());
    }
    packed.resize(HEAD, 0);
    packed.extend(parts.concat());
    let sum = checksum(&packed);
    packed[FORMAT.len()..FORMAT.len() + 8].copy_from_slice(&sum.to_le_bytes());
    packed
}

fn words(
    source: &Source,
    order: &Order,
    vocabulary: &BTreeMap<String, u32>,
    numbers: &HashMap<&str, u32>,
) -> [Vec<u8>; 2] {
    let mut blocks = Blocks::default();
    let mut before = "";
    for (word, &frequency) in vocabulary {
        if blocks.start() {
            before = "";
        }
        let shared = word.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
        blocks.number(shared as u32);
        blocks.number((word.len() - shared) as u32);
        blocks.data.extend(&word.as_bytes()[shared..]);
        blocks.number(frequency);
        let senses = source.senses.get(word).map(|senses| shares(senses, order)).unwrap_or_default();
        let exceptions = source.exceptions.get(word);
        blocks.number(senses.len() as u32 * 2 + u32::from(exceptions.is_some()));
        for (synset, share) in senses {
            blocks.data.extend(&(synset * (WHOLE_SHARE + 1) + share).to_le_bytes()[..3]);
        }
        if let Some(bases) = exceptions {
            let mut inner = Blocks::default();
            bases.iter().for_each(|(part, base)| inner.number(numbers[base.as_str()] * 4 + part));
            blocks.number(inner.data.len() as u32);
            blocks.data.extend(inner.data);
        }
        before = word;
    }
    [blocks.index, blocks.data]
}

/// Senses with their shares, the most common first.
#[expect(clippy::cast_sign_loss, reason = "a share is positive")]
fn shares(senses: &[Sense], order: &Order) -> Vec<(u32, u32)> {
    let all: f64 = senses.iter().map(|sense| sense.mass).sum();
    let mut sorted: Vec<&Sense> = senses.iter().collect();
    sorted.sort_by(|a, b| b.mass.total_cmp(&a.mass));
    let share = |sense: &Sense| ((sense.mass / all * f64::from(WHOLE_SHARE)).round() as u32).max(1);
    sorted.into_iter().map(|sense| (order.new[sense.synset], share(sense))).collect()
}

fn synsets(source: &Source, order: &Order, numbers: &HashMap<&str, u32>) -> [Vec<u8>; 2] {
    let mut others_down = vec![Vec::new(); source.synsets.len()];
    for (at, synset) in source.synsets.iter().enumerate() {
        let others = synset.hypernyms.iter().filter(|&&above| Some(above) != order.parents[at]);
        others.for_each(|&above| others_down[above].push(order.new[at]));
    }
    let mut blocks = Blocks::default();
    for &at in &order.old {
        blocks.start();
        let synset = &source.synsets[at];
        let (parent, size) = (order.parents[at], order.sizes[at]);
        let others = synset.hypernyms.iter().filter(|&&above| Some(above) != parent);
        let others_up: Vec<u32> = others.map(|&above| order.new[above]).collect();
        let has_others = !others_up.is_empty() || !others_down[at].is_empty();
        let flags = [parent.is_some(), size > 1, synset.is_instance, has_others];
        let flags: u32 = flags.into_iter().zip(0..).map(|(flag, bit)| u32::from(flag) << bit).sum();
        blocks.number((synset.words.len() as u32) << 4 | flags);
        parent.iter().for_each(|&parent| blocks.number(order.new[at] - order.new[parent]));
        if size > 1 {
            blocks.number(size);
        }
        synset.words.iter().for_each(|word| blocks.number(numbers[word.as_str()]));
        if has_others {
            for others in [&others_up, &others_down[at]] {
                blocks.number(others.len() as u32);
                others.iter().for_each(|&other| blocks.number(other));
            }
        }
    }
    [blocks.index, blocks.data]
}

/// A part in blocks, with where each starts.
#[derive(Default)]
struct Blocks {
    index: Vec<u8>,
    data: Vec<u8>,
    count: usize,
}

impl Blocks {
    /// Starts another item; whether it is the first of a block.
    fn start(&mut self) -> bool {
        let is_first = self.count.is_multiple_of(BLOCK);
        if is_first {
            self.index.extend((self.data.len() as u32).to_le_bytes());
        }
        self.count += 1;
        is_first
    }

    /// A number of seven bits a byte, the lowest first.
    fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.data.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.data.push(number as u8);
    }
}
