//! A little changing site on loopback, for `tidemark demo`: six pages that show what Tidemark tells and what it holds back.

mod pages;
mod server;
mod world;

pub(crate) use server::Site;
