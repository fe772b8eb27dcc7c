//! `tidemark segment` and `tidemark track` with files: order, trouble, formats, hostile pages.

use crate::commands::{Session, code, message};
use serde_json::Value;
use std::fs::{self, File};
use std::process::Output;
use std::time::{Duration, SystemTime};

/// A page of three sections; the second says something of its own.
fn page(said: &str) -> Vec<u8> {
    let section = |name: &str, more: &str| {
        let words: String = (0..20).map(|at| format!("{name}{at} ")).collect();
        format!("<section id={name}><h2>{name}</h2><p>{words}{more}</p></section>\n")
    };
    let body = [section("tide", ""), section("moon", said), section("wind", "")].concat();
    format!("<!DOCTYPE html><title>t</title><body>\n{body}").into_bytes()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// What became of the segment at a place, as pairs of version and fate.
fn events(told: &Value, place: &str) -> Vec<(u64, String)> {
    let rows = told["segments"].as_array().expect("a list");
    let row = rows.iter().find(|row| row["label"]["place"] == place).expect("a segment at this place");
    let event = |event: &Value| {
        (event["version"].as_u64().unwrap_or(0), event["fate"].as_str().unwrap_or("").to_owned())
    };
    row["events"].as_array().expect("a list").iter().map(event).collect()
}

fn pairs(expected: &[(u64, &str)]) -> Vec<(u64, String)> {
    expected.iter().map(|&(version, fate)| (version, fate.to_owned())).collect()
}

#[test]
fn a_folder_is_followed_in_the_order_of_names() {
    let session = Session::new();
    fs::create_dir(session.path("v")).expect("a folder can be made");
    session.write("v/2.html", &page("full")).write("v/10.html", &page("")).write("v/1.html", &page(""));
    session.write("v/.hidden", b"not a version");
    let told = json(&session.run(&["track", "--json", "v"]));
    assert_eq!(told["versions"].as_array().map(Vec::len), Some(3));
    assert_eq!(events(&told, "#moon"), pairs(&[(1, "opened"), (2, "new"), (3, "flip")]));
    assert_eq!(events(&told, "#wind"), pairs(&[(1, "opened")]));
    assert_eq!((&told["measures"]["sdp"], &told["measures"]["msmp"]), (&Value::from(100.0), &Value::Null));
    let lines = text(&session.run(&["track", "v"]));
    assert!(lines.contains("●●↔") && !lines.contains("wind0"), "{lines}");
    let plain = session.run(&["track", "--ascii", "--all", "v"]);
    assert!(plain.stdout.is_ascii() && text(&plain).contains("**~") && text(&plain).contains("wind0"));
}

#[test]
fn versions_can_be_ordered_by_time() {
    let session = Session::new();
    session.write("a.html", &page("late")).write("b.html", &page("early"));
    let date = |name: &str, seconds: u64| {
        let file = File::options().write(true).open(session.path(name)).expect("a file can be opened");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("a time can be set");
    };
    date("a.html", 2_000_000_000);
    date("b.html", 1_000_000_000);
    let versions =
        |more: &[&str]| json(&session.run(&[&["track", "--json"], more].concat()))["versions"].clone();
    assert_eq!(versions(&["b.html", "a.html"]), serde_json::json!(["b.html", "a.html"]));
    assert_eq!(versions(&["--order", "name", "b.html", "a.html"]), serde_json::json!(["a.html", "b.html"]));
    assert_eq!(versions(&["--order", "time", "a.html", "b.html"]), serde_json::json!(["b.html", "a.html"]));
}

#[test]
fn a_version_that_cannot_be_read_is_told_and_the_others_are_followed() {
    let session = Session::new();
    session.write("1.html", &page("")).write("2.html", &vec![b'x'; 5000]).write("3.html", &page("full"));
    let told = session.run(&[
        "track",
        "--json",
        "--max-bytes",
        "4000",
        "1.html",
        "2.html",
        "missing.html",
        "3.html",
    ]);
    assert_eq!(code(&told), 2);
    for line in ["cannot read 2.html: it is larger than 4000 bytes", "cannot read missing.html"] {
        assert!(message(&told).contains(line), "{line} is not in {}", message(&told));
    }
    let report = json(&told);
    assert_eq!(report["versions"], serde_json::json!(["1.html", "3.html"]));
    assert_eq!(report["trouble"].as_array().map(Vec::len), Some(2));
    assert_eq!(events(&report, "#moon"), pairs(&[(1, "opened"), (2, "new")]));
    let none = session.run(&["track", "missing.html"]);
    assert!(code(&none) == 2 && message(&none).contains("none of 1 version"), "{}", message(&none));
    fs::create_dir(session.path("empty")).expect("a folder can be made");
    assert!(message(&session.run(&["track", "empty"])).contains("has no files in it"));
    assert_eq!(code(&session.run(&["track", "-", "-"])), 2);
}

#[test]
fn the_picture_is_written_beside_the_table_or_alone() {
    let session = Session::new();
    session.write("1.html", &page("")).write("2<&.html", &page("full"));
    let told = session.run(&["track", "--svg", "track.svg", "1.html", "2<&.html"]);
    assert_eq!(code(&told), 0, "{}", message(&told));
    assert!(text(&told).contains("segments a version (MSC)"));
    let svg = fs::read_to_string(session.path("track.svg")).expect("the picture was written");
    assert!(svg.starts_with("<svg ") && svg.contains("2&lt;&amp;.html: new"), "{svg}");
    let alone = text(&session.run(&["track", "--svg", "-", "1.html", "2<&.html"]));
    assert_eq!(alone, svg);
}

#[test]
fn a_page_is_shown_in_segments_and_cannot_act() {
    let session = Session::new();
    let hostile = "<script>alert(1)</script><b onclick=x()>b</b><i data-tidemark=segment>i</i>";
    session.write("page.html", &page(hostile));
    let told = text(&session.run(&["segment", "page.html"]));
    assert!(told.contains("   1  #tide") && told.contains("segments, "), "{told}");
    let listing = json(&session.run(&["segment", "--json", "page.html"]));
    assert_eq!(listing["segments"][0]["place"], "#tide");
    assert_eq!(listing["segments"][0]["signature"].as_str().map(str::len), Some(32));
    let view = text(&session.run(&["segment", "--format", "html", "page.html"]));
    assert!(
        view.starts_with("<!DOCTYPE html>")
            && view.contains("data-tidemark=&quot;segment&quot; data-tidemark-change=&quot;1&quot;")
    );
    assert!(!view.contains("alert(1)") && !view.contains("onclick"), "what acts is left out");
    assert!(view.contains("&lt;i>i"), "the page cannot make marks of its own: {view}");
    let written = session.run(&["segment", "-o", "list.txt", "--color", "always", "page.html"]);
    assert_eq!((code(&written), written.stdout.len()), (0, 0));
    let list = fs::read_to_string(session.path("list.txt")).expect("the list was written");
    assert!(list.contains("#tide") && !list.contains('\u{1b}'), "a file has no colours");
}
