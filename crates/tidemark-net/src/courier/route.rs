//! From an address to what is sent there.

use super::target::Target;
use super::{Bases, discord, matrix, push, slack, teams, telegram, webhook};
use crate::post::Post;
use http::HeaderValue;
use tidemark_engine::courier::Refusal;
use tidemark_engine::message::Message;
use url::Url;

/// What goes out over HTTP, and who it goes to in words; nothing for mail.
pub(super) fn post(
    target: &Target,
    bases: &Bases,
    message: &Message,
) -> Result<Option<(&'static str, Post)>, Refusal> {
    Ok(Some(match target {
        Target::Mail(_) => return Ok(None),
        Target::Webhook { url, secret } => ("the webhook", webhook::post(url, secret.as_deref(), message)?),
        Target::Slack(url) => ("Slack", slack::post(url, message)),
        Target::Teams(url) => ("Teams", teams::post(url, message)),
        Target::Discord { id, token } => {
            ("Discord", discord::post(join(&bases.discord, &format!("api/webhooks/{id}/{token}"))?, message))
        }
        Target::Telegram { token, chat } => (
            "Telegram",
            telegram::post(join(&bases.telegram, &format!("/bot{token}/sendMessage"))?, chat, message),
        ),
        Target::Matrix { server, token, room } => ("Matrix", matrix::post(server, token, room, message)?),
        Target::Ntfy { server, token, topic } => {
            ("ntfy", push::ntfy(server, token.as_deref(), topic, message)?)
        }
        Target::Gotify { server, token } => ("Gotify", push::gotify(server, token, message)?),
        Target::Pushover { token, user } => {
            ("Pushover", push::pushover(join(&bases.pushover, "1/messages.json")?, token, user, message))
        }
    }))
}

pub(super) fn header(value: &str) -> Result<HeaderValue, Refusal> {
    HeaderValue::from_str(value)
        .map_err(|_| Refusal::for_good("a header of the message holds characters that no header can"))
}

/// Never shown by a log.
pub(super) fn secret_header(value: &str) -> Result<HeaderValue, Refusal> {
    let mut value = header(value)?;
    value.set_sensitive(true);
    Ok(value)
}

pub(super) fn bearer(token: &str) -> Result<HeaderValue, Refusal> {
    secret_header(&format!("Bearer {token}"))
}

fn join(base: &Url, path: &str) -> Result<Url, Refusal> {
    base.join(path).map_err(|_| Refusal::for_good("the address of the service cannot be made of its token"))
}
