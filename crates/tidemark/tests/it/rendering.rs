//! A page that scripts build, watched through a real browser: what changed, and where on its picture.

use crate::commands::{code, message};
use crate::site::Site;
use crate::watching::House;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The environment variable by which `scripts/test` demands the browser.
const DEMANDED: &str = "TIDEMARK_TEST_BROWSER";

fn page(price: &str) -> String {
    format!(
        "<!doctype html><title>Kettles</title><div id=app></div><script>\
         app.innerHTML = '<h1>Kettles</h1><p>We have sold kettles for forty years, to sailors and to others.</p><ul><li>Red kettle 12.00 EUR</li><li>Blue kettle {price} EUR</li></ul>'</script>"
    )
}

#[test]
fn a_change_is_found_on_the_picture() {
    if !Path::new("/usr/bin/chromium").exists() {
        assert!(
            std::env::var_os(DEMANDED).is_none(),
            "Chromium is not installed; run ./scripts/test, which installs it"
        );
        println!("NOT TESTED: Chromium is not installed");
        return;
    }
    let (house, site) = (House::new(), Site::start());
    site.put("/kettles", &page("10.00"));
    house.text(&[
        "add",
        &site.url("/kettles"),
        "--render",
        "always",
        "--device",
        "800x600",
        "--step",
        "wait ul",
    ]);
    assert!(house.text(&["show", "1"]).contains("always, screen 800x600, 'wait ul'"));
    assert_eq!(code(&house.run(&["check"])), 0, "a first version is nothing new");
    site.put("/kettles", &page("11.50"));
    let told = house.run(&["check"]);
    assert_eq!(code(&told), 1, "{}", message(&told));
    assert!(String::from_utf8_lossy(&told.stdout).contains("~ Blue kettle [-10.00-]{+11.50+} EUR"));

    let first = house.json(&["picture", "1@first", "-o", "first.png"]);
    assert_eq!((&first["boxes"], &first["width"]), (&json!([]), &json!(800)));
    let last = house.json(&["picture", "1", "-o", "last.png"]);
    let boxes = last["boxes"].as_array().expect("a list");
    assert_eq!(boxes.len(), 1, "{last}");
    assert_eq!(boxes[0]["kind"], "changed");
    assert!(boxes[0]["y"].as_i64().expect("a number") > 100, "the second item of the list: {last}");
    let plain = house.json(&["picture", "1", "--plain", "-o", "plain.png"]);
    assert_eq!(plain["version"], 2);
    let [marked, plain] =
        ["last.png", "plain.png"].map(|name| fs::read(house.session.path(name)).expect("it was written"));
    assert!(marked.starts_with(b"\x89PNG") && plain.starts_with(b"\x89PNG") && marked != plain);
}

#[test]
fn what_cannot_be_rendered_is_refused_with_words() {
    let house = House::new();
    for (arguments, said) in [
        (&["--step", "dance"][..], "is no step"),
        (&["--step", "secret #p NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE is not set"),
        (&["--step", "secret #p"], "no terminal"),
        (&["--render", "never", "--step", "consent"], "leave one of them out"),
        (&["--device", "tiny"], "is no screen"),
        (&["--locale", "de_DE"], "no language"),
    ] {
        let output = house.run(&[&["add", "example.org"], arguments].concat());
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(message(&output).contains(said), "{arguments:?}: {}", message(&output));
    }
    house.text(&["add", "example.org", "--render", "auto"]);
    let output = house.run(&["picture", "1", "-o", "x.png"]);
    assert_eq!(code(&output), 2, "{}", message(&output));
}

#[test]
fn a_secret_is_sealed_before_it_is_kept() {
    let house = House::new();
    let output = Command::new(env!("CARGO_BIN_EXE_tidemark"))
        .args(["--config", "tidemark.toml", "add", "example.org"])
        .args(["--step", "type #u ann-types", "--step", "secret #p SITE_SECRET"])
        .env("SITE_SECRET", "hunter2-sealed")
        .current_dir(house.session.path("."))
        .output()
        .expect("the program starts");
    assert_eq!(code(&output), 0, "{}", message(&output));
    let shown = house.text(&["show", "1"]) + &house.json(&["show", "1"]).to_string();
    assert!(shown.contains("'type #u …', 'secret #p'") && !shown.contains("ann-types"), "{shown}");
    let read = |name: &str| fs::read(house.session.path(name)).unwrap_or_default();
    let (database, log) = (read("t.db"), read("t.db-wal"));
    let holds = |bytes: &[u8]| bytes.windows(14).any(|piece| piece == b"hunter2-sealed");
    assert!(!database.is_empty() && !holds(&database) && !holds(&log));
    assert_eq!(read("tidemark.key").len(), 32);
}
