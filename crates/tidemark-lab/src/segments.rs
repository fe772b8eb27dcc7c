//! Segments through time: do blocks keep their columns, does every change lie in a segment reported as changed, how much is ruled out by hashes?

mod detection;
mod history;
mod identity;
mod search;

pub use detection::Detection;
pub use history::{Site, Version, history};
pub use identity::{Carrying, Kept};

use anyhow::Result;

/// Prints all of it.
pub fn evaluate(histories: u64, seed: u64) -> Result<()> {
    identity::evaluate(histories, seed);
    detection::evaluate(3, seed)?;
    search::evaluate()?;
    Ok(())
}
