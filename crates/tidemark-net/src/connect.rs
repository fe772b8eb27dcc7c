//! From a target to a connection that speaks HTTP: through the guard, a proxy if there is one, and TLS if the URL says so.

use crate::guard::Guard;
use crate::proxy::{self, Proxy};
use crate::tls::Tls;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::{TrySendError, http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::time::Duration;
use tidemark_engine::fetch::{Failure, Phase};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use url::Url;

/// Heads of answers may have so many bytes, and so many headers. It is also the most that an idle connection keeps as a buffer.
const HEAD: u32 = 64 << 10;
const HEADERS: usize = 256;

/// How much a server may send ahead of our reading.
const AHEAD: u32 = 1 << 20;

/// Where a connection ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// A name, or an address without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) tls: bool,
}

/// A way to a target. Connections with equal routes are as good as each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) target: Target,
    pub(crate) proxy: Option<Proxy>,
}

/// A connection on which one request at a time is sent.
pub(crate) enum Connection {
    First(http1::SendRequest<Sent>),
    Second(http2::SendRequest<Sent>),
}

/// The body of a request.
pub(crate) type Sent = Full<Bytes>;

/// Makes connections.
pub(crate) struct Connector {
    pub(crate) guard: Guard,
    pub(crate) tls: Tls,
    pub(crate) limit: Duration,
}

/// A stream of bytes, wherever it leads.
pub(crate) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

impl Connector {
    /// A new connection, within the time for it.
    pub(crate) async fn connect(&self, route: &Route) -> Result<Connection, Failure> {
        let late = Failure::TimedOut { phase: Phase::Connection, limit: self.limit };
        timeout(self.limit, self.connect_at_leisure(route)).await.unwrap_or(Err(late))
    }

    async fn connect_at_leisure(&self, route: &Route) -> Result<Connection, Failure> {
        let target = &route.target;
        let stream = self.open_at_leisure(route).await?;
        if !target.tls {
            return first(stream).await;
        }
        let stream = self.tls.greet(&target.host, stream).await?;
        let second = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        if second { self::second(stream).await } else { first(stream).await }
    }

    /// The bytes of a connection, without TLS: for a browser, which brings its own.
    pub(crate) async fn open(&self, route: &Route) -> Result<Box<dyn Io>, Failure> {
        let late = Failure::TimedOut { phase: Phase::Connection, limit: self.limit };
        timeout(self.limit, self.open_at_leisure(route)).await.unwrap_or(Err(late))
    }

    async fn open_at_leisure(&self, route: &Route) -> Result<Box<dyn Io>, Failure> {
        let target = &route.target;
        match &route.proxy {
            None => Ok(Box::new(self.guard.dial(&target.host, target.port).await?)),
            Some(proxy) => self.through(proxy, target).await,
        }
    }

    async fn through(&self, proxy: &Proxy, target: &Target) -> Result<Box<dyn Io>, Failure> {
        let checked = self.guard.checked(&target.host, target.port).await?;
        let mut stream: Box<dyn Io> = if proxy.trusted {
            Box::new(self.guard.dial_trusted(proxy.host(), proxy.port()).await?)
        } else {
            Box::new(self.guard.dial(proxy.host(), proxy.port()).await?)
        };
        if proxy.url.scheme() == "https" {
            stream = Box::new(self.tls.greet_proxy(proxy.host(), stream).await?);
        }
        match checked.first() {
            Some(address) if proxy.is_socks() => {
                proxy::socks(&mut stream, proxy, *address, target.port).await?;
            }
            _ if target.tls => proxy::tunnel(&mut stream, proxy, target).await?,
            _ => {}
        }
        Ok(stream)
    }
}

impl Target {
    pub(crate) fn of(url: &Url) -> Option<Self> {
        let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
        Some(Self { host, port: url.port_or_known_default()?, tls: url.scheme() == "https" })
    }

    /// Host and port, as CONNECT names them.
    pub(crate) fn authority(&self) -> String {
        let bracketed = self.host.contains(':');
        if bracketed {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

impl Route {
    /// Whether requests name the whole URL: a proxy passes them on, and no tunnel hides them.
    pub(crate) fn is_absolute(&self) -> bool {
        !self.target.tls && self.proxy.as_ref().is_some_and(|proxy| !proxy.is_socks())
    }
}

impl Connection {
    /// Sends, and waits for the head of the answer.
    pub(crate) async fn send(
        &mut self,
        request: http::Request<Sent>,
    ) -> Result<http::Response<Incoming>, TrySendError<http::Request<Sent>>> {
        match self {
            Self::First(sender) => sender.try_send_request(request).await,
            Self::Second(sender) => sender.try_send_request(request).await,
        }
    }

    /// Waits until the last answer is read; false if the connection is of no more use.
    pub(crate) async fn is_usable(&mut self) -> bool {
        match self {
            Self::First(sender) => sender.ready().await.is_ok(),
            Self::Second(sender) => sender.ready().await.is_ok(),
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        match self {
            Self::First(sender) => sender.is_closed(),
            Self::Second(sender) => sender.is_closed(),
        }
    }
}

async fn first(stream: impl Io + 'static) -> Result<Connection, Failure> {
    let (sender, connection) = http1::Builder::new()
        .max_headers(HEADERS)
        .max_buf_size(HEAD as usize)
        // Sloppy heads, which browsers read as well. A connection is ours alone: nobody else's answer can be smuggled in.
        .ignore_invalid_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| Failure::Connect(error.to_string()))?;
    tokio::spawn(connection);
    Ok(Connection::First(sender))
}

async fn second(stream: impl Io + 'static) -> Result<Connection, Failure> {
    let (sender, connection) = http2::Builder::new(TokioExecutor::new())
        .max_header_list_size(HEAD)
        .initial_stream_window_size(AHEAD)
        .initial_connection_window_size(AHEAD)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| Failure::Connect(error.to_string()))?;
    tokio::spawn(connection);
    Ok(Connection::Second(sender))
}
