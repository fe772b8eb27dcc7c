//! The debugging protocol of browsers over a pair of pipes: JSON messages, each ended by a NUL byte (`--remote-debugging-pipe`).
//!
//! No port is opened that others could speak to. What comes is from a program that reads hostile pages: messages are bounded, and of events only those
//! are passed on that a visit has a use for.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::{Mutex as Turn, mpsc, oneshot};
use tokio::task::AbortHandle;

/// The longest message: a page or a picture of it, as text.
const LONGEST: usize = 96 << 20;
/// So many events may wait to be looked at. Who makes more of them is stuck, and ends by time.
const EVENTS: usize = 4096;

/// Why a command has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The browser is gone, or talks nonsense.
    Gone,
    /// It said no.
    Refused(String),
}

/// An event of a session.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) method: String,
    pub(crate) parameters: Value,
}

/// A browser that listens.
pub(crate) struct Cdp {
    out: Turn<Sender>,
    next: AtomicU64,
    shared: Arc<Shared>,
    reader: AbortHandle,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    gone: bool,
    answers: HashMap<u64, oneshot::Sender<Result<Value, Fault>>>,
    sessions: HashMap<String, mpsc::Sender<Event>>,
}

impl Cdp {
    pub(crate) fn new(out: Sender, input: Receiver) -> Self {
        let shared = Arc::new(Shared::default());
        let reader = tokio::spawn(listen(input, Arc::clone(&shared))).abort_handle();
        Self { out: Turn::new(out), next: AtomicU64::new(1), shared, reader }
    }

    /// Sends a command to a session, or to the browser itself; the answer comes when it comes.
    pub(crate) async fn send(
        &self,
        session: Option<&str>,
        method: &str,
        parameters: Value,
    ) -> oneshot::Receiver<Result<Value, Fault>> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.shared.expect(id, answer);
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        if self.out.lock().await.write_all(&bytes).await.is_err() {
            self.shared.end();
        }
        answered
    }

    /// Sends a command and waits for the answer.
    pub(crate) async fn call(
        &self,
        session: Option<&str>,
        method: &str,
        parameters: Value,
    ) -> Result<Value, Fault> {
        self.send(session, method, parameters).await.await.unwrap_or(Err(Fault::Gone))
    }

    /// The events of a session, from now on.
    pub(crate) fn events(&self, session: &str) -> mpsc::Receiver<Event> {
        let (sender, receiver) = mpsc::channel(EVENTS);
        self.shared.locked().sessions.insert(session.to_owned(), sender);
        receiver
    }

    pub(crate) fn forget(&self, session: &str) {
        self.shared.locked().sessions.remove(session);
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.shared.locked().gone
    }
}

impl Drop for Cdp {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl Shared {
    fn locked(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn expect(&self, id: u64, answer: oneshot::Sender<Result<Value, Fault>>) {
        let mut waiting = self.locked();
        if waiting.gone {
            let _ = answer.send(Err(Fault::Gone));
        } else {
            waiting.answers.insert(id, answer);
        }
    }

    /// Nobody will answer any more.
    fn end(&self) {
        let mut waiting = self.locked();
        waiting.gone = true;
        waiting.answers.clear();
        waiting.sessions.clear();
    }

    fn take(&self, message: &mut Value) {
        let mut waiting = self.locked();
        if let Some(id) = message["id"].as_u64() {
            let result = match message.get("error") {
                Some(error) => Err(Fault::Refused(error["message"].as_str().unwrap_or_default().to_owned())),
                None => Ok(message["result"].take()),
            };
            if let Some(answer) = waiting.answers.remove(&id) {
                let _ = answer.send(result);
            }
            return;
        }
        let (Some(session), Some(method)) = (message["sessionId"].as_str(), message["method"].as_str())
        else {
            return;
        };
        let event = Event { method: method.to_owned(), parameters: message["params"].clone() };
        if let Some(events) = waiting.sessions.get(session) {
            let _ = events.try_send(event);
        }
    }
}

async fn listen(input: Receiver, shared: Arc<Shared>) {
    let mut input = BufReader::with_capacity(64 << 10, input);
    let mut message = Vec::new();
    while read(&mut input, &mut message).await.is_ok() {
        match serde_json::from_slice::<Value>(&message) {
            Ok(mut value) => shared.take(&mut value),
            Err(_) => break,
        }
        message.clear();
        message.shrink_to(1 << 20);
    }
    shared.end();
}

/// One message, without its end.
async fn read(input: &mut BufReader<Receiver>, message: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let piece = input.fill_buf().await?;
        if piece.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let end = memchr::memchr(0, piece);
        let taken = end.unwrap_or(piece.len());
        if message.len() + taken > LONGEST {
            return Err(io::Error::other("a message without end"));
        }
        message.extend_from_slice(&piece[..taken]);
        let used = taken + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
