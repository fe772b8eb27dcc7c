//! `tidemark run` and `tidemark demo` as processes: ended, killed, doubled.

use crate::commands::code;
use crate::site::Site;
use crate::watching::House;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longer than anything here takes on a slow machine.
const PATIENCE: Duration = Duration::from_mins(2);

fn start(house: &House, arguments: &[&str]) -> Child {
    let arguments = [&["--config", "tidemark.toml"], arguments].concat();
    Command::new(env!("CARGO_BIN_EXE_tidemark"))
        .args(arguments)
        .current_dir(house.session.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn wait_for(what: &str, done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain for {what}");
        sleep(Duration::from_millis(50));
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
}

/// Ends it with a signal; what it said.
fn end(mut child: Child) -> String {
    signal(&child, "-INT");
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(0), "it ends in good order");
    let mut said = String::new();
    child.stdout.take().expect("it is piped").read_to_string(&mut said).expect("text");
    said
}

#[test]
fn a_run_tells_changes_survives_bad_pages_and_ends_on_a_signal() {
    let (house, site) = (House::new(), Site::start());
    site.put("/good", "<h1>Tide</h1><p>High water at ten in the morning, at the old pier.");
    site.put_status("/broken", 500, "broken");
    site.put("/empty", "");
    let dead = "http://127.0.0.1:1999/dead".to_owned();
    let urls = [site.url("/good"), site.url("/broken"), site.url("/empty"), dead];
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    assert_eq!(code(&house.run(&[&["add", "--every", "1s"], &urls[..]].concat())), 0);
    let child = start(&house, &["run"]);
    wait_for("a first look", || site.visits("/good") > 0);
    site.put("/good", "<h1>Tide</h1><p>High water at eleven in the morning, at the old pier.");
    let told = || String::from_utf8_lossy(&house.run(&["changes"]).stdout).contains("{+eleven+}");
    wait_for("the change", told);
    let said = end(child);
    assert!(said.contains("[-ten-]{+eleven+}"), "{said}");
    assert!(said.contains("the page is blank"), "{said}");
    let visits = house.run(&["history", "2", "--visits"]);
    assert!(String::from_utf8_lossy(&visits.stdout).contains("the server answers 500"));
    assert_eq!(code(&house.run(&["doctor", "--deep"])), 0);
}

#[test]
fn a_run_that_nobody_reads_ends() {
    let (house, site) = (House::new(), Site::start());
    site.put("/a", "<h1>Count</h1><p>one word, and some more words to make a page of it");
    assert_eq!(code(&house.run(&["add", "--every", "1s", &site.url("/a")])), 0);
    let mut child = start(&house, &["run", "--json"]);
    drop(child.stdout.take());
    let begun = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        assert!(begun.elapsed() < PATIENCE, "it runs on for nobody");
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn two_runs_on_one_database_do_not_visit_twice() {
    let (house, site) = (House::new(), Site::start());
    let paths: Vec<String> = (0..12).map(|number| format!("/p{number}")).collect();
    let mut arguments = vec!["add".to_owned(), "--every".to_owned(), "1h".to_owned()];
    for path in &paths {
        site.put(
            path,
            &format!("<h1>{path}</h1><p>Some words about {path} that are long enough to be a page."),
        );
        arguments.push(site.url(path));
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    assert_eq!(code(&house.run(&arguments)), 0);
    let children = [start(&house, &["run"]), start(&house, &["run", "--json"])];
    wait_for("all visits", || paths.iter().all(|path| site.visits(path) > 0));
    let all =
        || String::from_utf8_lossy(&house.run(&["list"]).stdout).matches(" well ").count() == paths.len();
    wait_for("all records", all);
    children.into_iter().for_each(|child| drop(end(child)));
    for path in &paths {
        assert_eq!(site.visits(path), 1, "{path}");
    }
}

#[test]
fn a_run_that_is_killed_loses_nothing() {
    let (house, site) = (House::new(), Site::start());
    site.put("/a", "<h1>Count</h1><p>one word, and some more words to make a page of it");
    assert_eq!(code(&house.run(&["add", "--every", "1s", &site.url("/a")])), 0);
    for round in ["two", "three", "four"] {
        let mut child = start(&house, &["--set", "schedule.lease=2s", "run"]);
        site.put("/a", &format!("<h1>Count</h1><p>{round} word, and some more words to make a page of it"));
        let told = || String::from_utf8_lossy(&house.run(&["cat", "1"]).stdout).contains(round);
        wait_for(round, told);
        signal(&child, "-KILL");
        child.wait().expect("it ends");
        assert_eq!(code(&house.run(&["doctor", "--deep"])), 0);
    }
    let once = house.run(&["--set", "schedule.lease=2s", "run", "--once"]);
    assert_eq!(code(&once), 0);
    assert!(house.run(&["cat", "1@last"]).stdout.starts_with(b"<h1>Count</h1><p>four"));
}

#[test]
fn the_demo_tells_changes_and_no_noise() {
    let house = House::new();
    let output = house.run(&["demo", "--seconds", "9"]);
    assert_eq!(code(&output), 0);
    let said = String::from_utf8_lossy(&output.stdout);
    let (told, sum) = said.split_once("That was it.").expect("a summary");
    let (_, told) = told.split_once("until Ctrl-C").expect("an opening");
    assert!(told.contains("[-49.90-]{+44.90+}"), "the kettle got cheaper: {said}");
    assert!(!told.contains("It is 12:") && !told.contains("berths"), "noise: {said}");
    assert!(!told.contains("csrf") && !told.contains("nonce"), "noise: {said}");
    assert!(sum.contains("held back") && sum.contains(" × "), "{said}");
}
