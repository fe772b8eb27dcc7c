//! Words of a hostile page, made harmless before anybody writes them into a message. What a service reads as markup is escaped by its dialect; here goes
//! what no escaping helps against: characters that cannot be seen, turn the direction of writing or end lines, and words that a service makes links
//! and mentions of by itself.

/// Joins two characters without being seen, so that what they spell is no name, tag, command or address to a program. It does not break a line.
const JOINER: char = '\u{2060}';

/// In one line, without what cannot be seen.
pub(crate) fn clean(text: &str) -> String {
    text.chars().filter_map(harmless).collect()
}

/// The first characters of a line; an ellipsis says that there are more.
pub(crate) fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Nothing in it is a mention, a hashtag, a command or an address to a service that looks for them in plain text.
pub(crate) fn defuse(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 8);
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        safe.push(character);
        let next = rest.peek().copied();
        if is_lure(before, character, next) {
            safe.push(JOINER);
        }
        before = Some(character);
    }
    safe
}

/// Where a piece ends or begins, the next one may go on with anything.
fn is_lure(before: Option<char>, character: char, next: Option<char>) -> bool {
    let after = |test: fn(char) -> bool| next.is_none_or(test);
    match character {
        '@' | '#' | '/' | '$' => after(|next| !next.is_whitespace()),
        // A name of a host, but no number.
        '.' => before.is_none_or(char::is_alphanumeric) && after(char::is_alphabetic),
        // A scheme, but no time of day.
        ':' => before.is_none_or(char::is_alphabetic) && after(|next| !next.is_whitespace()),
        '{' => after(|next| next == '{'),
        _ => false,
    }
}

fn harmless(character: char) -> Option<char> {
    match character {
        '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        _ if character.is_control() || is_unseen(character) => None,
        _ => Some(character),
    }
}

/// Marks of direction, fillers, tags, and what is no character at all. Joiners stay: letters of some scripts and faces are made with them.
fn is_unseen(character: char) -> bool {
    let code = u32::from(character);
    matches!(code,
        0xAD | 0x61C | 0x115F | 0x1160 | 0x180E | 0x200B | 0x200E | 0x200F | 0x202A..=0x202E | 0x2060..=0x206F
        | 0x3164 | 0xFDD0..=0xFDEF | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0xE0000..=0xE0FFF)
        || code & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_goes_and_lines_become_one() {
        assert_eq!(clean("a\r\nb\u{2028}c\u{202e}d\u{0}e\u{feff}"), "a  b cde");
        assert_eq!(clean("👩\u{200d}🚀 می\u{200c}خواهم"), "👩\u{200d}🚀 می\u{200c}خواهم");
        assert_eq!(short("abcdef", 4), "abc…");
        assert_eq!(short("abcd", 4), "abcd");
    }

    #[test]
    fn what_would_be_a_link_is_none() {
        assert_eq!(defuse("@room"), "@\u{2060}room");
        for text in
            ["https://a.example", "www.a.example", "mailto:a@b", "/start", "#tag", "$USD", "{{DATE(x)}}"]
        {
            assert_ne!(defuse(text), text, "{text}");
        }
        for text in ["12.50 €", "at 10:30", "yes. No: never", "a / b", "3 @ 4"] {
            assert_eq!(defuse(text), text);
        }
    }
}
