//! One server that stands for all services: each path is checked for what its service documents, and what is wrong is answered with status 400 and the reason.

use super::markup::{html, lures, markdown, visible};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// What was sent.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: hyper::HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// The server, until dropped.
pub(crate) struct Services {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    events: Arc<Mutex<BTreeSet<String>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Services {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, events) = (Arc::<Mutex<Vec<Seen>>>::default(), Arc::<Mutex<BTreeSet<String>>>::default());
        let (kept, made) = (Arc::clone(&seen), Arc::clone(&events));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (kept, made) = (Arc::clone(&kept), Arc::clone(&made));
                let service = service_fn(move |request| serve(request, Arc::clone(&kept), Arc::clone(&made)));
                tokio::spawn(
                    hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service),
                );
            }
        });
        Self { address, seen, events, task }
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn last(&self) -> Value {
        serde_json::from_slice(&self.seen().last().expect("something was sent").body).unwrap()
    }

    /// Events of Matrix: a transaction that comes again makes none.
    pub(crate) fn events(&self) -> usize {
        self.events.lock().unwrap().len()
    }

    /// An address of every service, with a word in place of the token.
    pub(crate) fn targets(&self, token: &str) -> Vec<(&'static str, String)> {
        let at = self.address;
        vec![
            ("the webhook", format!("http://{at}/hook/{token}#secret=k")),
            ("Slack", format!("slack+http://{at}/services/T1/B1/{token}")),
            ("Teams", format!("teams+http://{at}/workflows/{token}?sig=abcdefgh")),
            ("Discord", format!("discord://42/{token}")),
            ("Telegram", format!("telegram://42:{token}@-1001")),
            ("Matrix", format!("matrix+http://{token}@{at}/!room:example.org")),
            ("ntfy", format!("ntfy+http://{token}@{at}/topic")),
            ("Gotify", format!("gotify+http://{at}/{token}")),
            ("Pushover", format!("pushover://{token}@user")),
        ]
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    request: Request<hyper::body::Incoming>,
    kept: Arc<Mutex<Vec<Seen>>>,
    events: Arc<Mutex<BTreeSet<String>>>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default();
    let path = head.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let seen = Seen { method: head.method, path, headers: head.headers, body };
    let response = mood(&seen).unwrap_or_else(|| match check(&seen) {
        Ok(answer) => {
            if seen.method == Method::PUT {
                events.lock().unwrap().insert(seen.path.clone());
            }
            reply(200, &[], &answer.to_string())
        }
        Err(reason) => reply(400, &[], &format!("fake: {reason}")),
    });
    kept.lock().unwrap().push(seen);
    Ok(response)
}

fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::copy_from_slice(body.as_bytes())));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    for (name, value) in headers {
        response
            .headers_mut()
            .insert(hyper::header::HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
    }
    response
}

/// Answers that depend on the token alone: as each service writes them, and repeating the token where that is possible.
fn mood(seen: &Seen) -> Option<Response<Full<Bytes>>> {
    let whole = format!("{} {:?} {}", seen.path, seen.headers, String::from_utf8_lossy(&seen.body));
    let sent = |word: &str| {
        let header =
            seen.headers.values().any(|value| value.to_str().is_ok_and(|value| value.contains(word)));
        whole.contains(word) || header
    };
    let telegram = seen.path.starts_with("/bot");
    if sent("limitedTOKEN") {
        let body = match seen.path.as_str() {
            path if path.starts_with("/bot") => {
                json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 31", "parameters": {"retry_after": 31}})
            }
            path if path.starts_with("/api/webhooks") => {
                json!({"message": "You are being rate limited.", "retry_after": 31.0, "global": false})
            }
            path if path.starts_with("/_matrix") => {
                json!({"errcode": "M_LIMIT_EXCEEDED", "error": "Too many requests", "retry_after_ms": 31000})
            }
            _ => return Some(reply(429, &[("retry-after", "31")], "rate_limited")),
        };
        return Some(reply(429, &[], &body.to_string()));
    }
    let error = |status: u16, text: &str| {
        let body = if telegram {
            json!({"ok": false, "error_code": status, "description": text}).to_string()
        } else {
            text.to_owned()
        };
        Some(reply(status, &[], &body))
    };
    match () {
        () if sent("deniedTOKEN") => error(403, "no access for deniedTOKEN"),
        () if sent("goneTOKEN") => error(404, "no such thing as goneTOKEN"),
        () if sent("brokenTOKEN") => {
            Some(reply(503, &[("retry-after", "5")], "<html>upstream goneTOKEN</html>"))
        }
        () if sent("movedTOKEN") => Some(reply(307, &[("location", "https://other.example/movedTOKEN")], "")),
        () => None,
    }
}

fn check(seen: &Seen) -> Result<Value, String> {
    let media = seen.headers.get("content-type").map(|value| value.as_bytes().to_vec());
    must(media.as_deref() == Some(b"application/json"), "JSON is expected")?;
    let body: Value = serde_json::from_slice(&seen.body).map_err(|error| error.to_string())?;
    let must_post = || must(seen.method == Method::POST, "POST is expected");
    match seen.path.as_str() {
        path if path.starts_with("/hook/") => must_post().map(|()| json!({})),
        path if path.starts_with("/services/T1/B1/") => must_post().and_then(|()| slack(&body)),
        path if path.starts_with("/workflows/") => must_post().and_then(|()| teams(&body, seen.body.len())),
        path if path.starts_with("/api/webhooks/42/") => must_post().and_then(|()| discord(&body)),
        path if path.starts_with("/bot42:") && path.ends_with("/sendMessage") => {
            must_post().and_then(|()| telegram(&body))
        }
        path if path.starts_with("/_matrix/client/v3/rooms/%21room%3Aexample%2Eorg/send/m.room.message/") => {
            matrix(seen, &body)
        }
        "/" => must_post().and_then(|()| ntfy(seen, &body)),
        "/message" => must_post().and_then(|()| gotify(seen, &body)),
        "/1/messages.json" => must_post().and_then(|()| pushover(&body)),
        path => Err(format!("nobody is at {path}")),
    }
}

fn slack(body: &Value) -> Result<Value, String> {
    let text = text(&body["text"])?;
    let plain = text.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "");
    must(!plain.contains(['<', '>', '&']), "the text is not escaped")?;
    lures(text)?;
    let blocks = body["blocks"].as_array().ok_or("no blocks")?;
    must((1..=50).contains(&blocks.len()), "50 blocks at most")?;
    for block in blocks {
        match block["type"].as_str() {
            Some("header") => length(self::text(&block["text"]["text"])?, 150)?,
            Some("context") => length(self::text(&block["elements"][0]["text"])?, 3000)?,
            Some("rich_text") => rich(block)?,
            other => return Err(format!("a block {other:?}")),
        }
    }
    Ok(json!("ok"))
}

fn rich(block: &Value) -> Result<(), String> {
    let elements = block["elements"][0]["elements"].as_array().ok_or("no elements")?;
    must(!elements.is_empty(), "an empty section")?;
    let mut whole = 0;
    for element in elements {
        let words = text(&element["text"])?;
        must(!words.is_empty(), "an empty text")?;
        whole += words.encode_utf16().count();
        visible(words)?;
        let link = element["type"] == "link";
        must(link || element["type"] == "text", "a text or a link")?;
        must(!link || text(&element["url"])?.starts_with("http"), "a link to the web")?;
        let styles = element["style"].as_object().into_iter().flatten();
        must(
            styles.into_iter().all(|(name, on)| {
                ["bold", "italic", "strike", "code"].contains(&name.as_str()) && on == true
            }),
            "styles",
        )?;
    }
    must(whole <= 3000, "3000 characters at most")
}

fn teams(body: &Value, size: usize) -> Result<Value, String> {
    must(size <= 28 * 1024, "28 KB at most")?;
    must(body["type"] == "message", "a message")?;
    let card = &body["attachments"][0];
    must(card["contentType"] == "application/vnd.microsoft.card.adaptive", "an adaptive card")?;
    let card = &card["content"];
    must(card["type"] == "AdaptiveCard" && card["version"] == "1.4", "version 1.4")?;
    for block in card["body"].as_array().ok_or("no body")? {
        must(block["type"] == "RichTextBlock", "rich text")?;
        for run in block["inlines"].as_array().ok_or("no runs")? {
            let words = text(&run["text"])?;
            must(run["type"] == "TextRun" && !words.contains("{{"), "a run without functions")?;
            visible(words)?;
            let to = &run["selectAction"]["url"];
            must(to.is_null() || text(to)?.starts_with("http"), "a link to the web")?;
        }
    }
    Ok(json!(1))
}

fn discord(body: &Value) -> Result<Value, String> {
    must(body["allowed_mentions"] == json!({"parse": []}), "somebody is mentioned")?;
    let embed = &body["embeds"][0];
    let (title, description, footer) =
        (text(&embed["title"])?, text(&embed["description"])?, text(&embed["footer"]["text"])?);
    length(title, 256)?;
    length(description, 4096)?;
    length(footer, 2048)?;
    length(&format!("{title}{description}{footer}"), 6000)?;
    must(!description.trim().is_empty(), "nothing is said")?;
    for part in [title, description] {
        let seen = markdown(part)?;
        visible(&seen)?;
        lures(&seen)?;
    }
    embed["timestamp"]
        .as_str()
        .ok_or("no time")?
        .parse::<jiff::Timestamp>()
        .map_err(|error| error.to_string())?;
    Ok(Value::Null)
}

fn telegram(body: &Value) -> Result<Value, String> {
    must(body["chat_id"] == -1001 && body["parse_mode"] == "HTML", "a chat and HTML")?;
    let seen = html(text(&body["text"])?, &["b", "i", "u", "s", "a"])?;
    length(&seen, 4096)?;
    must(!seen.trim().is_empty(), "message text is empty")?;
    visible(&seen)?;
    lures(&seen)?;
    Ok(json!({"ok": true}))
}

fn matrix(seen: &Seen, body: &Value) -> Result<Value, String> {
    must(seen.method == Method::PUT, "PUT is expected")?;
    authorized(seen, "authorization", "Bearer ")?;
    must(seen.body.len() < 64_000, "an event has 65 536 bytes at most")?;
    must(body["msgtype"] == "m.text" && body["m.mentions"] == json!({}), "nobody is mentioned")?;
    lures(&foreign(&body["body"])?)?;
    let shown = html(text(&body["formatted_body"])?, &["p", "b", "i", "u", "del", "a", "br"])?;
    visible(&shown)?;
    lures(&shown)?;
    Ok(json!({"event_id": "$1"}))
}

fn ntfy(seen: &Seen, body: &Value) -> Result<Value, String> {
    authorized(seen, "authorization", "Bearer ")?;
    must(body["topic"] == "topic", "a topic")?;
    must(text(&body["message"])?.len() <= 4096, "4096 bytes at most")?;
    must(!text(&body["message"])?.trim().is_empty() && !text(&body["title"])?.contains('\n'), "one line")?;
    must(body.get("markdown").is_none() && body.get("actions").is_none(), "plain")?;
    visible(text(&body["message"])?)?;
    lures(&foreign(&body["message"])?)?;
    Ok(json!({}))
}

fn gotify(seen: &Seen, body: &Value) -> Result<Value, String> {
    authorized(seen, "x-gotify-key", "")?;
    must(body["extras"]["client::display"]["contentType"] == "text/plain", "plain")?;
    must(!text(&body["message"])?.trim().is_empty(), "nothing is said")?;
    visible(text(&body["message"])?)?;
    lures(&foreign(&body["message"])?)?;
    Ok(json!({}))
}

/// What is not an address of the message itself.
fn foreign(value: &Value) -> Result<String, String> {
    let own = ["https://shop.example/kettles?a=1&b=2", "https://bus.example/"];
    Ok(own.iter().fold(text(value)?.to_owned(), |text, own| text.replace(own, "")))
}

fn pushover(body: &Value) -> Result<Value, String> {
    must(body["user"] == "user" && body["html"] == 1, "a user")?;
    must(text(&body["title"])?.chars().count() <= 250, "250 characters at most")?;
    must(text(&body["message"])?.chars().count() <= 1024, "1024 characters at most")?;
    must(body["url"].as_str().is_none_or(|url| url.len() <= 512), "512 characters at most")?;
    let seen = html(text(&body["message"])?, &["b", "i", "u", "font", "a"])?;
    must(!seen.trim().is_empty(), "message cannot be blank")?;
    visible(&seen)?;
    lures(&seen)?;
    Ok(json!({"status": 1}))
}

fn authorized(seen: &Seen, name: &str, start: &str) -> Result<(), String> {
    let value = seen.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    must(value.starts_with(start) && value.ends_with("TOKEN"), "a token")
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| format!("a text is expected, not {value}"))
}

fn length(text: &str, most: usize) -> Result<(), String> {
    let length = text.encode_utf16().count();
    must(length <= most, &format!("{length} characters of {most}"))
}

fn must(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}
