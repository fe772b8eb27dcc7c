//! How a page is asked for, from the options of the command line.

use crate::cli::{HttpMethod, RequestOptions};
use anyhow::{Context, Result, bail};
use tidemark_engine::request::{Body, Credentials, Method, Request};
use url::Url;

/// Reads an address and all that is sent to it.
pub(super) fn request(address: &str, options: &RequestOptions) -> Result<Request> {
    let mut request = Request::get(address)?;
    for pair in &options.query {
        let (name, value) =
            pair.split_once('=').with_context(|| format!("--query {pair}: write name=value"))?;
        request.url.query_pairs_mut().append_pair(name, value);
    }
    request.headers = pairs(&options.header, ':', "--header", "Name: value")?;
    request.cookies = pairs(&options.cookie, '=', "--cookie", "name=value")?;
    request.credentials = credentials(options)?.or(request.credentials);
    request.body = body(options, &mut request.headers)?;
    request.method = method(options)?;
    request.proxy = options.proxy.as_deref().map(proxy).transpose()?;
    request.robots = !options.ignore_robots;
    request.jq.clone_from(&options.jq);
    Ok(request)
}

fn method(options: &RequestOptions) -> Result<Method> {
    match (options.method, options.data.is_some()) {
        (Some(HttpMethod::Get), true) => bail!("a GET has no --data; leave out --method, or write --query"),
        (Some(HttpMethod::Post), _) | (None, true) => Ok(Method::Post),
        _ => Ok(Method::Get),
    }
}

/// The body; a `Content-Type` among the headers is its own.
fn body(options: &RequestOptions, headers: &mut Vec<(String, String)>) -> Result<Option<Body>> {
    let Some(data) = &options.data else { return Ok(None) };
    let text = match data.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file).with_context(|| format!("cannot read --data {data}"))?,
        None => data.clone(),
    };
    let named = headers.iter().position(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let media = named.map(|at| headers.remove(at).1);
    let guess = if text.trim_start().starts_with(['{', '[']) {
        "application/json"
    } else {
        "application/x-www-form-urlencoded"
    };
    Ok(Some(Body { media: media.unwrap_or_else(|| guess.to_owned()), text }))
}

fn credentials(options: &RequestOptions) -> Result<Option<Credentials>> {
    if let Some(token) = &options.bearer {
        return Ok(Some(Credentials::Bearer(token.clone())));
    }
    let Some(user) = &options.user else { return Ok(None) };
    let (user, password) = user.split_once(':').context("--user: write USER:PASSWORD")?;
    Ok(Some(Credentials::Basic { user: user.to_owned(), password: password.to_owned() }))
}

fn pairs(written: &[String], between: char, option: &str, form: &str) -> Result<Vec<(String, String)>> {
    let pair = |text: &String| {
        let (name, value) = text.split_once(between).with_context(|| format!("{option}: write '{form}'"))?;
        let (name, value) = (name.trim(), value.trim());
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(is_plain) || value.contains(['\r', '\n', '\0']) {
            bail!("{option}: write '{form}' in plain characters");
        }
        Ok((name.to_owned(), value.to_owned()))
    };
    written.iter().map(pair).collect()
}

fn proxy(text: &str) -> Result<Url> {
    let url = Url::parse(text).with_context(|| format!("--proxy {text} is no address"))?;
    if !matches!(url.scheme(), "http" | "socks5") || !url.has_host() {
        bail!("--proxy: only http:// and socks5:// are spoken");
    }
    Ok(url)
}
