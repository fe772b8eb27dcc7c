//! Tabs and browsers that die in the middle of a visit, by a signal.

use super::{html, is_there, patient, rendered, text};
use crate::rude::{Act, Rude, path};
use crate::{Fake, client, failure, fetch, page};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tidemark_engine::fetch::Failure;

/// A program that starts the browser with a mark by which this one is known among others.
fn marked(folder: &Path) -> std::path::PathBuf {
    let program = folder.join("browser");
    let real = [
        "/usr/lib/chromium/chromium",
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let real = real.iter().find(|path| Path::new(path).exists()).unwrap();
    fs::write(&program, format!("#!/bin/sh\nexec {real} --mark={} \"$@\"\n", folder.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program
}

/// The processes of the marked browser whose command line says this.
fn processes(folder: &Path, said: &str) -> Vec<u32> {
    let ids = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let all: Vec<(u32, u32, String)> = ids
        .filter_map(|id| {
            let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
            let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
            let line = fs::read(format!("/proc/{id}/cmdline")).ok()?;
            Some((id, parent, String::from_utf8_lossy(&line).replace('\0', " ")))
        })
        .collect();
    let mark = format!("--mark={}", folder.display());
    let mut tree: BTreeSet<u32> =
        all.iter().filter(|(_, _, line)| line.contains(&mark)).map(|one| one.0).collect();
    for _ in 0..8 {
        tree.extend(
            all.iter().filter(|(_, parent, _)| tree.contains(parent)).map(|one| one.0).collect::<Vec<_>>(),
        );
    }
    all.into_iter()
        .filter(|(id, _, line)| tree.contains(id) && line.contains(said))
        .map(|(id, ..)| id)
        .collect()
}

fn kill(ids: &[u32]) {
    let ids = ids.iter().map(ToString::to_string);
    assert!(Command::new("kill").arg("-KILL").args(ids).status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_and_a_browser_that_die_are_answers() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let server = Rude::start(|head: &str| match path(head) {
        "/never" => vec![Act::Hang],
        _ => html("<p>well<img src=/never>"),
    })
    .await;
    let mut settings = patient();
    settings.browser.program = Some(marked(folder.path()));
    let client = client(settings, Fake::default());
    for (victim, said) in
        [("--type=renderer", "crashed its tab"), ("--remote-debugging-pipe", "the browser ended")]
    {
        let before = server.heads().len();
        let request = rendered(&server.url("/"), &[]);
        let visit = fetch(&client, &request);
        let murder = async {
            while !server.heads().iter().skip(before).any(|head| path(head) == "/never") {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            let victims = processes(folder.path(), victim);
            assert!(!victims.is_empty(), "{victim}");
            kill(&victims);
        };
        let (answer, ()) = tokio::join!(visit, murder);
        let failure = failure(answer);
        assert!(
            matches!(&failure, Failure::Rendering(reason) if reason.contains(said)),
            "{victim}: {failure:?}"
        );
    }
    let mut short = rendered(&server.url("/"), &[]);
    short.render.patience = std::time::Duration::from_secs(1);
    assert!(text(&page(fetch(&client, &short).await)).contains("well"));
}
