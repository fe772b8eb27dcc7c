//! Pages through a real Chromium: what scripts build, what steps do, what hangs and crashes, and that nothing gets past the guard.
//!
//! `scripts/test` installs it and demands it; where it is missing and nobody demands it, these tests say so and pass.

mod crash;
mod growth;
mod guarded;
mod pages;
mod private;
mod steps;
mod trouble;

use crate::rude::{Act, good};
use crate::{Fake, client, request, settings};
use std::path::Path;
use std::time::Duration;
use tidemark_engine::render::{Step, When};
use tidemark_engine::request::Request;
use tidemark_engine::secret::Vault;
use tidemark_net::{Client, Settings};

/// The environment variable by which `scripts/test` demands the browser.
const DEMANDED: &str = "TIDEMARK_TEST_BROWSER";

/// Whether there is one to test with.
fn is_there() -> bool {
    let there = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .iter()
        .any(|path| Path::new(path).exists());
    assert!(
        there || std::env::var_os(DEMANDED).is_none(),
        "Chromium is not installed; run ./scripts/test, which installs it"
    );
    if !there {
        println!("NOT TESTED: Chromium is not installed");
    }
    there
}

/// Of all that is not public, 127.0.0.1 alone may be visited. Slow machines are waited for: no test looks at a clock.
fn patient() -> Settings {
    let mut settings = settings("127.0.0.1");
    settings.total = Duration::from_secs(30);
    settings.browser.time = Duration::from_mins(1);
    settings.browser.concurrency = 1;
    settings.browser.vault = Some(vault());
    settings
}

fn vault() -> Vault {
    Vault::new(&[7; 32])
}

fn browsing(names: Fake) -> Client {
    client(patient(), names)
}

/// A page that is always rendered, with these steps.
fn rendered(url: &str, steps: &[&str]) -> Request {
    let mut request = request(url);
    request.render.when = When::Always;
    let seal = |_: &str, _: Option<&str>| Ok(vault().seal("hunter2!", [3; 24]));
    request.render.steps = steps.iter().map(|step| Step::parse(step, seal).unwrap()).collect();
    request
}

fn html(body: &str) -> Vec<Act> {
    good("200 OK", "Content-Type: text/html; charset=utf-8\r\n", body.as_bytes())
}

fn text(page: &tidemark_engine::fetch::Fetched) -> String {
    String::from_utf8(page.body.to_vec()).unwrap()
}
