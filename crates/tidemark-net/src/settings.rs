//! How the client behaves: raw settings in, checked once, by [`Client::new`](crate::Client::new).

use crate::allow::Allow;
use crate::browser::BrowserSettings;
use crate::proxy;
use std::time::Duration;
use url::Url;

/// All that can be set.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long looking up a name, connecting and agreeing on a key may take together.
    pub connect: Duration,
    /// How long a server may think before the head of its answer is there, once connected.
    pub first_byte: Duration,
    /// How long it may pause within its answer.
    pub idle: Duration,
    /// How long a visit may take in all, redirects included; `robots.txt` is a visit of its own, and waiting for one's turn is not counted.
    pub total: Duration,
    /// How many bytes of a body are read.
    pub wire: u64,
    /// How many bytes it may have when unpacked.
    pub unpacked: u64,
    /// How many redirects are followed.
    pub redirects: usize,
    /// Where the people behind this instance are found, told to every site: a URL or a mail address.
    pub contact: Option<String>,
    /// Addresses that are not public and may be visited all the same.
    pub allow: Allow,
    /// The operator's proxy, through which everything goes: `http://`, `https://` or `socks5://`. It may have any address, for the operator named it.
    pub proxy: Option<Url>,
    /// How many exchanges run at the same time.
    pub concurrency: usize,
    /// How many of them with one host.
    pub per_host: usize,
    /// How many connections are kept open while nothing is asked.
    pub kept: usize,
    /// How long they are kept.
    pub kept_for: Duration,
    /// Further root certificates (PEM) to trust: of one's own network.
    pub roots: Vec<u8>,
    /// How pages are rendered that ask for it.
    pub browser: BrowserSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(20),
            idle: Duration::from_secs(15),
            total: Duration::from_mins(1),
            wire: 10 << 20,
            unpacked: 20 << 20,
            redirects: 10,
            contact: None,
            allow: Allow::default(),
            proxy: None,
            concurrency: 64,
            per_host: 2,
            kept: 64,
            kept_for: Duration::from_secs(30),
            roots: Vec::new(),
            browser: BrowserSettings::default(),
        }
    }
}

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// A setting that cannot be.
    #[error("the setting '{name}' cannot be {value}: {reason}")]
    Setting {
        /// Which.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Certificates that cannot be read.
    #[error("the root certificates cannot be used: {0}")]
    Roots(String),
}

impl Settings {
    /// What every site is told of us.
    pub fn user_agent(&self) -> String {
        let program = concat!("Tidemark/", env!("CARGO_PKG_VERSION"));
        self.contact.as_ref().map_or_else(|| program.to_owned(), |contact| format!("{program} (+{contact})"))
    }

    /// Whether it can be worked with.
    pub(crate) fn check(&self) -> Result<(), NetError> {
        for (name, value) in [("connect", self.connect), ("first_byte", self.first_byte), ("idle", self.idle)]
        {
            refuse(value.is_zero(), name, &format!("{value:?}"), "nothing is that fast")?;
        }
        refuse(self.total.is_zero(), "total", "0", "nothing is that fast")?;
        refuse(self.concurrency == 0, "concurrency", "0", "nothing would ever be fetched")?;
        refuse(self.per_host == 0, "per_host", "0", "nothing would ever be fetched")?;
        let contact = self.contact.as_deref().unwrap_or_default();
        let odd = contact.chars().any(|c| !c.is_ascii_graphic() || matches!(c, '(' | ')' | '\\'));
        refuse(
            odd,
            "contact",
            contact,
            "it is sent in a header: plain characters without spaces and parentheses",
        )?;
        self.check_proxy()
    }

    fn check_proxy(&self) -> Result<(), NetError> {
        let Some(proxy) = &self.proxy else { return Ok(()) };
        refuse(
            !proxy::is_spoken(proxy),
            "proxy",
            proxy.scheme(),
            "only http://, https:// and socks5:// are spoken",
        )
    }
}

fn refuse(wrong: bool, name: &'static str, value: &str, reason: &'static str) -> Result<(), NetError> {
    if wrong { Err(NetError::Setting { name, value: value.to_owned(), reason }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_agent_tells_the_truth() {
        let mut settings = Settings::default();
        assert!(settings.user_agent().starts_with("Tidemark/0."));
        settings.contact = Some("https://example.org/bot".into());
        assert!(settings.user_agent().ends_with(" (+https://example.org/bot)"));
        assert!(settings.check().is_ok());
    }

    #[test]
    fn what_cannot_work_is_said_at_once() {
        let wrong = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            settings.check().unwrap_err().to_string()
        };
        assert!(wrong(|s| s.per_host = 0).contains("per_host"));
        assert!(wrong(|s| s.idle = Duration::ZERO).contains("idle"));
        assert!(wrong(|s| s.contact = Some("a\r\nHost: b".into())).contains("contact"));
        assert!(wrong(|s| s.proxy = Url::parse("ftp://proxy/").ok()).contains("proxy"));
    }
}
