//! Tidemark's engine: decides what to look at, looks, judges, records.
//!
//! The world is reached through ports: [`Fetcher`](fetch::Fetcher) for the network, [`Store`](store::Store) for what is kept, [`Clock`](clock::Clock) for the time,
//! [`Extractor`](extract::Extractor) for documents that are no pages. No
//! SQL and no sockets here. The way of the data is [`check`](check::check): claim → fetch → [`examine`](examine::examine) → record.

pub mod atom;
pub mod channel;
pub mod check;
pub mod clock;
pub mod compose;
pub mod condition;
pub mod content;
pub mod courier;
pub mod discover;
pub mod engine;
pub mod examine;
pub mod extract;
pub mod fetch;
pub mod hint;
pub mod history;
pub mod intake;
pub mod judge;
pub mod memory;
pub mod message;
pub mod notice;
pub mod outbox;
pub mod page;
pub mod pair;
pub mod passage;
pub mod post;
pub mod recent;
pub mod record;
pub mod render;
pub mod request;
pub mod rerun;
pub mod restless;
pub mod retention;
pub mod run;
pub mod secret;
pub mod span;
pub mod store;
pub mod streams;
pub mod tell;
pub mod template;
pub mod upkeep;
pub mod watch;

pub use engine::{Engine, Settings};
