//! The server of the little site: GET only, one answer a connection, on loopback.

use super::pages::{PAGES, page};
use super::world::World;
use anyhow::{Context, Result};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::timeout;

/// The longest head of a request that is read, and how long it may take.
const LONGEST: usize = 8 << 10;
const PATIENCE: Duration = Duration::from_secs(5);

/// A site that runs until its runtime ends.
pub(crate) struct Site {
    address: SocketAddr,
}

struct Clockwork {
    begun: Instant,
    /// Requests of each page.
    requests: [AtomicU64; PAGES.len()],
}

impl Site {
    /// Starts it on a free port.
    pub(crate) async fn start() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.context("cannot open a port on loopback")?;
        let address = listener.local_addr()?;
        let clockwork = Arc::new(Clockwork { begun: Instant::now(), requests: Default::default() });
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(timeout(PATIENCE, answer(stream, Arc::clone(&clockwork))));
            }
        });
        Ok(Self { address })
    }

    /// Addresses and names of its pages.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (String, &'static str)> {
        let address = self.address;
        PAGES.iter().map(move |(path, name)| (format!("http://{address}{path}"), *name))
    }
}

async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, clockwork: Arc<Clockwork>) {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < LONGEST {
        match stream.read_buf(&mut head).await {
            Ok(1..) => {}
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head);
    let path = head.split(' ').nth(1).unwrap_or("/");
    let age = clockwork.begun.elapsed().as_millis() as u64 / 100;
    let counter = PAGES.iter().position(|(known, _)| *known == path).map(|at| &clockwork.requests[at]);
    let requests = counter.map_or(0, |counter| counter.fetch_add(1, Ordering::Relaxed));
    let world = World { age, requests };
    let (status, (body, media)) = match page(path, &world) {
        Some(found) => ("200 OK", found),
        None => ("404 Not Found", ("nothing here\n".to_owned(), "text/plain")),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all((head + &body).as_bytes()).await;
    let _ = stream.shutdown().await;
}
