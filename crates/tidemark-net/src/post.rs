//! One message out to a service, its word back: no redirects, no cookies, no second try.

use crate::ask::Ask;
use crate::client::Inner;
use crate::exchange::Limits;
use crate::proxy::Proxy;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method};
use tidemark_engine::fetch::{Failure, Phase};
use tidemark_engine::request::host_of;
use tokio::time::timeout;
use url::Url;

/// What a service says of a message is read up to here; the rest does not matter.
const WORD: u64 = 64 << 10;

/// What is sent.
#[derive(Clone, Debug)]
pub(crate) struct Post {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// What comes back.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Post {
    /// JSON to an address.
    pub(crate) fn json(url: Url, body: &serde_json::Value) -> Self {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Self { method: Method::POST, url, headers, body: body.to_string().into() }
    }
}

impl Inner {
    /// Sends once, when it is its turn and within the time for it.
    pub(crate) async fn post(&self, post: Post) -> Result<Word, Failure> {
        let _pass = self.gate.enter(&host_of(&post.url)).await;
        let late = Failure::TimedOut { phase: Phase::End, limit: self.settings.total };
        timeout(self.settings.total, self.send(post)).await.unwrap_or(Err(late))
    }

    async fn send(&self, post: Post) -> Result<Word, Failure> {
        let Post { method, url, mut headers, body } = post;
        headers.insert(USER_AGENT, self.user_agent.clone());
        let proxy = self.settings.proxy.clone().map(|url| Proxy { url, trusted: true });
        let reply = self.exchange.ask(&Ask { url, method, headers, body, proxy }).await?;
        let (status, headers) = (reply.status, reply.headers.clone());
        let limits = Limits { wire: WORD, unpacked: WORD, cut: true };
        // The head has said whether it was taken; a body that breaks off does not change that.
        let body = self.exchange.read(reply, limits, &mut 0).await.unwrap_or_default();
        Ok(Word { status, headers, body })
    }
}
