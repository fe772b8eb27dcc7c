//! What a native file says about its page besides the tree, as lines of text: `key=value`.

use super::NativeError;
use crate::digest::About;
use crate::digest::residue::Residue;
use crate::digest::style::{Choice, Empty, LONGEST_REFERENCE, Newline, Style};
use crate::page::decode::Evidence;
use crate::page::{Format, Limits, Note};
use encoding_rs::Encoding;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What the section holds.
pub(crate) struct Described {
    pub(crate) about: About,
    pub(crate) style: Style,
    /// Hash of the page's bytes.
    pub(crate) hash: u64,
}

/// Writes the section.
pub(crate) fn write(about: &About, residue: &Residue) -> Vec<u8> {
    let mut text = String::new();
    let mut line = |key: &str, value: &str| writeln!(text, "{key}={value}").expect("a string takes any text");
    line("format", about.format.name());
    line("encoding", about.encoding.name());
    line("evidence", about.evidence.name());
    line("bytes", &about.bytes.to_string());
    line("hash", &format!("{:016x}", residue.hash));
    for note in &about.notes {
        line("note", &note_line(note));
    }
    let style = &residue.style;
    line("newline", style.newline.name());
    line("empty", style.empty.name());
    for choice in Choice::ALL.into_iter().filter(|&choice| style.has(choice)) {
        line("style", choice.name());
    }
    for (&character, name) in &style.references {
        line("reference", &format!("{:x} {name}", u32::from(character)));
    }
    line("omitted-starts", &numbers(&style.omitted_starts));
    line("omitted-ends", &numbers(&style.omitted_ends));
    text.into_bytes()
}

/// Reads the section.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Described, NativeError> {
    let text = std::str::from_utf8(bytes).map_err(|_| MALFORMED)?;
    let mut style = Style::default();
    let (mut format, mut encoding, mut evidence, mut size, mut hash) = (None, None, None, None, None);
    let mut notes = Vec::new();
    for line in text.lines() {
        let (key, value) = line.split_once('=').ok_or(MALFORMED)?;
        match key {
            "format" => format = Format::from_name(value),
            "encoding" => encoding = Encoding::for_label(value.as_bytes()),
            "evidence" => evidence = Some(named(Evidence::ALL, Evidence::name, value)?),
            "bytes" => size = value.parse().ok(),
            "hash" => hash = u64::from_str_radix(value, 16).ok(),
            "note" => notes.push(read_note(value).ok_or(MALFORMED)?),
            "newline" => style.newline = named(Newline::ALL, Newline::name, value)?,
            "empty" => style.empty = named(Empty::ALL, Empty::name, value)?,
            "style" => style.choices.insert(named(Choice::ALL, Choice::name, value)?),
            "reference" => style.references.extend([read_reference(value).ok_or(MALFORMED)?]),
            "omitted-starts" => style.omitted_starts = read_numbers(value).ok_or(MALFORMED)?,
            "omitted-ends" => style.omitted_ends = read_numbers(value).ok_or(MALFORMED)?,
            _ => return Err(MALFORMED),
        }
    }
    let about = About {
        format: format.ok_or(MALFORMED)?,
        encoding: encoding.ok_or(MALFORMED)?,
        evidence: evidence.ok_or(MALFORMED)?,
        bytes: size.ok_or(MALFORMED)?,
        notes,
    };
    if about.bytes > limits.bytes {
        return Err(NativeError::TooLarge("the page has too many bytes"));
    }
    Ok(Described { about, style, hash: hash.ok_or(MALFORMED)? })
}

const MALFORMED: NativeError = NativeError::Malformed("the description of the page is not readable");

fn named<T: Copy, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
    wanted: &str,
) -> Result<T, NativeError> {
    all.into_iter().find(|&one| name(one) == wanted).ok_or(MALFORMED)
}

fn read_reference(line: &str) -> Option<(char, String)> {
    let (code, name) = line.split_once(' ')?;
    // A longer one could make a small file into a huge page.
    let sound =
        name.len() <= LONGEST_REFERENCE && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'#');
    if !sound {
        return None;
    }
    Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, name.to_owned()))
}

fn numbers(set: &BTreeSet<u32>) -> String {
    set.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn read_numbers(line: &str) -> Option<BTreeSet<u32>> {
    line.split_ascii_whitespace().map(|number| number.parse().ok()).collect()
}

fn note_line(note: &Note) -> String {
    match note {
        Note::Undecodable => "undecodable".to_owned(),
        Note::DepthCapped => "depth-capped".to_owned(),
        Note::AttributesCapped => "attributes-capped".to_owned(),
        Note::NotWellFormed { at, reason } => format!("not-well-formed {at} {reason}"),
    }
}

fn read_note(line: &str) -> Option<Note> {
    match line {
        "undecodable" => Some(Note::Undecodable),
        "depth-capped" => Some(Note::DepthCapped),
        "attributes-capped" => Some(Note::AttributesCapped),
        _ => {
            let (at, reason) = line.strip_prefix("not-well-formed ")?.split_once(' ')?;
            Some(Note::NotWellFormed { at: at.parse().ok()?, reason: reason.to_owned() })
        }
    }
}
