//! The client against servers that do as they please, on real sockets: what gets through the guard (nothing), what comes of each misbehaviour, and
//! what is sent to whom. No test looks at a clock: time-outs are short, and only outcomes are asserted.

mod browser;
mod couriers;
mod guard;
mod manners;
mod misbehaviour;
mod proxies;
mod redirects;
mod robots;
mod rude;
mod secure;
mod sockets;

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tidemark_engine::fetch::{Answer, Failure, Fetched, Fetcher, Outcome, Validators};
use tidemark_engine::request::Request;
use tidemark_net::{Client, Resolver, Resolving, Settings};

/// Answers what it was told to; each name its answers in turn, and the last again and again.
#[derive(Clone, Default)]
struct Fake {
    names: Arc<Mutex<HashMap<String, Vec<Vec<IpAddr>>>>>,
}

impl Fake {
    fn with(self, name: &str, answers: &[&[&str]]) -> Self {
        let parse = |texts: &&[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        self.names.lock().unwrap().insert(name.to_owned(), answers.iter().rev().map(parse).collect());
        self
    }
}

impl Resolver for Fake {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        Box::pin(async move {
            let mut names = self.names.lock().unwrap();
            let answers = names.get_mut(name).ok_or_else(|| io::Error::other("no such name"))?;
            let last = answers.len() == 1;
            Ok(if last { answers[0].clone() } else { answers.pop().unwrap_or_default() })
        })
    }
}

/// Short time-outs, small limits; of all that is not public, one address may be visited.
fn settings(allow: &str) -> Settings {
    Settings {
        connect: Duration::from_secs(5),
        first_byte: Duration::from_secs(2),
        idle: Duration::from_secs(2),
        total: Duration::from_secs(6),
        wire: 1 << 20,
        unpacked: 2 << 20,
        allow: allow.parse().unwrap(),
        ..Settings::default()
    }
}

fn client(settings: Settings, names: Fake) -> Client {
    Client::with_resolver(settings, Arc::new(names)).unwrap()
}

/// A plain request that does not ask for `robots.txt`.
fn request(url: &str) -> Request {
    Request { robots: false, ..Request::get(url).unwrap() }
}

async fn fetch(client: &Client, request: &Request) -> Answer {
    client.fetch(request, &Validators::default()).await
}

async fn get(client: &Client, url: &str) -> Answer {
    fetch(client, &request(url)).await
}

#[track_caller]
fn page(answer: Answer) -> Fetched {
    match answer.outcome {
        Outcome::Page(page) => page,
        other => panic!("no page: {other:?}"),
    }
}

#[track_caller]
fn failure(answer: Answer) -> Failure {
    match answer.outcome {
        Outcome::Failed(failure) => failure,
        other => panic!("no failure: {other:?}"),
    }
}
