//! Pages that hang, crash and grow: each ends with an answer, and the next page is well.

use super::{html, is_there, patient, rendered, text};
use crate::rude::{Act, Rude, path};
use crate::{Fake, client, failure, fetch, page};
use std::path::PathBuf;
use std::time::Duration;
use tidemark_engine::fetch::{Failure, Phase};

fn site(head: &str) -> Vec<Act> {
    match path(head) {
        "/loop" => html("<p>x<script>setTimeout(() => { for (;;); }, 50)</script>"),
        "/loop-at-once" => html("<p>x<script>for (;;);</script>"),
        "/half" => html(
            "<p>There is text.<img src=/never><script>onload = () => { document.title = 'all' }</script>",
        ),
        "/never" => vec![Act::Hang],
        "/dialogs" => html(
            "<title>x</title><script>onbeforeunload = () => 'stay'; document.title = alert('hi') + prompt('p') + confirm('c')</script>",
        ),
        "/large" => html("<script>document.write('<p>' + 'x'.repeat(3 << 20))</script>"),
        "/memory" => html(
            "<script>const all = []; setInterval(() => { const a = new Uint8Array(32 << 20); for (let i = 0; i < a.length; i += 512) a[i] = i; all.push(a) }, 20)</script>",
        ),
        _ => html("<p>well"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_hangs_is_killed_and_the_next_page_is_well() {
    if !is_there() {
        return;
    }
    let server = Rude::start(site).await;
    let mut settings = patient();
    settings.browser.time = Duration::from_secs(6);
    let client = client(settings, Fake::default());
    for hanging in ["/loop", "/loop-at-once", "/never"] {
        let failure = failure(fetch(&client, &rendered(&server.url(hanging), &[])).await);
        assert!(matches!(failure, Failure::TimedOut { phase: Phase::End, .. }), "{hanging}: {failure:?}");
        let well = page(fetch(&client, &rendered(&server.url("/well"), &[])).await);
        assert!(text(&well).contains("well"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_never_comes_does_not_keep_the_page() {
    if !is_there() {
        return;
    }
    let server = Rude::start(site).await;
    let client = client(patient(), Fake::default());
    let mut request = rendered(&server.url("/half"), &[]);
    request.render.patience = Duration::from_secs(2);
    let half = text(&page(fetch(&client, &request).await));
    assert!(half.contains("There is text.") && !half.contains("<title>"), "{half}");
    let asked = text(&page(fetch(&client, &rendered(&server.url("/dialogs"), &[])).await));
    assert!(asked.contains("<title>undefinednullfalse</title>") || asked.contains("NaN"), "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_grows_is_killed_and_the_next_page_is_well() {
    if !is_there() {
        return;
    }
    let server = Rude::start(site).await;
    let mut settings = patient();
    settings.browser.memory = 600 << 20;
    let client = client(settings, Fake::default());
    let large = failure(fetch(&client, &rendered(&server.url("/large"), &[])).await);
    assert!(matches!(large, Failure::TooLarge { .. }), "{large:?}");
    let greedy = failure(fetch(&client, &rendered(&server.url("/memory"), &["wait 30s"])).await);
    assert!(
        greedy.to_string().contains("browser.memory") || greedy.to_string().contains("crashed"),
        "{greedy}"
    );
    assert!(text(&page(fetch(&client, &rendered(&server.url("/well"), &[])).await)).contains("well"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_browser_it_is_said_what_to_do() {
    let mut settings = patient();
    settings.browser.program = Some(PathBuf::from("/nowhere/chromium"));
    let missing = client(settings.clone(), Fake::default());
    let said = failure(fetch(&missing, &rendered("http://127.0.0.1:1/", &[])).await).to_string();
    assert!(said.contains("/nowhere/chromium") && said.contains("browser.program"), "{said}");
    settings.browser.program = Some(PathBuf::from("/bin/true"));
    let none = client(settings, Fake::default());
    let said = failure(fetch(&none, &rendered("http://127.0.0.1:1/", &[])).await).to_string();
    assert!(said.contains("does not start"), "{said}");
}
