//! The only way of a browser to the outside: an HTTP proxy of ours on the loopback, one for each visit, whose every connection is dialled by the guard.
//!
//! A browser asks it for everything: pages, pictures, frames, workers, web sockets (all by CONNECT but for plain http, which names the whole URL). Names are looked up here,
//! never by the browser, so what was checked is what is connected to. Messages are read and written anew by hyper, so that nothing rides along on a connection that was
//! checked for another host. Only processes of our own user may use it: the kernel says who holds the other end.

use super::meter::Metered;
use super::peer;
use crate::client::Inner;
use crate::connect::{Route, Target};
use crate::proxy::Proxy;
use bytes::Bytes;
use http::header::{CONNECTION, HOST, HeaderMap, HeaderValue, PROXY_AUTHORIZATION, UPGRADE};
use http::{Method, Request, Response, StatusCode, Uri};
use http_body_util::{Either, Empty};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::collections::BTreeMap;
use std::io;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tidemark_engine::fetch::Failure;
use tokio::io::copy_bidirectional;
use tokio::net::TcpListener;
use tokio::task::{AbortHandle, JoinSet};

/// Connections at the same time; a browser makes fewer.
const CONNECTIONS: usize = 128;
/// Hosts that could not be reached, remembered.
const REMEMBERED: usize = 256;

/// A proxy for one visit. Dropped, all its connections end.
pub(crate) struct Door {
    pub(crate) port: u16,
    rooms: Arc<Rooms>,
    listener: AbortHandle,
}

struct Rooms {
    inner: Arc<Inner>,
    /// A proxy beyond ours, if the operator or the page names one.
    upstream: Option<Proxy>,
    received: Arc<AtomicU64>,
    refusals: Mutex<BTreeMap<String, Failure>>,
    tasks: Mutex<JoinSet<()>>,
    most: u64,
}

type Reply = Response<Either<Incoming, Empty<Bytes>>>;

impl Door {
    /// Opens one. It lets `most` bytes in, and then nothing.
    pub(crate) async fn open(inner: Arc<Inner>, upstream: Option<Proxy>, most: u64) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let rooms = Rooms {
            inner,
            upstream,
            received: Arc::default(),
            refusals: Mutex::default(),
            tasks: Mutex::default(),
            most,
        };
        let rooms = Arc::new(rooms);
        let listener = tokio::spawn(listen(listener, port, Arc::clone(&rooms))).abort_handle();
        Ok(Self { port, rooms, listener })
    }

    /// Why a host could not be reached, if it could not.
    pub(crate) fn refusal(&self, authority: &str) -> Option<Failure> {
        self.rooms.refusals.lock().unwrap_or_else(PoisonError::into_inner).get(authority).cloned()
    }

    /// Bytes that came in.
    pub(crate) fn received(&self) -> u64 {
        self.rooms.received.load(Ordering::Relaxed)
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.listener.abort();
        self.rooms.tasks.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
    }
}

async fn listen(listener: TcpListener, port: u16, rooms: Arc<Rooms>) {
    while let Ok((stream, peer)) = listener.accept().await {
        if !peer::is_ours(peer, port) {
            continue;
        }
        let stream = Metered::new(stream, Arc::clone(&rooms.received), rooms.most);
        let host = Arc::clone(&rooms);
        rooms.run(async move {
            let service = service_fn(move |request| serve(Arc::clone(&host), request));
            let connection = hyper::server::conn::http1::Builder::new()
                .max_headers(256)
                .serve_connection(TokioIo::new(stream), service);
            let _ = connection.with_upgrades().await;
        });
    }
}

impl Rooms {
    /// Runs a task that ends with the visit.
    fn run(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        if tasks.len() < 2 * CONNECTIONS {
            tasks.spawn(task);
        }
    }

    fn note(&self, target: &Target, failure: Failure) {
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        if refusals.len() < REMEMBERED {
            refusals.insert(target.authority(), failure);
        }
    }

    fn route(&self, target: Target) -> Route {
        Route { target, proxy: self.upstream.clone() }
    }
}

/// What cannot be had has no answer: a made-up one would read as its host's.
async fn serve(rooms: Arc<Rooms>, request: Request<Incoming>) -> io::Result<Reply> {
    let tunnel = request.method() == Method::CONNECT;
    let Some(target) = target(request.uri(), tunnel) else {
        return Ok(no(StatusCode::BAD_REQUEST));
    };
    let served = if tunnel {
        self::tunnel(&rooms, request, target.clone()).await
    } else {
        forward(&rooms, request, target.clone()).await
    };
    served.or_else(|failure| {
        let said = io::Error::other(failure.to_string());
        rooms.note(&target, failure);
        if tunnel { Ok(no(StatusCode::BAD_GATEWAY)) } else { Err(said) }
    })
}

/// Bytes to and fro, whatever they are.
async fn tunnel(rooms: &Arc<Rooms>, request: Request<Incoming>, target: Target) -> Result<Reply, Failure> {
    let mut far = rooms.inner.exchange.connector.open(&rooms.route(target)).await?;
    rooms.run(async move {
        if let Ok(near) = hyper::upgrade::on(request).await {
            let _ = copy_bidirectional(&mut TokioIo::new(near), &mut far).await;
        }
    });
    Ok(no(StatusCode::OK))
}

/// One request, on a connection of its own.
async fn forward(
    rooms: &Arc<Rooms>,
    mut request: Request<Incoming>,
    target: Target,
) -> Result<Reply, Failure> {
    let route = rooms.route(target);
    let far = rooms.inner.exchange.connector.open(&route).await?;
    address(&mut request, &route)?;
    let broken = |error: hyper::Error| Failure::Cut(error.to_string());
    let (mut sender, connection) = hyper::client::conn::http1::Builder::new()
        .max_headers(256)
        .ignore_invalid_headers_in_responses(true)
        .handshake(TokioIo::new(far))
        .await
        .map_err(broken)?;
    rooms.run(async move {
        let _ = connection.await;
    });
    let mut answer = sender.send_request(request).await.map_err(broken)?;
    strip(answer.headers_mut());
    Ok(answer.map(Either::Left))
}

/// Where to: CONNECT names host and port, everything else a URL of plain http.
fn target(uri: &Uri, tunnel: bool) -> Option<Target> {
    let host = uri.host()?.trim_matches(['[', ']']).to_owned();
    match (tunnel, uri.scheme_str()) {
        (true, _) => Some(Target { host, port: uri.port_u16()?, tls: true }),
        (false, Some("http")) => Some(Target { host, port: uri.port_u16().unwrap_or(80), tls: false }),
        _ => None,
    }
}

/// Written as the next one on the way wants it.
fn address(request: &mut Request<Incoming>, route: &Route) -> Result<(), Failure> {
    let wrong = |_| Failure::Unsendable("the browser asks for no web address".to_owned());
    let host = request.uri().authority().map(|authority| authority.host().to_owned()).unwrap_or_default();
    let port = request.uri().port_u16().map_or_else(String::new, |port| format!(":{port}"));
    strip(request.headers_mut());
    request.headers_mut().insert(HOST, HeaderValue::from_str(&format!("{host}{port}")).map_err(wrong)?);
    if !route.is_absolute() {
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
        *request.uri_mut() =
            path.parse().map_err(|_| Failure::Unsendable("a path that is none".to_owned()))?;
    } else if let Some(login) = route.proxy.as_ref().and_then(Proxy::authorization) {
        request.headers_mut().insert(PROXY_AUTHORIZATION, HeaderValue::from_str(&login).map_err(wrong)?);
    }
    Ok(())
}

/// What is between two neighbours only (RFC 9110, section 7.6.1).
fn strip(headers: &mut HeaderMap) {
    for name in ["proxy-connection", "keep-alive", "te", "trailer", "proxy-authenticate"] {
        headers.remove(name);
    }
    for name in [CONNECTION, UPGRADE, PROXY_AUTHORIZATION] {
        headers.remove(name);
    }
}

fn no(status: StatusCode) -> Reply {
    let mut reply = Response::new(Either::Right(Empty::new()));
    *reply.status_mut() = status;
    reply
}
