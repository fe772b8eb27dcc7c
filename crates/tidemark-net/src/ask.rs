//! A request, written down for the connection it goes out on: a path for a server, the whole URL for a proxy or for HTTP/2.

use crate::connect::{Connection, Route, Sent};
use crate::proxy::Proxy;
use bytes::Bytes;
use http::header::{HOST, HeaderValue, PROXY_AUTHORIZATION};
use http::{HeaderMap, Method, Uri};
use http_body_util::Full;
use tidemark_engine::fetch::Failure;
use url::{Position, Url};

/// What is asked.
pub(crate) struct Ask {
    pub(crate) url: Url,
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) proxy: Option<Proxy>,
}

impl Ask {
    pub(crate) fn to_http(
        &self,
        route: &Route,
        connection: &Connection,
    ) -> Result<http::Request<Sent>, Failure> {
        let unsendable = |error: &dyn ToString| Failure::Unsendable(error.to_string());
        let first = matches!(connection, Connection::First(_));
        let origin_form = first && !route.is_absolute();
        let text = if origin_form {
            &self.url[Position::BeforePath..Position::AfterQuery]
        } else {
            self.url.as_str()
        };
        let mut request = http::Request::new(Full::new(self.body.clone()));
        *request.uri_mut() = text.parse::<Uri>().map_err(|error| unsendable(&error))?;
        *request.method_mut() = self.method.clone();
        *request.headers_mut() = self.headers.clone();
        if first {
            let host = &self.url[Position::BeforeHost..Position::AfterPort];
            let host = HeaderValue::from_str(host).map_err(|error| unsendable(&error))?;
            request.headers_mut().insert(HOST, host);
        }
        let login = route.proxy.as_ref().filter(|_| route.is_absolute()).and_then(Proxy::authorization);
        if let Some(login) = login {
            let login = HeaderValue::from_str(&login).map_err(|error| unsendable(&error))?;
            request.headers_mut().insert(PROXY_AUTHORIZATION, login);
        }
        Ok(request)
    }
}
