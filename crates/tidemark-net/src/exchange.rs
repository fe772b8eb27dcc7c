//! One request out, one answer back, on one connection: no redirects, no robots, no second thoughts.

use crate::ask::Ask;
use crate::connect::{Connection, Connector, Route, Target};
use crate::fault;
use crate::pool::Pool;
use crate::unpack::Unpacker;
use bytes::Bytes;
use http::header::CONTENT_ENCODING;
use http::{HeaderMap, Method};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use std::time::Duration;
use tidemark_engine::fetch::{Failure, Phase};
use tokio::time::timeout;

/// The body of an answer that nobody wants is read if it is no longer than this, to use the connection again.
const DREGS: u64 = 64 << 10;

/// How long such a body is waited for.
const DREGS_TIME: Duration = Duration::from_secs(1);

/// A body of a million chunks of one byte is made to keep us busy: each costs some microseconds, however small.
const PIECES: usize = 100_000;

/// How much of a body is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) wire: u64,
    pub(crate) unpacked: u64,
    /// Whether a body that is longer is cut there, instead of refused.
    pub(crate) cut: bool,
}

/// Exchanges messages.
pub(crate) struct Exchange {
    pub(crate) connector: Connector,
    pub(crate) pool: Pool,
    pub(crate) first_byte: Duration,
    pub(crate) idle: Duration,
}

/// An answer whose body is still on its way.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    body: Incoming,
    connection: Connection,
    route: Route,
}

impl Exchange {
    /// Asks, on a connection that is open already or on a new one.
    pub(crate) async fn ask(&self, ask: &Ask) -> Result<Reply, Failure> {
        let target = Target::of(&ask.url).ok_or_else(|| Failure::Unsendable("the URL has no host".into()))?;
        let route = Route { target, proxy: ask.proxy.clone() };
        if let Some(connection) = self.kept(&route).await {
            match self.send(ask, &route, connection).await {
                Err(Sending { again: true, .. }) => {}
                sent => return sent.map_err(|sending| sending.failure),
            }
        }
        let connection = self.connector.connect(&route).await?;
        self.send(ask, &route, connection).await.map_err(|sending| sending.failure)
    }

    /// The body of an answer, unpacked; how many bytes came is told in any case.
    pub(crate) async fn read(
        &self,
        mut reply: Reply,
        limits: Limits,
        received: &mut u64,
    ) -> Result<Bytes, Failure> {
        let mut unpacker = Unpacker::new(reply.headers.get_all(CONTENT_ENCODING), limits.unpacked)?;
        let announced = reply.body.size_hint().exact();
        let too_large = Failure::TooLarge { limit: limits.wire, unpacked: false };
        if announced.is_some_and(|length| length > limits.wire) && !limits.cut {
            return Err(too_large);
        }
        unpacker.expect(announced);
        let mut pieces = 0;
        while let Some(piece) = self.next(&mut reply.body).await? {
            pieces += 1;
            if pieces > PIECES {
                return Err(Failure::Garbled(format!("it comes in more than {PIECES} crumbs")));
            }
            *received += piece.len() as u64;
            let pushed = if *received > limits.wire { Err(too_large.clone()) } else { unpacker.push(&piece) };
            match pushed {
                Err(Failure::TooLarge { .. }) if limits.cut => return Ok(unpacker.so_far()),
                pushed => pushed?,
            }
        }
        self.pool.give(reply.route, reply.connection);
        unpacker.finish()
    }

    /// Lets go of an answer whose body does not matter.
    pub(crate) async fn skip(&self, mut reply: Reply) {
        if timeout(DREGS_TIME, self.drain(&mut reply.body)).await == Ok(true) {
            self.pool.give(reply.route, reply.connection);
        }
    }

    /// Reads a short body to its end; false if it has none, or is not short.
    async fn drain(&self, body: &mut Incoming) -> bool {
        let mut length = body.size_hint().lower();
        while length <= DREGS {
            match self.next(body).await {
                Ok(Some(piece)) => length += piece.len() as u64,
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
        false
    }

    /// The next piece of a body, or nothing at its end.
    async fn next(&self, body: &mut Incoming) -> Result<Option<Bytes>, Failure> {
        loop {
            let late = Failure::TimedOut { phase: Phase::NextByte, limit: self.idle };
            match timeout(self.idle, body.frame()).await.map_err(|_| late)? {
                None => return Ok(None),
                Some(Err(error)) => return Err(fault::failure(&error)),
                // Trailers are no part of the page.
                Some(Ok(frame)) => {
                    if let Ok(piece) = frame.into_data() {
                        return Ok(Some(piece));
                    }
                }
            }
        }
    }

    async fn kept(&self, route: &Route) -> Option<Connection> {
        while let Some(mut connection) = self.pool.take(route) {
            if timeout(self.idle, connection.is_usable()).await == Ok(true) {
                return Some(connection);
            }
        }
        None
    }

    async fn send(&self, ask: &Ask, route: &Route, mut connection: Connection) -> Result<Reply, Sending> {
        let request = ask.to_http(route, &connection)?;
        let sent = timeout(self.first_byte, connection.send(request)).await;
        let late = Failure::TimedOut { phase: Phase::FirstByte, limit: self.first_byte };
        match sent.map_err(|_| late)? {
            Ok(response) => {
                let (head, body) = response.into_parts();
                Ok(Reply {
                    status: head.status.as_u16(),
                    headers: head.headers,
                    body,
                    connection,
                    route: route.clone(),
                })
            }
            Err(mut error) => {
                // A server may hang up on an idle connection just when it is used. What was not sent, or changes nothing, is sent again.
                let unsent = error.take_message().is_some();
                let failure = fault::failure(error.error());
                let broke = matches!(failure, Failure::Cut(_)) && ask.method == Method::GET;
                Err(Sending { again: unsent || broke, failure })
            }
        }
    }
}

/// A request that was not answered.
struct Sending {
    failure: Failure,
    again: bool,
}

impl From<Failure> for Sending {
    fn from(failure: Failure) -> Self {
        Self { failure, again: false }
    }
}
