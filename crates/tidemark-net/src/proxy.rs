//! Through a proxy: a tunnel by CONNECT, or SOCKS 5 (RFC 1928, RFC 1929).
//!
//! A SOCKS proxy is told an address that the guard has checked. An HTTP proxy is told the name, after the guard has checked what it resolves to
//! here: the proxy looks it up again, and may be told otherwise. Who runs a proxy inside of a network must let it refuse inner addresses itself.

use crate::connect::Target;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::percent_decode_str;
use std::io;
use std::net::IpAddr;
use tidemark_engine::fetch::Failure;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use url::Url;

/// The head of a proxy's answer may be this long.
const LONGEST_HEAD: usize = 16 << 10;

/// A proxy, and who named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proxy {
    pub(crate) url: Url,
    /// Named in the settings, by the operator: it may have any address.
    pub(crate) trusted: bool,
}

/// Whether it is a kind of proxy we know.
pub(crate) fn is_spoken(proxy: &Url) -> bool {
    matches!(proxy.scheme(), "http" | "https" | "socks5") && proxy.has_host()
}

impl Proxy {
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default().trim_matches(['[', ']'])
    }

    pub(crate) fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(1080)
    }

    pub(crate) fn is_socks(&self) -> bool {
        self.url.scheme() == "socks5"
    }

    /// What `Proxy-Authorization` says, if it has a user.
    pub(crate) fn authorization(&self) -> Option<String> {
        let (user, password) = self.login()?;
        Some(format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{password}"))))
    }

    fn login(&self) -> Option<(String, String)> {
        let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let password = plain(self.url.password().unwrap_or_default());
        (!self.url.username().is_empty()).then(|| (plain(self.url.username()), password))
    }
}

/// Asks for a tunnel to the target.
pub(crate) async fn tunnel<S>(stream: &mut S, proxy: &Proxy, target: &Target) -> Result<(), Failure>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let authority = target.authority();
    let login = proxy.authorization().map(|value| format!("Proxy-Authorization: {value}\r\n"));
    let ask = format!(
        "CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{}\r\n",
        login.as_deref().unwrap_or_default()
    );
    stream.write_all(ask.as_bytes()).await.map_err(|error| broken(&error))?;
    let head = head(stream).await.map_err(|error| broken(&error))?;
    let line = head.lines().next().unwrap_or_default();
    match line.split(' ').nth(1) {
        Some(status) if status.starts_with('2') => Ok(()),
        _ => Err(Failure::Connect(format!("the proxy said '{line}'"))),
    }
}

/// Asks a SOCKS 5 proxy for a connection to an address.
pub(crate) async fn socks<S>(stream: &mut S, proxy: &Proxy, address: IpAddr, port: u16) -> Result<(), Failure>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let asked = async {
        log_in(stream, proxy).await?;
        let mut ask = vec![5, 1, 0];
        match address {
            IpAddr::V4(address) => (ask.push(1), ask.extend(address.octets())),
            IpAddr::V6(address) => (ask.push(4), ask.extend(address.octets())),
        };
        ask.extend(port.to_be_bytes());
        stream.write_all(&ask).await?;
        bound(stream).await
    };
    asked.await.map_err(|error| broken(&error))
}

/// The head of an answer, byte by byte: what follows belongs to the tunnel.
async fn head<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() == LONGEST_HEAD {
            return Err(io::Error::other("its head has no end"));
        }
        head.push(stream.read_u8().await?);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

async fn log_in<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, proxy: &Proxy) -> io::Result<()> {
    let login = proxy.login();
    let method = if login.is_some() { 2 } else { 0 };
    stream.write_all(&[5, 1, method]).await?;
    expect(stream, [5, method], "it does not take this way to log in").await?;
    let Some((user, password)) = login else { return Ok(()) };
    let mut said = vec![1];
    for text in [user, password] {
        said.push(u8::try_from(text.len()).map_err(|_| io::Error::other("its password is too long"))?);
        said.extend(text.as_bytes());
    }
    stream.write_all(&said).await?;
    expect(stream, [1, 0], "it does not take the password").await
}

async fn expect<S: AsyncRead + Unpin>(stream: &mut S, wanted: [u8; 2], or: &str) -> io::Result<()> {
    let mut came = [0; 2];
    stream.read_exact(&mut came).await?;
    if came == wanted { Ok(()) } else { Err(io::Error::other(or)) }
}

/// The answer: whether it worked, and the address it is bound to, which nobody needs.
async fn bound<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<()> {
    let mut start = [0; 4];
    stream.read_exact(&mut start).await?;
    if start[1] != 0 {
        return Err(io::Error::other(format!("it says no ({})", start[1])));
    }
    let length = match start[3] {
        1 => 4,
        4 => 16,
        _ => usize::from(stream.read_u8().await?),
    };
    stream.read_exact(&mut vec![0; length + 2]).await.map(|_| ())
}

fn broken(error: &io::Error) -> Failure {
    Failure::Connect(format!("the proxy did not connect: {error}"))
}
