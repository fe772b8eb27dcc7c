//! Names to addresses. A port of its own, so that tests can lie.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;

/// Looks up names. What it answers is checked by the guard, and exactly what was checked is connected to.
pub trait Resolver: Send + Sync {
    /// All addresses of a name, in the order they should be tried.
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a>;
}

/// A look-up under way.
pub type Resolving<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// The resolver of the operating system: hosts file, local names and all.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Resolver for System {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}
