//! Fetches pages, politely and safely. The only outward sockets of Tidemark are opened here, in one function of the guard.
//!
//! [`Client`] is the [`Fetcher`](tidemark_engine::fetch::Fetcher): it asks for a page, follows redirects, unpacks what comes and says what became of
//! it. Whatever a server does is an answer, never an error, and always ends.
//! [`Couriers`] is the [`Courier`](tidemark_engine::courier::Courier): it delivers messages by mail and to services, over the same guard and the same trust.
//!
//! ```text
//! Request ─ robots ─► Visit ─ per hop: gate, headers, cookies ─► Exchange ─ Pool ─┬─ an idle connection
//!                                                                  │              └─ connect: Guard (resolve, check, dial), proxy, TLS
//!                                                                  └─► body ─ Unpacker ─► Answer
//! ```

mod address;
mod allow;
mod ask;
mod browser;
mod client;
mod connect;
mod cookies;
mod courier;
mod exchange;
mod fault;
mod gate;
mod guard;
mod headers;
mod pool;
mod port;
mod post;
mod proxy;
mod resolver;
mod retry;
mod robots;
mod settings;
mod tls;
mod unpack;
mod visit;

pub use allow::{Allow, AllowError};
pub use browser::BrowserSettings;
pub use client::Client;
pub use courier::{Bases, Couriers, MailSettings};
pub use resolver::{Resolver, Resolving, System};
pub use settings::{NetError, Settings};
