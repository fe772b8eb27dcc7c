//! What is done on a page before it is looked at, and how that is written: a word, an element, and what it needs.
//!
//! ```text
//! click #more          type #user ann       secret #password      select #size XL
//! consent              scroll 3             wait .loaded          wait 2s
//! ```
//!
//! An element is a CSS selector; in quotes if it has spaces and something follows it. Typed texts are shown nowhere, whether they are secrets or not.

use crate::secret::Sealed;
use crate::span;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

const LONGEST: usize = 2000;
const MOST_SCROLLS: u32 = 50;
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// One thing that is done.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Clicks an element.
    Click(String),
    /// Types a text into a field.
    Type {
        /// The field.
        field: String,
        /// The text.
        text: String,
    },
    /// Types a secret into a field.
    Secret {
        /// The field.
        field: String,
        /// The secret.
        secret: Sealed,
    },
    /// Chooses an option of a list.
    Select {
        /// The list.
        field: String,
        /// Its value or what it says.
        option: String,
    },
    /// Scrolls to the end, and again when the page has grown; so often at most.
    Scroll(u32),
    /// Waits so long.
    Pause(Duration),
    /// Waits for an element to appear.
    Await(String),
    /// Says no, or else yes, to a dialogue about cookies, if there is one.
    Consent,
}

/// Why a text is no step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// A word that is none of ours.
    #[error("'{0}' is no step: click, type, secret, select, scroll, wait and consent are")]
    Unknown(String),
    /// Something lacks.
    #[error("'{step}' needs {needs}")]
    Needs {
        /// The word.
        step: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// Something is too much.
    #[error("{0}")]
    Beyond(String),
    /// The secret is not to be had.
    #[error("the secret for '{field}': {reason}")]
    Secret {
        /// The field.
        field: String,
        /// Why.
        reason: String,
    },
}

impl Step {
    /// Reads a step; `seal` gets the secret for a field, from where the text says, and seals it.
    pub fn parse(
        text: &str,
        seal: impl FnOnce(&str, Option<&str>) -> Result<Sealed, String>,
    ) -> Result<Self, StepError> {
        let text = text.trim();
        if text.len() > LONGEST {
            return Err(StepError::Beyond(format!("a step has more than {LONGEST} bytes")));
        }
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "click" => element("click", rest).map(Self::Click),
            "type" => field("type", "a field and a text, such as: type #user ann", rest)
                .map(|(field, text)| Self::Type { field, text }),
            "select" => field("select", "a list and an option, such as: select #size XL", rest)
                .map(|(field, option)| Self::Select { field, option }),
            "secret" => secret(rest, seal),
            "scroll" => scroll(rest),
            "wait" => wait(rest),
            "consent" if rest.is_empty() => Ok(Self::Consent),
            "consent" => Err(StepError::Beyond("'consent' stands alone".to_owned())),
            _ => Err(StepError::Unknown(word.chars().take(40).collect())),
        }
    }

    /// Whether it types something that must not be shown.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Type { .. } | Self::Secret { .. })
    }
}

/// As it is written, without what is typed.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Click(element) => write!(f, "click {element}"),
            Self::Type { field, .. } => write!(f, "type {field} …"),
            Self::Secret { field, .. } => write!(f, "secret {field}"),
            Self::Select { field, option } => write!(f, "select {field} {option}"),
            Self::Scroll(times) => write!(f, "scroll {times}"),
            Self::Pause(time) => write!(f, "wait {} ms", time.as_millis()),
            Self::Await(element) => write!(f, "wait {element}"),
            Self::Consent => f.write_str("consent"),
        }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Step({self})")
    }
}

fn element(step: &'static str, rest: &str) -> Result<String, StepError> {
    let element = rest.trim_matches('"').trim();
    let needs = "an element: a CSS selector such as #more";
    if element.is_empty() { Err(StepError::Needs { step, needs }) } else { Ok(element.to_owned()) }
}

/// A selector, and what follows it.
fn field(step: &'static str, needs: &'static str, rest: &str) -> Result<(String, String), StepError> {
    let (field, text) = split(rest);
    if field.is_empty() || text.is_empty() {
        return Err(StepError::Needs { step, needs });
    }
    Ok((field.to_owned(), text.to_owned()))
}

fn split(rest: &str) -> (&str, &str) {
    let quoted = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let (field, text) = quoted.or_else(|| rest.split_once(char::is_whitespace)).unwrap_or((rest, ""));
    (field.trim(), text.trim())
}

fn secret(
    rest: &str,
    seal: impl FnOnce(&str, Option<&str>) -> Result<Sealed, String>,
) -> Result<Step, StepError> {
    let (field, source) = split(rest);
    if field.is_empty() {
        return Err(StepError::Needs {
            step: "secret",
            needs: "a field, and perhaps the variable that holds the secret: secret #password SITE_PASSWORD",
        });
    }
    let source = Some(source).filter(|source| !source.is_empty());
    let field = field.to_owned();
    match seal(&field, source) {
        Ok(secret) => Ok(Step::Secret { field, secret }),
        Err(reason) => Err(StepError::Secret { field, reason }),
    }
}

fn scroll(rest: &str) -> Result<Step, StepError> {
    let times = if rest.is_empty() { Some(10) } else { rest.parse().ok() };
    let times = times.filter(|times| (1..=MOST_SCROLLS).contains(times));
    times.map(Step::Scroll).ok_or_else(|| {
        StepError::Beyond(format!("'scroll' takes how often, from 1 to {MOST_SCROLLS}, not '{rest}'"))
    })
}

/// A length of time begins with a digit; no selector does.
fn wait(rest: &str) -> Result<Step, StepError> {
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        let needs = "an element or a length of time, such as: wait .loaded, wait 2s";
        return element("wait", rest).map(Step::Await).map_err(|_| StepError::Needs { step: "wait", needs });
    }
    let time = span::parse(rest).map_err(StepError::Beyond)?;
    if time > LONGEST_PAUSE {
        let longest = LONGEST_PAUSE.as_secs();
        return Err(StepError::Beyond(format!("'wait {rest}' is longer than {longest} s")));
    }
    Ok(Step::Pause(time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Vault;

    fn parse(text: &str) -> Result<Step, StepError> {
        Step::parse(text, |_, source| match source {
            Some("GONE") => Err("the variable GONE is not set".to_owned()),
            _ => Ok(Vault::new(&[1; 32]).seal("hunter2", [2; 24])),
        })
    }

    #[test]
    fn steps_are_read_as_they_are_written() {
        for (text, shown) in [
            ("click #more", "click #more"),
            ("  click   main .a > b ", "click main .a > b"),
            ("type #user ann lee", "type #user …"),
            ("type \"form .user\" ann", "type form .user …"),
            ("secret #password", "secret #password"),
            ("secret #password SITE", "secret #password"),
            ("select #size XL", "select #size XL"),
            ("scroll", "scroll 10"),
            ("scroll 3", "scroll 3"),
            ("wait .loaded", "wait .loaded"),
            ("wait 2s", "wait 2000 ms"),
            ("consent", "consent"),
        ] {
            assert_eq!(parse(text).unwrap().to_string(), shown, "{text}");
        }
    }

    #[test]
    fn what_is_no_step_is_refused_with_words() {
        for (text, said) in [
            ("", "is no step"),
            ("dance", "click, type"),
            ("click", "needs an element"),
            ("type #user", "needs a field and a text"),
            ("select #size", "needs a list"),
            ("secret", "needs a field"),
            ("secret #p GONE", "is not set"),
            ("scroll -1", "from 1 to 50"),
            ("scroll 9999", "from 1 to 50"),
            ("wait", "needs an element or a length"),
            ("wait 2y", "not a length of time"),
            ("wait 2h", "longer than 30 s"),
            ("consent now", "stands alone"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        assert!(parse(&format!("click {}", "x".repeat(3000))).is_err());
    }

    #[test]
    fn nothing_that_is_typed_is_shown() {
        for step in [parse("type #user hunter2").unwrap(), parse("secret #user").unwrap()] {
            assert!(!format!("{step:?} {step}").contains("hunter2") && step.is_secret());
        }
        assert!(!serde_json::to_string(&parse("secret #user").unwrap()).unwrap().contains("hunter2"));
    }
}
