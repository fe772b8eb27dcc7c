//! How a page is shown in a browser before it is looked at: when, with what steps, on which screen.
//!
//! Part of a [`Request`](crate::request::Request), since another screen or other steps give another page. The browser itself is behind the port of `fetch.rs`.

mod shell;
mod step;

pub use shell::is_shell;
pub use step::{Step, StepError};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The longest that a page may be waited for, and the usual.
const LONGEST_WAIT: Duration = Duration::from_mins(1);
const USUAL_WAIT: Duration = Duration::from_secs(10);

/// How a page is rendered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Render {
    /// Whether.
    pub when: When,
    /// What is waited for: an element, else until the network is quiet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_for: Option<String>,
    /// How long at most; also for the element of each step.
    pub patience: Duration,
    /// What is done on the page, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// The screen.
    pub device: Device,
    /// Language and region, such as `de-DE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// Whether a picture is taken.
    pub picture: bool,
}

/// Whether a page is rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// What the server sends is the page.
    #[default]
    Never,
    /// If what the server sends is a shell without text: see [`is_shell`].
    Auto,
    /// At every visit.
    Always,
}

/// A screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Device {
    /// In pixels of CSS.
    pub width: u32,
    /// In pixels of CSS.
    pub height: u32,
    /// Whether it is one of a telephone: touched, and two pixels for one of CSS.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mobile: bool,
}

impl Default for Render {
    fn default() -> Self {
        Self {
            when: When::Never,
            wait_for: None,
            patience: USUAL_WAIT,
            steps: Vec::new(),
            device: Device::default(),
            locale: None,
            picture: true,
        }
    }
}

impl Render {
    /// Whether no browser is ever needed.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The time for waiting, within reason.
    pub fn patience(&self) -> Duration {
        self.patience.min(LONGEST_WAIT)
    }
}

impl Device {
    const SMALLEST: u32 = 100;
    const LARGEST: u32 = 4000;

    /// A telephone.
    pub const PHONE: Self = Self { width: 390, height: 844, mobile: true };

    /// Pixels of the screen for one of CSS.
    pub fn scale(self) -> u32 {
        if self.mobile { 2 } else { 1 }
    }
}

impl Default for Device {
    fn default() -> Self {
        Self { width: 1280, height: 800, mobile: false }
    }
}

/// `1280x800` or `phone`.
impl FromStr for Device {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "phone" {
            return Ok(Self::PHONE);
        }
        let length = |text: &str| {
            let length = text.parse().ok();
            length.filter(|length| (Self::SMALLEST..=Self::LARGEST).contains(length))
        };
        let sides = text.split_once('x').and_then(|(width, height)| Some((length(width)?, length(height)?)));
        let (width, height) = sides.ok_or_else(|| {
            format!(
                "'{text}' is no screen: write phone, or width and height from {} to {} such as 1280x800",
                Self::SMALLEST,
                Self::LARGEST
            )
        })?;
        Ok(Self { width, height, mobile: false })
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PHONE => f.write_str("phone"),
            Self { width, height, .. } => write!(f, "{width}x{height}"),
        }
    }
}

/// A language tag as browsers take it: letters, digits and hyphens.
pub fn locale(text: &str) -> Result<String, String> {
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric());
    let is_tag = text.len() <= 35
        && text.split('-').all(is_part)
        && text.starts_with(|c: char| c.is_ascii_alphabetic());
    if is_tag { Ok(text.to_owned()) } else { Err(format!("'{text}' is no language; write it such as de-DE")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Request;

    #[test]
    fn a_request_without_a_browser_is_written_as_ever() {
        let plain = Request::get("https://example.org/").unwrap();
        assert!(!plain.key().contains("render"), "{}", plain.key());
        assert_eq!(serde_json::from_str::<Request>(&plain.key()).unwrap(), plain);
        let mut rendered = plain.clone();
        rendered.render.when = When::Always;
        rendered.render.steps.push(Step::Consent);
        assert_ne!(rendered.key(), plain.key());
        assert_eq!(serde_json::from_str::<Request>(&rendered.key()).unwrap(), rendered);
    }

    #[test]
    fn screens_and_languages_are_read_strictly() {
        assert_eq!("phone".parse(), Ok(Device::PHONE));
        assert_eq!("1024x768".parse(), Ok(Device { width: 1024, height: 768, mobile: false }));
        for wrong in ["", "x", "10x10", "1280", "1280x", "99999x800", "1280x800x2", "-5x800"] {
            assert!(wrong.parse::<Device>().is_err(), "{wrong}");
        }
        assert_eq!(locale("de-DE").as_deref(), Ok("de-DE"));
        for wrong in ["", "-", "de_DE", "de-", "de DE", "de\r\nX: y", "waytoolongword"] {
            assert!(locale(wrong).is_err(), "{wrong}");
        }
    }
}
