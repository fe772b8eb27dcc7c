//! Princeton's files, read.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Parts of speech, in the order of the packed file.
const PARTS: [&str; 4] = ["noun", "verb", "adj", "adv"];

/// WordNet as it is in the files, words in lower case and with spaces.
pub(super) struct Source {
    /// By part of speech, then as in the files.
    pub(super) synsets: Vec<Synset>,
    /// Synsets of each word with what speaks for them, by part of speech, then as in the files.
    pub(super) senses: BTreeMap<String, Vec<Sense>>,
    /// Irregular forms: parts of speech and base forms, which are lemmas.
    pub(super) exceptions: BTreeMap<String, Vec<(u32, String)>>,
}

pub(super) struct Synset {
    pub(super) part: usize,
    pub(super) words: Vec<String>,
    /// What it is a kind of; of a satellite adjective, its head.
    pub(super) hypernyms: Vec<usize>,
    pub(super) is_instance: bool,
    pub(super) gloss: String,
}

pub(super) struct Sense {
    pub(super) synset: usize,
    /// How often it was meant in texts tagged by hand, and a little for its rank, so that untagged senses keep their order.
    pub(super) mass: f64,
}

impl Source {
    pub(super) fn read(directory: &Path) -> Result<Self> {
        let file = |name: String| {
            let path = directory.join(&name);
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        let mut source = Self { synsets: Vec::new(), senses: BTreeMap::new(), exceptions: BTreeMap::new() };
        let tags = tags(&file("cntlist.rev".to_owned())?);
        for (part, name) in PARTS.into_iter().enumerate() {
            let numbers = source.read_data(part, &file(format!("data.{name}"))?);
            let numbers = numbers.with_context(|| format!("data.{name}"))?;
            let read = source.read_index(part, &file(format!("index.{name}"))?, &numbers, &tags);
            read.with_context(|| format!("index.{name}"))?;
            source.read_exceptions(part as u32, &file(format!("{name}.exc"))?);
        }
        let Self { senses, exceptions, .. } = &mut source;
        exceptions.retain(|form, bases| {
            bases.retain(|(_, base)| base != form && senses.contains_key(base));
            !bases.is_empty()
        });
        Ok(source)
    }

    /// Reads the synsets of a part of speech; returns their numbers by their places in the file.
    fn read_data(&mut self, part: usize, text: &str) -> Result<HashMap<u32, usize>> {
        let lines = || text.lines().filter(|line| !line.starts_with(' '));
        let place = |line: &str| line.split(' ').next().unwrap_or_default().parse::<u32>();
        let first = self.synsets.len();
        let numbers: HashMap<u32, usize> =
            lines().zip(first..).map(|(line, number)| Ok((place(line)?, number))).collect::<Result<_>>()?;
        for line in lines() {
            let synset = synset(part, line, &numbers).with_context(|| format!("cannot read: {line}"))?;
            self.synsets.push(synset);
        }
        Ok(numbers)
    }

    fn read_index(
        &mut self,
        part: usize,
        text: &str,
        numbers: &HashMap<u32, usize>,
        tags: &Tags,
    ) -> Result<()> {
        for line in text.lines().filter(|line| !line.starts_with(' ')) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let [lemma, _, count, ..] = fields[..] else { bail!("cannot read: {line}") };
            let places = &fields[fields.len().saturating_sub(count.parse()?)..];
            let senses = self.senses.entry(plain(lemma)).or_default();
            for (place, rank) in places.iter().zip(1..) {
                let synset = *numbers.get(&place.parse()?).with_context(|| format!("no synset: {line}"))?;
                let tagged = tags.get(&(lemma.to_owned(), part, rank)).copied().unwrap_or(0);
                senses.push(Sense { synset, mass: f64::from(tagged) + 1.0 / f64::from(rank) });
            }
        }
        Ok(())
    }

    fn read_exceptions(&mut self, part: u32, text: &str) {
        for line in text.lines() {
            let mut words = line.split_whitespace().map(plain);
            let Some(form) = words.next() else { continue };
            self.exceptions.entry(form).or_default().extend(words.map(|base| (part, base)));
        }
    }
}

/// By lemma as in the files, part of speech and number of the sense.
type Tags = HashMap<(String, usize, u32), u32>;

/// Lines such as `storm%1:19:00:: 1 10`: the key of a sense, its number, how often it was meant.
fn tags(text: &str) -> Tags {
    let tag = |line: &str| {
        let mut fields = line.split(' ');
        let (lemma, key) = fields.next()?.split_once('%')?;
        let part = match key.chars().next()? {
            '1' => 0,
            '2' => 1,
            '4' => 3,
            _ => 2,
        };
        Some(((lemma.to_owned(), part, fields.next()?.parse().ok()?), fields.next()?.parse().ok()?))
    };
    text.lines().filter_map(tag).collect()
}

/// A line of a data file: place, file, part, words, pointers, definition; see wndb(5WN).
fn synset(part: usize, line: &str, numbers: &HashMap<u32, usize>) -> Option<Synset> {
    let (data, gloss) = line.split_once(" | ").unwrap_or((line, ""));
    let mut fields = data.split(' ');
    let is_satellite = fields.nth(2)? == "s";
    let words = u32::from_str_radix(fields.next()?, 16).ok()?;
    let words = (0..words).map(|_| Some((plain(fields.next()?), fields.next()?).0));
    let words = words.collect::<Option<Vec<String>>>()?;
    let mut once: Vec<String> = Vec::new(); // some differ in case only
    words.into_iter().for_each(|word| {
        if !once.contains(&word) {
            once.push(word);
        }
    });
    let pointers: u32 = fields.next()?.parse().ok()?;
    let (mut kinds, mut instances) = (Vec::new(), Vec::new());
    for _ in 0..pointers {
        let (symbol, place) = (fields.next()?, fields.next()?.parse().ok()?);
        fields.nth(1)?;
        match symbol {
            "@" => kinds.push(*numbers.get(&place)?),
            "&" if is_satellite => kinds.push(*numbers.get(&place)?),
            "@i" => instances.push(*numbers.get(&place)?),
            _ => {}
        }
    }
    let is_instance = kinds.is_empty() && !instances.is_empty();
    kinds.extend(instances);
    Some(Synset { part, words: once, hypernyms: kinds, is_instance, gloss: gloss.to_owned() })
}

/// A lemma in lower case, with spaces and without the mark of where an adjective stands.
fn plain(lemma: &str) -> String {
    let end = lemma.find('(').filter(|&at| at > 0).unwrap_or(lemma.len());
    lemma[..end].replace('_', " ").to_lowercase()
}
