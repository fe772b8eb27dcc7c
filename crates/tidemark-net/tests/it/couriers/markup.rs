//! Strict readers of what services read: HTML of few tags, Discord's Markdown, Slack's text. They tell what is wrong, and what a person would see.

use std::fmt::Write as _;

/// Reads HTML that closes what it opens, knows these tags and four references; returns what is seen.
pub(crate) fn html(text: &str, tags: &[&str]) -> Result<String, String> {
    let (mut seen, mut open, mut rest) = (String::new(), Vec::new(), text);
    while let Some(at) = rest.find(['<', '>', '&']) {
        seen.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('>') {
            return Err(format!("a bare > before {:?}", head(rest)));
        } else if rest.starts_with('&') {
            let (shown, length) = reference(rest)?;
            seen.push(shown);
            rest = &rest[length..];
        } else {
            let end = rest.find('>').ok_or("a tag that does not end")?;
            tag(&rest[1..end], tags, &mut open, &mut seen)?;
            rest = &rest[end + 1..];
        }
    }
    seen.push_str(rest);
    if open.is_empty() { Ok(seen) } else { Err(format!("not closed: {open:?}")) }
}

fn reference(text: &str) -> Result<(char, usize), String> {
    let known = [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"')];
    let found = known.iter().find(|(name, _)| text.starts_with(name));
    found.map(|(name, shown)| (*shown, name.len())).ok_or_else(|| format!("a bare & before {:?}", head(text)))
}

fn tag(inside: &str, tags: &[&str], open: &mut Vec<String>, seen: &mut String) -> Result<(), String> {
    if let Some(name) = inside.strip_prefix('/') {
        return if open.pop().as_deref() == Some(name) {
            Ok(())
        } else {
            Err(format!("</{name}> closes nothing"))
        };
    }
    let (name, attributes) = inside.split_once(' ').unwrap_or((inside, ""));
    if !tags.contains(&name) {
        return Err(format!("a tag that is not allowed: {name}"));
    }
    let web = |value: &str| ["http://", "https://"].iter().any(|start| value.starts_with(start));
    match (name, attributes.split_once("=\"")) {
        ("a", Some(("href", value))) if web(value) && value.trim_end_matches('"').find('"').is_none() => {}
        ("font", Some(("color", value))) if value.starts_with('#') && value.len() == 8 => {}
        ("br" | "b" | "i" | "u" | "s" | "p" | "del", None) if attributes.is_empty() => {}
        _ => return Err(format!("attributes that are not allowed: {inside}")),
    }
    if name == "br" || name == "p" {
        seen.push('\n');
    }
    if name != "br" {
        open.push(name.to_owned());
    }
    Ok(())
}

/// Reads Markdown in which every mark is escaped but for bold, strike, underline and links in angle brackets.
pub(crate) fn markdown(text: &str) -> Result<String, String> {
    let (mut seen, mut rest) = (String::new(), text);
    let mut open: Vec<&str> = Vec::new();
    while let Some(character) = rest.chars().next() {
        let pair = ["**", "~~", "__"].into_iter().find(|mark| rest.starts_with(mark));
        if let Some(mark) = pair {
            if open.last() == Some(&mark) {
                open.pop();
            } else {
                open.push(mark);
            }
            rest = &rest[2..];
        } else if let Some(after) = rest.strip_prefix('\\') {
            let escaped = after.chars().next().ok_or("a backslash at the end")?;
            if escaped.is_alphanumeric() || escaped.is_whitespace() {
                return Err(format!("a backslash before {escaped:?} is shown"));
            }
            seen.push(escaped);
            rest = &after[escaped.len_utf8()..];
        } else if let Some(after) = rest.strip_prefix("](<") {
            if open.pop() != Some("[") {
                return Err("a link without a beginning".into());
            }
            let end = after.find(">)").ok_or("a link without an end")?;
            let address = &after[..end];
            if !address.starts_with("http") || address.contains(['<', '>', '(', ')', ' ', '\n']) {
                return Err(format!("a link to {address}"));
            }
            rest = &after[end + 2..];
        } else if character == '[' {
            open.push("[");
            rest = &rest[1..];
        } else if "*_~`|<>[]()#@".contains(character) {
            return Err(format!("{character} is not escaped in {:?}", head(rest)));
        } else {
            seen.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    if open.is_empty() { Ok(seen) } else { Err(format!("not closed: {open:?}")) }
}

/// Nothing in a text is an address, a name or a command to who looks for them.
pub(crate) fn lures(seen: &str) -> Result<(), String> {
    let characters: Vec<char> = seen.chars().collect();
    for pair in characters.windows(2) {
        let lure = matches!(pair[0], '@' | '#' | '/') && pair[1].is_alphanumeric() || pair == ['{', '{'];
        if lure {
            return Err(format!("a lure: {}{}", pair[0], pair[1]));
        }
    }
    for word in ["://", "evil.example", "@everyone", "@room"] {
        if seen.contains(word) {
            return Err(format!("a lure: {word}"));
        }
    }
    Ok(())
}

/// No lines but ours, nothing that cannot be seen.
pub(crate) fn visible(seen: &str) -> Result<(), String> {
    let odd = |c: char| {
        c != '\n'
            && (c.is_control()
                || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}'))
    };
    let mut said = String::new();
    if let Some(found) = seen.chars().find(|c| odd(*c)) {
        let _ = write!(said, "U+{:04X} is in it", u32::from(found));
        return Err(said);
    }
    Ok(())
}

fn head(text: &str) -> String {
    text.chars().take(20).collect()
}

#[test]
fn the_readers_refuse_what_services_refuse() {
    let tags = &["b", "a"];
    for wrong in [
        "<b>x",
        "x</b>",
        "<i>x</i>",
        "a < b",
        "a > b",
        "a & b",
        "&nbsp;",
        "<b><a href=\"http://x\">x</b></a>",
        "<a href=\"javascript:x\">x</a>",
    ] {
        assert!(html(wrong, tags).is_err(), "{wrong}");
    }
    assert_eq!(html("<b>1 &lt; <a href=\"http://x\">2</a></b>", tags).as_deref(), Ok("1 < 2"));
    for wrong in ["*x*", "a_b", "<@1>", "[x](y)", "**x", "`x`", "x\\", "\\a", "@x"] {
        assert!(markdown(wrong).is_err(), "{wrong}");
    }
    assert_eq!(markdown("**1\\*** [x](<http://y>)").as_deref(), Ok("1* x"));
    assert!(lures("see evil.example").is_err() && lures("@\u{2060}room").is_ok());
}
