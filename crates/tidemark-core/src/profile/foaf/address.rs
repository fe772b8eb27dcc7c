//! What an address says: `https://en.wikipedia.org/wiki/Tropical_cyclone` is about tropical cyclones.

use crate::profile::inflection::Language;

/// Last parts of addresses that say nothing.
const EMPTY: [&str; 8] = ["index", "home", "default", "main", "welcome", "wiki", "resource", "about"];

/// The words of the last part of an address; none if it has numbers in it, which name things nobody can read.
pub(super) fn words(address: &str) -> Option<String> {
    let (_, place) = address.split_once("://")?;
    let (place, fragment) = place.split_once('#').unwrap_or((place, ""));
    let (_, path) = place.split('?').next()?.split_once('/')?;
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    let last = if matches!(fragment, "" | "this" | "it" | "me") { last } else { fragment };
    let last = decoded(last);
    let name =
        last.rsplit_once('.').filter(|(_, end)| end.len() <= 5).map_or(last.as_str(), |(name, _)| name);
    let said = name.split(['_', '-', '+', ' ', '(', ')', ',']).filter(|word| !word.is_empty());
    let said = said.collect::<Vec<_>>().join(" ");
    let is_telling = said.chars().any(char::is_alphabetic)
        && !said.chars().any(char::is_numeric)
        && !EMPTY.contains(&said.to_lowercase().as_str());
    is_telling.then_some(said)
}

/// The language of an address: Wikipedia names it.
pub(super) fn language(address: &str) -> Language {
    let host = address.split_once("://").and_then(|(_, place)| place.split('/').next()).unwrap_or_default();
    let tag = host.strip_suffix(".wikipedia.org").or_else(|| host.strip_suffix(".dbpedia.org"));
    tag.filter(|tag| tag.len() <= 3 && *tag != "www").map_or_else(Language::default, Language::of)
}

/// Whether a program can read what is there.
pub(super) fn is_page(address: &str) -> bool {
    (address.starts_with("http://") || address.starts_with("https://"))
        && !address.starts_with(super::NOWHERE)
}

/// `%C3%A9` is `é`.
fn decoded(part: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(part.len()), part.as_bytes());
    while let [first, tail @ ..] = rest {
        let hex = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)).map(|(high, low)| high * 16 + low),
            _ => None,
        };
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_of_an_address_is_read() {
        let say = |address: &str| words(address).unwrap_or_default();
        assert_eq!(say("https://en.wikipedia.org/wiki/Tropical_cyclone"), "Tropical cyclone");
        assert_eq!(say("http://dbpedia.org/resource/Caf%C3%A9_(film)"), "Café film");
        assert_eq!(say("http://www.w3.org/RDF/"), "RDF");
        assert_eq!(say("http://example.org/tea/green-tea.html?x=1"), "green tea");
        assert_eq!(say("http://example.org/ontology#Storm"), "Storm");
        for nothing in [
            "http://example.org/",
            "http://example.org",
            "http://www.wikidata.org/entity/Q42",
            "urn:x",
            "http://a/%",
        ] {
            assert_eq!(say(nothing), "", "{nothing}");
        }
        assert_eq!(language("https://de.wikipedia.org/wiki/Sturm"), Language::of("de"));
    }
}
