//! The port to those who are told: one message out, one word back.

use crate::message::Message;
use std::pin::Pin;
use std::time::Duration;

/// Delivers messages.
pub trait Courier: Send + Sync {
    /// Delivers a message to an address such as `mailto:ann@example.org`. Always ends, within time-outs of its own.
    fn deliver<'a>(&'a self, target: &'a str, message: &'a Message) -> Delivering<'a>;

    /// Checks an address before it is stored; returns it as it may be shown, without tokens and passwords.
    fn check(&self, target: &str) -> Result<String, String>;
}

/// A delivery under way.
pub type Delivering<'a> = Pin<Box<dyn Future<Output = Result<(), Refusal>> + Send + 'a>>;

/// Why a message was not delivered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{said}")]
pub struct Refusal {
    /// What happened, and what to do about it. Without secrets.
    pub said: String,
    /// Whether another try cannot help: the address is wrong, access was withdrawn, the message is not acceptable.
    pub for_good: bool,
    /// How long the service asks to be left alone.
    pub wait: Option<Duration>,
}

impl Refusal {
    /// Something that may be better next time.
    pub fn passing(said: impl Into<String>) -> Self {
        Self { said: said.into(), for_good: false, wait: None }
    }

    /// Something that will not be better next time.
    pub fn for_good(said: impl Into<String>) -> Self {
        Self { said: said.into(), for_good: true, wait: None }
    }
}
