//! Twenty pages in a row leave nothing behind: no process, no folder, no open file. Counted in a process of its own, where nobody else opens any.

use super::{html, is_there, patient, rendered, text};
use crate::rude::Rude;
use crate::{Fake, client, fetch, page};
use std::fs;
use std::path::Path;
use std::process::Command;

const INSIDE: &str = "TIDEMARK_TEST_GROWTH";
const PAGES: usize = 20;

#[test]
fn twenty_pages_leave_nothing_behind() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "browser::growth::twenty_pages", "--nocapture"])
        .env(INSIDE, "1")
        .env("TMPDIR", folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(processes(folder.path()), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_pages() {
    if std::env::var_os(INSIDE).is_none() {
        return;
    }
    let server = Rude::start(|_: &str| html("<p>x<script>document.body.append('built')</script>")).await;
    let mut settings = patient();
    settings.browser.pages = 6;
    let client = client(settings, Fake::default());
    let mut open = Vec::new();
    for _ in 0..PAGES {
        assert!(text(&page(fetch(&client, &rendered(&server.url("/"), &[])).await)).contains("built"));
        let folders = fs::read_dir(std::env::temp_dir()).unwrap().count();
        assert!(folders <= 1, "{folders} profiles for one browser");
        open.push(files());
    }
    // The first pages set up what stays; a server of ours keeps a socket or two for a moment.
    assert!(open[PAGES - 1] <= open[1] + 4, "{open:?}");
    println!("open files after each page: {open:?}");
    assert!(!processes(&std::env::temp_dir()).is_empty(), "the browser that is kept can be seen");
}

fn files() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Living processes whose profile is in a folder.
fn processes(folder: &Path) -> Vec<String> {
    let ids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let lines = ids
        .filter(|id| id.parse::<u32>().is_ok())
        .filter_map(|id| fs::read(format!("/proc/{id}/cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(&format!("--user-data-dir={}", folder.display()))).collect()
}
