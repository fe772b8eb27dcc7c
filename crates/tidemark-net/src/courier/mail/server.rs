//! The mail server, as the settings name it.

use crate::settings::NetError;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use percent_encoding::percent_decode_str;
use std::net::IpAddr;
use url::Url;

/// A server that was understood.
pub(super) struct Server {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) login: Option<Credentials>,
    pub(super) password: String,
    pub(super) hello: ClientId,
}

/// When a connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Security {
    /// From the first byte.
    Tls,
    /// After a command for it, and before anything is told.
    StartTls,
    /// Not at all: within this machine, or because the operator says so.
    None,
}

impl Server {
    pub(super) fn parse(url: &Url, hello: Option<&str>) -> Result<Self, NetError> {
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        if host.is_empty() {
            return Err(wrong("it names no host; write smtp://user:password@host:587"));
        }
        let asked = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
        let (security, port) = match (url.scheme(), asked.as_deref()) {
            ("smtps", None) => (Security::Tls, 465),
            ("smtp", Some("none")) => (Security::None, 25),
            ("smtp", None) if is_here(&host) => (Security::None, 25),
            ("smtp", None | Some("starttls")) => (Security::StartTls, 587),
            ("smtp" | "smtps", _) => return Err(wrong("tls is 'starttls' or 'none', and only for smtp://")),
            _ => return Err(wrong("write smtp://user:password@host:587 or smtps://user:password@host:465")),
        };
        let port = url.port().unwrap_or(port);
        let password = plain(url.password().unwrap_or_default());
        let login =
            (!url.username().is_empty()).then(|| Credentials::new(plain(url.username()), password.clone()));
        Ok(Self { host, port, security, login, password, hello: client(hello)? })
    }
}

fn wrong(reason: &'static str) -> NetError {
    NetError::Setting { name: "mail.server", value: "what it is".into(), reason }
}

fn is_here(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn plain(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn client(hello: Option<&str>) -> Result<ClientId, NetError> {
    let Some(name) = hello else { return Ok(ClientId::default()) };
    let sound = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    if sound && !name.is_empty() {
        return Ok(ClientId::Domain(name.to_owned()));
    }
    let reason = "it is the name of a machine: letters, digits, dots and hyphens";
    Err(NetError::Setting { name: "mail.hello", value: name.to_owned(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_told_in_the_open_but_at_home() {
        let of = |text: &str| {
            Server::parse(&Url::parse(text).unwrap(), None).map(|server| (server.security, server.port))
        };
        assert_eq!(of("smtp://mail.example").unwrap(), (Security::StartTls, 587));
        assert_eq!(of("smtp://mail.example:25").unwrap(), (Security::StartTls, 25));
        assert_eq!(of("smtps://u:p@mail.example").unwrap(), (Security::Tls, 465));
        assert_eq!(of("smtp://localhost").unwrap(), (Security::None, 25));
        assert_eq!(of("smtp://[::1]:2525").unwrap(), (Security::None, 2525));
        assert_eq!(of("smtp://localhost?tls=starttls").unwrap(), (Security::StartTls, 587));
        assert_eq!(of("smtp://mail.example?tls=none").unwrap(), (Security::None, 25));
        for text in ["http://mail.example", "smtps://h?tls=none", "smtp://h?tls=maybe", "smtp:host"] {
            let said = of(text).unwrap_err().to_string();
            assert!(said.contains("mail.server"), "{said}");
        }
    }
}
