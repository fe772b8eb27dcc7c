//! Running text and the furniture that made-up pages have in common.

use super::{common_word, pick, push_all, put, words};
use fastrand::Rng;
use std::fmt;

/// A page being written, and the dice that decide what comes next.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) out: String,
    pub(super) rng: Rng,
}

impl Page {
    pub(super) fn new(seed: u64, bytes: usize) -> Self {
        Self { out: String::with_capacity(bytes.saturating_add(8192)), rng: Rng::with_seed(seed) }
    }

    pub(super) fn put(&mut self, text: fmt::Arguments<'_>) {
        put(&mut self.out, text);
    }

    pub(super) fn pick(&mut self, from: &[&'static str]) -> &'static str {
        pick(&mut self.rng, from)
    }

    pub(super) fn site_footer(&mut self) {
        let year = self.rng.u16(2015..2026);
        self.put(format_args!(
            "<footer>\n<p>&copy; {year} Example Tide &amp; Co. \
             <a href=\"/terms\">Terms</a> &middot; <a href=\"/contact\">Contact</a></p>\n\
             </footer>\n</body>\n</html>\n"
        ));
    }

    /// Writes a paragraph and returns its number of words.
    pub(super) fn paragraph(&mut self) -> usize {
        let mut words = 0;
        self.out.push_str("<p>");
        for sentence in 0..self.rng.usize(2..7) {
            if sentence > 0 {
                self.out.push(' ');
            }
            words += self.sentence();
        }
        self.out.push_str("</p>\n");
        words
    }

    /// Writes a sentence and returns its number of words. One in three has
    /// an inline element around some of its words.
    pub(super) fn sentence(&mut self) -> usize {
        let words = self.rng.usize(5..23);
        let marked = self.rng.usize(..words * 3);
        let marked_end = marked + self.rng.usize(..3).min(words.saturating_sub(marked + 1));
        let mut tag = "";
        let mut last = "";
        for index in 0..words {
            if index > 0 {
                self.gap();
            }
            if index == marked {
                tag = self.open_inline();
            }
            last = self.word_after(last, index == 0);
            if index == marked_end {
                push_all(&mut self.out, &["</", tag, ">"]);
            }
        }
        let end = self.pick(&[".", ".", ".", ".", ".", ".", "?", "!"]);
        self.out.push_str(end);
        words
    }

    /// Writes what stands between two words.
    fn gap(&mut self) {
        let gap = match self.rng.u8(..64) {
            0..6 => ", ",
            6 => "; ",
            7 => " &ndash; ",
            _ => " ",
        };
        self.out.push_str(gap);
    }

    fn open_inline(&mut self) -> &'static str {
        let tag = self.pick(&["a", "a", "em", "strong"]);
        if tag == "a" {
            let path = self.path();
            self.put(format_args!("<a href=\"{path}\">"));
        } else {
            push_all(&mut self.out, &["<", tag, ">"]);
        }
        tag
    }

    /// Writes a word other than `last` and returns it.
    fn word_after(&mut self, last: &str, first: bool) -> &'static str {
        let mut word = common_word(&mut self.rng);
        while word == last {
            word = common_word(&mut self.rng);
        }
        if first {
            push_capital(&mut self.out, word);
        } else {
            self.out.push_str(word);
        }
        word
    }

    /// A headline of four to eight words.
    pub(super) fn title(&mut self) -> String {
        let mut title = String::new();
        push_capital(&mut title, common_word(&mut self.rng));
        for _ in 0..self.rng.u8(3..8) {
            push_all(&mut title, &[" ", self.pick(&words::COMMON)]);
        }
        title
    }

    pub(super) fn path(&mut self) -> String {
        let section = self.pick(&words::SECTIONS).to_ascii_lowercase();
        let (first, second) = (self.pick(&words::COMMON), self.pick(&words::COMMON));
        let year = self.rng.u16(2015..2026);
        format!("/{section}/{year}/{first}-{second}")
    }

    pub(super) fn person(&mut self) -> String {
        let given = self.pick(&words::GIVEN_NAMES);
        format!("{given} {}", self.pick(&words::FAMILY_NAMES))
    }

    pub(super) fn date(&mut self) -> String {
        let rng = &mut self.rng;
        let (year, month, day) = (rng.u16(2015..2026), rng.u8(1..=12), rng.u8(1..=28));
        format!("{year}-{month:02}-{day:02}T{:02}:{:02}Z", rng.u8(..24), rng.u8(..60))
    }
}

/// Writes a word of ASCII letters with its first in upper case.
fn push_capital(out: &mut String, word: &str) {
    let (first, rest) = word.split_at(1);
    push_all(out, &[&first.to_ascii_uppercase(), rest]);
}
