//! Mail by SMTP, through the one server that the operator named. Connections are kept for a while and used again.

mod compose;
mod html;
mod look;
mod server;
mod smtp;
mod wire;

use super::target::ascii;
use crate::client::Inner;
use crate::settings::NetError;
use compose::compose;
use lettre::message::Mailbox;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::{Address, Message as Letter};
use server::Server;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tidemark_engine::courier::Refusal;
use tidemark_engine::message::Message;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};
use url::Url;

/// So many connections at the same time, and kept.
const CONNECTIONS: usize = 2;

/// How long a connection is kept; servers hang up after some minutes.
const KEPT: Duration = Duration::from_mins(1);

/// How mail is sent.
#[derive(Clone, Default)]
pub struct MailSettings {
    /// `smtp://user:password@host:587` (with STARTTLS; without only at this machine, or with `?tls=none`), or `smtps://user:password@host:465`.
    pub server: Option<Url>,
    /// Who it is from: `tidemark@example.org`, or with a name, `Tidemark <tidemark@example.org>`.
    pub from: Option<String>,
    /// The name of this machine, told to the server; its address at the loopback if there is none.
    pub hello: Option<String>,
}

/// Sends mail.
pub(crate) struct Mail {
    sender: Option<Sender>,
}

struct Sender {
    server: Server,
    from: Mailbox,
    idle: Mutex<Vec<(AsyncSmtpConnection, Instant)>>,
    turns: Semaphore,
}

impl Mail {
    pub(crate) fn new(settings: MailSettings) -> Result<Self, NetError> {
        let Some(url) = &settings.server else { return Ok(Self { sender: None }) };
        let server = Server::parse(url, settings.hello.as_deref())?;
        let from = settings.from.unwrap_or_default();
        let wrong =
            "mail needs to be from somebody: tidemark@example.org, or Tidemark <tidemark@example.org>";
        let odd = from.chars().any(char::is_control);
        let mailbox = from.parse::<Mailbox>().ok().filter(|_| !odd);
        let plain = |mailbox: Mailbox| Some(Mailbox::new(mailbox.name, ascii(&mailbox.email)?));
        let mailbox = mailbox.and_then(plain).filter(|mailbox| mailbox.email.user().is_ascii());
        let from = mailbox.ok_or(NetError::Setting { name: "mail.from", value: from, reason: wrong })?;
        let sender = Sender { server, from, idle: Mutex::default(), turns: Semaphore::new(CONNECTIONS) };
        Ok(Self { sender: Some(sender) })
    }

    /// Whether there is a server to send by.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.sender().map(|_| ()).map_err(|refusal| refusal.said)
    }

    pub(crate) async fn send(&self, inner: &Inner, to: &Address, message: &Message) -> Result<(), Refusal> {
        let sender = self.sender()?;
        let letter = compose(&sender.from, to, message)?;
        // Never closed, so it always gives a permit.
        let _turn = sender.turns.acquire().await.ok();
        let limit = inner.settings.total;
        let late = || Refusal::passing(format!("the mail server took longer than {} s", limit.as_secs_f64()));
        timeout(limit, sender.deliver(inner, &letter)).await.unwrap_or_else(|_| Err(late()))
    }

    fn sender(&self) -> Result<&Sender, Refusal> {
        self.sender.as_ref().ok_or_else(|| {
            Refusal::for_good("no mail server is set: set mail.server and mail.from, then retry")
        })
    }
}

impl Sender {
    async fn deliver(&self, inner: &Inner, letter: &Letter) -> Result<(), Refusal> {
        let mut connection = match self.kept().await {
            Some(connection) => connection,
            None => smtp::connect(&self.server, inner).await?,
        };
        let sent = connection.send(letter.envelope(), &letter.formatted()).await;
        if sent.is_ok() && !connection.has_broken() {
            self.keep(connection);
        }
        sent.map(|_| ()).map_err(|error| smtp::refusal(&error))
    }

    /// A connection that is still there: a server may have hung up.
    async fn kept(&self) -> Option<AsyncSmtpConnection> {
        loop {
            let (mut connection, since) = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
            if since.elapsed() < KEPT && connection.test_connected().await {
                return Some(connection);
            }
        }
    }

    fn keep(&self, connection: AsyncSmtpConnection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(_, since)| since.elapsed() < KEPT);
        if idle.len() < CONNECTIONS {
            idle.push((connection, Instant::now()));
        }
    }
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = self.sender.as_ref().map(|sender| sender.from.to_string());
        f.debug_struct("Mail").field("from", &from).finish_non_exhaustive()
    }
}

impl fmt::Debug for MailSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = self.server.as_ref().and_then(Url::host_str);
        f.debug_struct("MailSettings")
            .field("server", &server)
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}
