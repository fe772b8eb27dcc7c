//! A change of the set, as two small pages.

use anyhow::{Context, Result, bail, ensure};
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;

/// One change of the set: a page before and after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Its number, by which judgements name it.
    pub number: usize,
    /// The heading of its page.
    pub heading: String,
    lines: Vec<(Stands, String)>,
}

/// In which of the two pages a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    Both,
    Old,
    New,
}

impl Sample {
    /// Reads a file of changes. Numbers must count from 1 without a gap: judgements stand on them.
    pub fn all(text: &str) -> Result<Vec<Self>> {
        let mut samples: Vec<Self> = Vec::new();
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            if let Some(sample) = opened(line) {
                ensure!(sample.number == samples.len() + 1, "'{line}' is not number {}", samples.len() + 1);
                samples.push(sample);
            } else {
                let sample =
                    samples.last_mut().with_context(|| format!("'{line}' stands before any number"))?;
                sample.lines.push(marked(line)?);
            }
        }
        Ok(samples)
    }

    /// Its pages, old and new.
    pub fn pages(&self) -> Result<[PageDigest; 2]> {
        Ok([self.digest(Stands::Old)?, self.digest(Stands::New)?])
    }

    /// What it says to a person, in one line.
    pub fn told(&self) -> String {
        let side = |side| self.side(side).collect::<Vec<_>>().join(" ");
        format!("{} | {} -> {}", self.heading, side(Stands::Old), side(Stands::New))
    }

    fn digest(&self, side: Stands) -> Result<PageDigest> {
        let page = self.page(side);
        PageDigest::encode(page.as_bytes(), &Reading::default())
            .with_context(|| format!("change {} cannot be read as a page", self.number))
    }

    fn page(&self, side: Stands) -> String {
        let heading = escaped(&self.heading);
        let lines = self.lines.iter().filter(|(stands, _)| [Stands::Both, side].contains(stands));
        let lines: String = lines.map(|(_, line)| format!("<p>{}</p>\n", escaped(line))).collect();
        format!(
            "<!DOCTYPE html>\n<meta charset=utf-8>\n<title>{heading}</title>\n<h1>{heading}</h1>\n{lines}"
        )
    }

    fn side(&self, side: Stands) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(move |(stands, _)| *stands == side).map(|(_, line)| line.as_str())
    }
}

/// The change that a line such as `12. Shipping forecast` begins.
fn opened(line: &str) -> Option<Sample> {
    let (number, heading) = line.split_once(". ")?;
    Some(Sample { number: number.parse().ok()?, heading: heading.to_owned(), lines: Vec::new() })
}

fn marked(line: &str) -> Result<(Stands, String)> {
    let stands = match line.get(..2) {
        Some("= ") => Stands::Both,
        Some("- ") => Stands::Old,
        Some("+ ") => Stands::New,
        _ => bail!("'{line}' begins with none of '= ', '- ' and '+ '"),
    };
    Ok((stands, line[2..].to_owned()))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::diff::Difference;
    use tidemark_core::render::Changes;

    #[test]
    fn a_sample_is_two_pages_that_differ_where_it_says() {
        let samples =
            Sample::all("# made up\n1. Tea & more\n= Open daily.\n- Cup: 2\n+ Cup: 3\n\n2. None\n+ a")
                .unwrap();
        assert_eq!(samples.len(), 2);
        assert_eq!(samples[0].told(), "Tea & more | Cup: 2 -> Cup: 3");
        let [old, new] = samples[0].pages().unwrap();
        let changes = Changes::of(&old, &new, &Difference::of(&old, &new)).changes;
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].headings, ["Tea & more"]);
    }

    #[test]
    fn what_is_not_written_rightly_is_told() {
        for wrong in ["2. Two", "= line", "1. One\n* line", "1. One\n3. Three"] {
            assert!(Sample::all(wrong).is_err(), "{wrong}");
        }
    }
}
