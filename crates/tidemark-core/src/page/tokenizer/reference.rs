//! Character references: `&amp;`, `&#38;`, `&#x26;`.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// The characters a reference stands for, and the length of the reference.
///
/// In attributes, a name without `;` is no reference if a letter, a digit or `=` follows: `?a=1&copy=2` is an address.
pub(super) fn read(text: &str, in_attribute: bool) -> Option<(String, usize)> {
    match text.as_bytes().get(1)? {
        b'#' => numeric(text),
        first if first.is_ascii_alphanumeric() => named(text, in_attribute),
        _ => None,
    }
}

fn named(text: &str, in_attribute: bool) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let (mut end, mut found) = (2, None);
    // Beginnings of names are in the table, too, and stand for nothing.
    while let Some(&(first, second)) = text.get(1..end).and_then(|name| NAMED_ENTITIES.get(name)) {
        if first != 0 {
            found = Some(((first, second), end));
        }
        end += 1;
    }
    let ((first, second), end) = found?;
    let goes_on = bytes.get(end).is_some_and(|&next| next == b'=' || next.is_ascii_alphanumeric());
    if in_attribute && bytes[end - 1] != b';' && goes_on {
        return None;
    }
    let second = (second != 0).then_some(second);
    Some((std::iter::once(first).chain(second).filter_map(char::from_u32).collect(), end))
}

fn numeric(text: &str) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let hexadecimal = matches!(bytes.get(2), Some(b'x' | b'X'));
    let (start, base) = if hexadecimal { (3, 16) } else { (2, 10) };
    let mut value = 0u32;
    let mut end = start;
    while let Some(digit) = bytes.get(end).and_then(|&byte| char::from(byte).to_digit(base)) {
        value = value.saturating_mul(base).saturating_add(digit);
        end += 1;
    }
    if end == start {
        return None;
    }
    if bytes.get(end) == Some(&b';') {
        end += 1;
    }
    Some((character(value).to_string(), end))
}

fn character(value: u32) -> char {
    let windows_1252 =
        value.checked_sub(0x80).and_then(|at| C1_REPLACEMENTS.get(at as usize).copied().flatten());
    match value {
        0 => char::REPLACEMENT_CHARACTER,
        _ => windows_1252.or(char::from_u32(value)).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}
