//! Pages as a browser shows them: a real Chromium, driven over its debugging pipe, whose every request passes the guard.
//!
//! ```text
//! Request ─ robots, gate ─► Browsers: a browser of its own ─► Visit: a context of its own ─ navigate, wait, steps ─► HTML, picture, boxes
//!                                      │                              │
//!                              killed on hang, by memory        Door: our proxy ─► Guard
//! ```

mod boxes;
mod bring;
mod cdp;
mod consent;
mod launch;
mod meter;
mod peer;
mod private;
mod processes;
mod proxy;
mod seen;
mod steps;
mod supervise;
mod tab;
mod visit;

pub(crate) use supervise::Browsers;
pub(crate) use visit::{Rendered, render};

use std::path::PathBuf;
use std::time::Duration;
use tidemark_engine::secret::Vault;

/// How browsers are used.
#[derive(Clone, Debug)]
pub struct BrowserSettings {
    /// The program; the first Chromium in the path, unless said.
    pub program: Option<PathBuf>,
    /// How many run at the same time. Each shows one page at a time.
    pub concurrency: usize,
    /// Bytes of memory that one may use, with all its processes; beyond, it is killed.
    pub memory: u64,
    /// After so many pages it is replaced.
    pub pages: usize,
    /// How long a page may take, steps and all; beyond, the browser is killed.
    pub time: Duration,
    /// Opens the secrets that steps type.
    pub vault: Option<Vault>,
}

impl Default for BrowserSettings {
    fn default() -> Self {
        Self {
            program: None,
            concurrency: 2,
            memory: 1 << 30,
            pages: 50,
            time: Duration::from_mins(1),
            vault: None,
        }
    }
}
