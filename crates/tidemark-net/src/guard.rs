//! The guard: one function opens connections, and it connects to addresses that were checked, never to names.
//!
//! A URL is not judged by its looks. Whatever it spells is resolved (an address stands for itself), every address found is judged by `address.rs`, and
//! the sockets are opened to those that passed: there is no second look-up that could answer otherwise. Connections are made here for first
//! requests, redirects, `robots.txt` and proxies alike; `tests/it/sockets.rs` proves that no other code opens any.

use crate::address::objection;
use crate::allow::Allow;
use crate::port;
use crate::resolver::Resolver;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tidemark_engine::fetch::Failure;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// So long one address is tried alone before the next is tried beside it (RFC 8305, section 8).
const STAGGER: Duration = Duration::from_millis(250);

/// Of a name with more addresses, these many are tried.
const TRIED: usize = 8;

/// Checks and dials.
pub(crate) struct Guard {
    allow: Allow,
    resolver: Arc<dyn Resolver>,
}

impl Guard {
    pub(crate) fn new(allow: Allow, resolver: Arc<dyn Resolver>) -> Self {
        Self { allow, resolver }
    }

    /// Connects to a host, if it may be visited.
    pub(crate) async fn dial(&self, host: &str, port: u16) -> Result<TcpStream, Failure> {
        let addresses = self.checked(host, port).await?;
        connect(addresses, port).await
    }

    /// Connects to what the operator named in the settings, wherever it is.
    pub(crate) async fn dial_trusted(&self, host: &str, port: u16) -> Result<TcpStream, Failure> {
        let addresses = self.resolve(host).await?;
        connect(addresses, port).await
    }

    /// The addresses of a host that may be visited: at least one. One good address among bad ones is enough, and is the one that is used.
    pub(crate) async fn checked(&self, host: &str, port: u16) -> Result<Vec<IpAddr>, Failure> {
        if port::is_bad(port) {
            return Err(Failure::Refused(format!(
                "refused to connect to {host}: port {port} belongs to another service, no web server is there"
            )));
        }
        let found = self.resolve(host).await?;
        let (good, bad): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|address| objection(*address, &self.allow).is_none());
        match bad.first() {
            Some(address) if good.is_empty() => Err(self.refusal(host, *address)),
            _ => Ok(good),
        }
    }

    async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, Failure> {
        if let Ok(address) = host.parse::<IpAddr>() {
            return Ok(vec![address.to_canonical()]);
        }
        let unresolved = |reason: String| Failure::Unresolved { host: host.to_owned(), reason };
        let found = self.resolver.resolve(host).await.map_err(|error| unresolved(error.to_string()))?;
        let mut addresses: Vec<IpAddr> = found.into_iter().map(|address| address.to_canonical()).collect();
        addresses.dedup();
        if addresses.is_empty() { Err(unresolved("it has no address".into())) } else { Ok(addresses) }
    }

    fn refusal(&self, host: &str, address: IpAddr) -> Failure {
        let what = objection(address, &self.allow).unwrap_or_default();
        let named = if host.parse::<IpAddr>().is_ok() { String::new() } else { format!(" of {host}") };
        Failure::Refused(format!(
            "refused to connect to {address}{named}: it is {what}, not public; if it is yours to visit, add {address} to the allowed addresses"
        ))
    }
}

/// Tries the addresses, each a little after the one before, until one answers.
async fn connect(addresses: Vec<IpAddr>, port: u16) -> Result<TcpStream, Failure> {
    let mut waiting = alternating(addresses).into_iter();
    let mut tries = JoinSet::new();
    let mut last = None;
    loop {
        if let Some(address) = waiting.next() {
            tries.spawn(open(SocketAddr::new(address, port)));
        }
        let patience = if waiting.len() == 0 { Duration::MAX } else { STAGGER };
        match timeout(patience, tries.join_next()).await {
            Ok(Some(Ok(Ok(stream)))) => return Ok(stream),
            Ok(Some(Ok(Err(error)))) => last = Some(error),
            Ok(None) if waiting.len() == 0 => {
                let reason = last.map_or_else(|| "nobody answered".to_owned(), |error| error.to_string());
                return Err(Failure::Connect(reason));
            }
            Ok(_) | Err(_) => {}
        }
    }
}

/// The only place in Tidemark that connects to an address.
async fn open(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// IPv6 and IPv4 in turns, so that one that is broken does not hold up the other.
fn alternating(addresses: Vec<IpAddr>) -> Vec<IpAddr> {
    let first_is_v4 = addresses.first().is_some_and(IpAddr::is_ipv4);
    let (mut ours, mut others): (Vec<_>, Vec<_>) =
        addresses.into_iter().partition(|address| address.is_ipv4() == first_is_v4);
    ours.reverse();
    others.reverse();
    let mut order = Vec::new();
    while order.len() < TRIED && !(ours.is_empty() && others.is_empty()) {
        order.extend(ours.pop());
        order.extend(others.pop());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_take_turns() {
        let parse = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<IpAddr>>();
        let order = alternating(parse(&["2606::1", "2606::2", "2606::3", "1.1.1.1"]));
        assert_eq!(order, parse(&["2606::1", "1.1.1.1", "2606::2", "2606::3"]));
    }
}
