//! What a hostile file could do to a parser, found before it is asked.
//!
//! Entities of XML may be made of entities, ten of ten of ten; brackets may nest without end. Cost: one pass over the text each.

use super::FoafError;
use rustc_hash::FxHashMap;

/// Largest text that all references to entities may make together.
const MOST_EXPANDED: usize = 1 << 22;
const DEEPEST: usize = 128;

/// Refuses entities made of entities, and references that make too much text.
pub(super) fn check_entities(xml: &str) -> Result<(), FoafError> {
    let mut sizes: FxHashMap<&str, usize> = FxHashMap::default();
    for declaration in xml.split("<!ENTITY").skip(1) {
        let Some((name, value)) = entity(declaration) else { continue };
        if value.contains('&') {
            return Err(FoafError::Entities);
        }
        let size = sizes.entry(name).or_default();
        *size = (*size).max(value.len());
    }
    let references = xml.split('&').skip(1).filter_map(|rest| rest.split_once(';'));
    let expanded: usize = references.filter_map(|(name, _)| sizes.get(name)).sum();
    if expanded > MOST_EXPANDED { Err(FoafError::Entities) } else { Ok(()) }
}

/// ` name "value"` of a declaration; a system identifier is none of ours.
fn entity(declaration: &str) -> Option<(&str, &str)> {
    let (name, rest) = declaration.trim_start().split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    Some((name, rest[1..].split(quote).next()?))
}

/// Refuses brackets nested deeper than any profile is; those in strings count too, which hardly matters.
pub(super) fn check_nesting(text: &str) -> Result<(), FoafError> {
    let mut depth = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(FoafError::Deep);
        }
    }
    Ok(())
}

/// Refuses elements nested deeper than any profile is. Every tag counts, also in comments: what closes too often is an error for the parser.
pub(super) fn check_elements(xml: &str) -> Result<(), FoafError> {
    let mut depth = 0_usize;
    for tag in xml.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        match tag.as_bytes().first() {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') | None => {}
            Some(_) if tag.ends_with('/') => {}
            Some(_) => depth += 1,
        }
        if depth > DEEPEST {
            return Err(FoafError::Deep);
        }
    }
    Ok(())
}
