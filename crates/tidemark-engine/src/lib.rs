//! Tidemark's engine: decides what to look at, looks, judges, records.
//!
//! The world is reached through ports: [`Fetcher`](fetch::Fetcher) for the network, [`Store`](store::Store) for what is kept, a clock for the time. No
//! SQL and no sockets here.

pub mod condition;
pub mod content;
pub mod fetch;
pub mod memory;
pub mod page;
pub mod record;
pub mod request;
pub mod restless;
pub mod retention;
pub mod store;
pub mod watch;
