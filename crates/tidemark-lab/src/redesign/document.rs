//! A document of a template: its own words, its own paragraphs, lists and pictures.

use super::template::{CONTENT, Template, WORDS};
use crate::generate::common_word;
use fastrand::Rng;

/// What a document has besides its template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Which kind of page.
    pub(super) kind: usize,
    /// Blocks of content or items of a list.
    pub(super) size: usize,
    /// Whether a banner asks about cookies.
    pub(super) banner: bool,
    /// Whether it is the edition in another language.
    pub(super) foreign: bool,
}

/// The page.
pub(super) fn document(template: &Template, plan: Plan, rng: &mut Rng) -> String {
    let kind = &template.kinds[plan.kind % template.kinds.len()];
    let content = match &kind.item {
        Some(item) => item.repeat(plan.size),
        None => (0..plan.size).map(|_| block(rng)).collect(),
    };
    let body = kind.around.replacen(CONTENT, &content, 1);
    let page = template.frame.replacen(CONTENT, &body, 1) + &template.extra;
    let language = if plan.foreign { " lang=ar dir=rtl" } else { " lang=en" };
    let banner = if plan.banner { BANNER } else { "" };
    let head = template.resources.concat();
    filled(
        &format!(
            "<!doctype html><html{language}><head><title>{WORDS}</title>{head}</head><body>{banner}{page}"
        ),
        rng,
    )
}

/// A page of another maker: what a stream brings now and then.
pub(super) fn stray(maker: u64, rng: &mut Rng) -> String {
    let template = Template::new(1, &mut Rng::with_seed(maker));
    let plan = Plan { kind: 0, size: rng.usize(1..20), banner: false, foreign: false };
    document(&template, plan, rng)
}

const BANNER: &str = "<div class=consent-box><p>\u{1}</p><button class=consent-yes>\u{1}</button></div>";

fn block(rng: &mut Rng) -> String {
    match rng.u8(..12) {
        0 => format!("<h2>{WORDS}</h2>"),
        1 => format!("<ul>{}</ul>", format!("<li>{WORDS}</li>").repeat(rng.usize(2..6))),
        2 => format!("<pre><code>{WORDS}</code></pre>"),
        3 => format!("<blockquote><p>{WORDS}</p></blockquote>"),
        4 => format!("<figure><img src=/p.jpg><figcaption>{WORDS}</figcaption></figure>"),
        5 => format!("<p>{WORDS} <em>{WORDS}</em> {WORDS}</p>"),
        6 | 7 => format!("<p>{WORDS} <a href=/x>{WORDS}</a> {WORDS}</p>"),
        8 => format!("<table><tr><th>{WORDS}</th><td>{WORDS}</td></tr></table>"),
        _ => format!("<p>{WORDS}</p>"),
    }
}

/// Words in all places for words.
pub(crate) fn filled(page: &str, rng: &mut Rng) -> String {
    let mut out = String::with_capacity(page.len() * 2);
    for letter in page.chars() {
        if letter == WORDS {
            let words: Vec<&str> = (0..rng.usize(1..6)).map(|_| common_word(rng)).collect();
            out += &words.join(" ");
        } else {
            out.push(letter);
        }
    }
    out
}
