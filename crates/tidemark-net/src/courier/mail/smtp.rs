//! A session with the mail server, from the first byte to the login, and what its answers mean.
//!
//! Trouble before a message is handed over belongs to the settings, not to the message: it is told with what to look at, and passes once that is mended.

use super::server::{Security, Server};
use super::wire::{Wire, start_tls};
use crate::client::Inner;
use crate::courier::clean::{clean, short};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::Mechanism;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use std::error::Error as _;
use std::io;
use tidemark_engine::courier::Refusal;
use tidemark_engine::fetch::Failure;
use tokio::time::timeout;

const MECHANISMS: [Mechanism; 2] = [Mechanism::Plain, Mechanism::Login];

const LET_IN: &str = "check user and password in mail.server";

/// So much of what a server says is repeated.
const TOLD: usize = 300;

/// A session that is ready for a message.
pub(super) async fn connect(server: &Server, inner: &Inner) -> Result<AsyncSmtpConnection, Refusal> {
    let limit = inner.settings.connect;
    let wire = timeout(limit, dial(server, inner)).await;
    let late = || {
        trouble(server, &format!("no connection within {} s", limit.as_secs_f64()), "is it the right port?")
    };
    let wire = wire.unwrap_or_else(|_| Err(late()))?;
    let connection = AsyncSmtpConnection::connect_with_transport(Box::new(wire), &server.hello).await;
    let mut connection = connection
        .map_err(|error| trouble(server, &said(&error), "does it accept connections from here?"))?;
    if let Some(login) = &server.login {
        let let_in = connection.auth(&MECHANISMS, login).await;
        let_in.map_err(|error| trouble(server, &hushed(&said(&error), &server.password), LET_IN))?;
    }
    Ok(connection)
}

/// What an answer to a message means.
pub(super) fn refusal(error: &Error) -> Refusal {
    let said = said(error);
    let code = error.status().map(|code| code.to_string());
    match code.as_deref() {
        Some("530" | "534" | "535" | "538") => {
            Refusal::passing(format!("the mail server wants a login: {said}; {LET_IN}"))
        }
        Some(code) if error.is_permanent() && code != "521" => {
            Refusal::for_good(format!("the mail server did not take the message: {said}"))
        }
        Some(_) => Refusal::passing(format!("the mail server cannot take the message now: {said}")),
        None if error.is_client() => {
            Refusal::for_good(format!("the mail server cannot take such a message: {said}"))
        }
        None => Refusal::passing(format!("the connection to the mail server broke off: {said}")),
    }
}

async fn dial(server: &Server, inner: &Inner) -> Result<Wire, Refusal> {
    let connector = &inner.exchange.connector;
    let unreached =
        |failure: Failure| trouble(server, &failure.to_string(), "is it the right host and port?");
    let mut stream = connector.guard.dial_trusted(&server.host, server.port).await.map_err(unreached)?;
    if server.security == Security::None {
        return Ok(Wire::fresh(stream));
    }
    if server.security == Security::StartTls {
        let started = start_tls(&mut stream, &server.hello.to_string()).await;
        started.map_err(|error| not_encrypted(server, &error))?;
    }
    let secure = connector.tls.greet_mail(&server.host, stream).await;
    let advice = "is it smtp:// or smtps://, and is its certificate in order? Further roots can be set";
    let secure = secure.map_err(|failure| trouble(server, &failure.to_string(), advice))?;
    Ok(if server.security == Security::Tls { Wire::fresh(secure) } else { Wire::greeted(secure) })
}

fn not_encrypted(server: &Server, error: &io::Error) -> Refusal {
    let advice = match error.kind() {
        io::ErrorKind::Unsupported => {
            "nothing is told in the open: use smtps://, or smtp://…?tls=none if the way there is safe"
        }
        _ => "is it the right port?",
    };
    trouble(server, &short(&clean(&error.to_string()), TOLD), advice)
}

fn trouble(server: &Server, what: &str, advice: &str) -> Refusal {
    Refusal::passing(format!("the mail server {}:{}: {what}; {advice}", server.host, server.port))
}

/// The code and the words of the server, or what broke.
fn said(error: &Error) -> String {
    let words = error.source().map(ToString::to_string).unwrap_or_default();
    let code = error.status().map(|code| format!("{code} ")).unwrap_or_default();
    let text = if words.is_empty() { error.to_string() } else { format!("{code}{words}") };
    short(clean(&text).trim(), TOLD)
}

/// What a server repeats of a login stays between us: the password, and whatever looks like a login in base64.
fn hushed(said: &str, password: &str) -> String {
    let packed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let secret = |word: &&str| word.len() >= 12 && word.chars().all(packed);
    let words = said.split(' ').map(|word| if secret(&word) { "…" } else { word });
    let words = words.collect::<Vec<_>>().join(" ");
    if password.len() < 4 { words } else { words.replace(password, "…") }
}
