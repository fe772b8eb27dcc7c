//! A webhook of one's own: the whole message as JSON, signed. The form is described in `docs/webhooks.md`, and changes only with its name.

use super::route::{header, secret_header};
use crate::post::Post;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, Mac};
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName};
use jiff::Timestamp;
use percent_encoding::percent_decode_str;
use sha2::Sha256;
use tidemark_engine::courier::Refusal;
use tidemark_engine::message::Message;
use url::Url;

pub(super) fn post(url: &Url, secret: Option<&str>, message: &Message) -> Result<Post, Refusal> {
    let mut plain = url.clone();
    let _ = (plain.set_username(""), plain.set_password(None));
    let mut post = Post::json(plain, &message.json());
    let time = Timestamp::now().as_second().to_string();
    let headers = &mut post.headers;
    add(headers, "idempotency-key", &message.key)?;
    add(headers, "tidemark-timestamp", &time)?;
    if let Some(secret) = secret {
        add(headers, "tidemark-signature", &format!("v1={}", signature(secret, &time, &post.body)))?;
    }
    if let Some(login) = login(url) {
        headers.insert(AUTHORIZATION, secret_header(&login)?);
    }
    Ok(post)
}

/// Over the time too, so that what was caught once cannot be sent again much later.
fn signature(secret: &str, time: &str, body: &[u8]) -> String {
    // A key may have any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return String::new() };
    mac.update(time.as_bytes());
    mac.update(b".");
    mac.update(body);
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn add(headers: &mut HeaderMap, name: &'static str, value: &str) -> Result<(), Refusal> {
    headers.insert(HeaderName::from_static(name), header(value)?);
    Ok(())
}

fn login(url: &Url) -> Option<String> {
    let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let login = format!("{}:{}", plain(url.username()), plain(url.password().unwrap_or_default()));
    (!url.username().is_empty()).then(|| format!("Basic {}", BASE64_STANDARD.encode(login)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_one_that_others_compute() {
        // printf '1700000000.{}' | openssl dgst -sha256 -hmac key
        let expected = "9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae";
        assert_eq!(signature("key", "1700000000", b"{}"), expected);
    }
}
