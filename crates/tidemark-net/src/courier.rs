//! Couriers: they deliver a message to an address, by mail or over HTTP, each within the limits and in the writing of its service.
//!
//! ```text
//! Message ─ blocks (clean) ─ fit (whole blocks, as the dialect counts) ─ write (escaped) ─► Post ─ guard ─► Word ─ judge ─► taken, later, never
//!                                                                                     └──► mail ─ our own TLS ─► SMTP
//! ```
//!
//! All text is hostile: it came from pages. Nothing else is believed either: an answer is read to a bound, and what is said of it holds no secret.

mod answer;
mod clean;
mod dialect;
mod discord;
mod fit;
mod mail;
mod matrix;
mod push;
mod route;
mod slack;
mod target;
mod teams;
mod telegram;
mod webhook;
mod wording;

pub use mail::MailSettings;

use crate::client::{Client, Inner};
use crate::settings::NetError;
use mail::Mail;
use std::fmt;
use std::sync::Arc;
use target::Target;
use tidemark_engine::courier::{Courier, Delivering, Refusal};
use tidemark_engine::message::Message;
use url::Url;

/// A secret shorter than this is not looked for in what is said: it would be found everywhere.
const SECRET: usize = 4;

/// Delivers messages. Shares its connections, limits and trust with the client it was made from. Needs a tokio runtime.
pub struct Couriers {
    inner: Arc<Inner>,
    mail: Mail,
    bases: Bases,
}

/// Where the services are that have one address for all.
#[derive(Clone, Debug)]
pub struct Bases {
    /// `https://discord.com/`
    pub discord: Url,
    /// `https://api.telegram.org/`
    pub telegram: Url,
    /// `https://api.pushover.net/`
    pub pushover: Url,
}

impl Couriers {
    /// Couriers on the connections of a client.
    pub fn new(client: &Client, mail: MailSettings) -> Result<Self, NetError> {
        Self::with_bases(client, mail, Bases::usual()?)
    }

    /// With services elsewhere: a mirror, a gateway, a fake. They pass the guard as all others do.
    pub fn with_bases(client: &Client, mail: MailSettings, bases: Bases) -> Result<Self, NetError> {
        Ok(Self { inner: client.inner(), mail: Mail::new(mail)?, bases })
    }

    async fn send(&self, target: &Target, message: &Message) -> Result<(), Refusal> {
        if let Target::Mail(address) = target {
            return self.mail.send(&self.inner, address, message).await;
        }
        let Some((service, post)) = route::post(target, &self.bases, message)? else { return Ok(()) };
        let word = self.inner.post(post).await.map_err(|failure| answer::unsent(service, &failure))?;
        answer::judge(service, &word)
    }
}

impl Courier for Couriers {
    fn deliver<'a>(&'a self, target: &'a str, message: &'a Message) -> Delivering<'a> {
        Box::pin(async move {
            let target = Target::parse(target).map_err(Refusal::for_good)?;
            self.send(&target, message).await.map_err(|refusal| without(&target.secrets(), refusal))
        })
    }

    fn check(&self, target: &str) -> Result<String, String> {
        let target = Target::parse(target)?;
        if matches!(target, Target::Mail(_)) {
            self.mail.check()?;
        }
        Ok(target.masked())
    }
}

impl Bases {
    fn usual() -> Result<Self, NetError> {
        let at = |text: &str| {
            let reason = "it is no address";
            Url::parse(text).map_err(|_| NetError::Setting { name: "bases", value: text.to_owned(), reason })
        };
        Ok(Self {
            discord: at("https://discord.com/")?,
            telegram: at("https://api.telegram.org/")?,
            pushover: at("https://api.pushover.net/")?,
        })
    }
}

impl fmt::Debug for Couriers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Couriers")
            .field("mail", &self.mail)
            .field("bases", &self.bases)
            .finish_non_exhaustive()
    }
}

/// Services repeat what they were sent, hosts have names: what is told has no token in it, wherever it is from.
fn without(secrets: &[String], mut refusal: Refusal) -> Refusal {
    let mut secrets: Vec<&String> = secrets.iter().filter(|secret| secret.len() >= SECRET).collect();
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    for secret in secrets {
        refusal.said = refusal.said.replace(secret.as_str(), "…");
    }
    refusal
}
