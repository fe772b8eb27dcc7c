//! What reaches a terminal: colours that mean something, and no control characters of a hostile page.

use anstyle::{AnsiColor, Style};
use std::fmt::Write;
use std::io::IsTerminal;
use tidemark_core::render::text::is_harmful;

pub(crate) const ADDED: Style = AnsiColor::Green.on_default();
pub(crate) const REMOVED: Style = AnsiColor::Red.on_default();
pub(crate) const CHANGED: Style = AnsiColor::Yellow.on_default();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const STRONG: Style = Style::new().bold();

/// Longest piece of page text shown on one line.
const WIDTH: usize = 160;

/// Text of a page made safe to print: one line, control and direction characters spelled out, clipped.
pub(crate) fn printable(text: &str) -> String {
    let mut safe = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == WIDTH {
            safe.push('…');
            break;
        }
        match character {
            '\n' => safe.push_str("\\n"),
            '\t' => safe.push_str("\\t"),
            character if is_harmful(character) => {
                write!(safe, "\\u{{{:x}}}", u32::from(character)).expect("a string takes any text");
            }
            character => safe.push(character),
        }
    }
    safe
}

/// Text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// "1 node", "2 nodes".
pub(crate) fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// What stands at the end of a list that was cut.
pub(crate) fn more(count: usize, of: &str) -> String {
    format!("… {}{of} (--limit 0 for all)", counted(count, "more node"))
}

/// Asks for a secret on the terminal, which does not show what is typed.
pub(crate) fn secret(question: &str) -> std::io::Result<String> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let input = std::io::stdin();
    if !input.is_terminal() {
        return Err(std::io::Error::other("there is no terminal to ask on; name a variable that holds it"));
    }
    anstream::eprint!("{question}");
    let before = tcgetattr(&input)?;
    let mut silent = before.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    tcsetattr(&input, OptionalActions::Flush, &silent)?;
    let mut typed = String::new();
    let read = input.read_line(&mut typed);
    tcsetattr(&input, OptionalActions::Now, &before)?;
    anstream::eprintln!();
    read.map(|_| typed.trim_end_matches(['\r', '\n']).to_owned())
}

/// Prints what went wrong and why, to standard error.
pub(crate) fn complain(error: &anyhow::Error) {
    anstream::eprintln!("{} {error:#}", styled(REMOVED.bold(), "tidemark:"));
}

/// Whether the reader of our output went away, which is no fault.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(closed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_steer_the_terminal() {
        assert_eq!(printable("a\x1b[31mb\r\n\u{9b}c\u{202e}"), "a\\u{1b}[31mb\\u{d}\\n\\u{9b}c\\u{202e}");
        assert_eq!(printable("größe 日本"), "größe 日本");
    }

    #[test]
    fn long_text_is_clipped() {
        assert_eq!(printable(&"x".repeat(500)).chars().count(), WIDTH + 1);
    }

    #[test]
    fn one_is_singular() {
        assert_eq!((counted(1, "node"), counted(2, "node")), ("1 node".into(), "2 nodes".into()));
    }
}
