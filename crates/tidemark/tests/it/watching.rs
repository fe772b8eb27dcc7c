//! The story of a watch, over a real site on loopback: added, checked, changed, told, paused, removed.

use crate::commands::{Session, code, message};
use crate::site::Site;
use serde_json::Value;
use std::process::Output;

const OLD: &str = "<!doctype html><title>Kettles</title><h1>Kettles</h1><ul><li id=blue>Blue kettle 10.00 EUR</ul><p>We have sold kettles for forty years, to sailors and to others.";
const NEW: &str = "<!doctype html><title>Kettles</title><h1>Kettles</h1><ul><li id=blue>Blue kettle 11.50 EUR</ul><p>We have sold kettles for forty years, to sailors and to others.";

/// A program whose settings come from its folder alone.
pub(crate) struct House {
    pub(crate) session: Session,
}

impl House {
    pub(crate) fn new() -> Self {
        let session = Session::new();
        session.write(
            "tidemark.toml",
            b"database = \"t.db\"\n[network]\nallow = [\"127.0.0.1\"]\n[schedule]\nspacing = \"0s\"\n",
        );
        Self { session }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.session.run(&[&["--config", "tidemark.toml"], arguments].concat())
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", message(&output)))
    }

    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(message(&output), "", "{arguments:?}");
        String::from_utf8(output.stdout).expect("text")
    }
}

#[test]
fn a_page_is_watched_from_beginning_to_end() {
    let (house, site) = (House::new(), Site::start());
    site.put("/kettles", OLD);
    let url = site.url("/kettles");
    assert!(
        house
            .text(&["add", &url, "--name", "kettles", "--tag", "shop", "--every", "1h..7d"])
            .contains("watched now, as 1")
    );
    assert!(
        house
            .text(&["add", &url, "--name", "kettles", "--tag", "shop", "--every", "1h..7d"])
            .contains("watched already, as 1")
    );
    assert_eq!(code(&house.run(&["check"])), 0, "a first version is nothing new");
    assert_eq!(code(&house.run(&["check", "kettles"])), 0);
    site.put("/kettles", NEW);
    let told = house.run(&["check", "tag:shop"]);
    assert_eq!(code(&told), 1);
    assert!(String::from_utf8_lossy(&told.stdout).contains("~ Blue kettle [-10.00-]{+11.50+} EUR"));

    assert!(house.text(&["changes"]).contains("[-10.00-]{+11.50+}"));
    let changes = house.json(&["changes", "--since", "1h"]);
    assert_eq!(changes["changes"][0]["verdict"]["standing"], "told");
    assert_eq!(house.json(&["history", "1"])["versions"].as_array().map(Vec::len), Some(2));
    assert_eq!(house.run(&["cat", "1@1"]).stdout, OLD.as_bytes());
    assert_eq!(house.run(&["cat", "kettles@last"]).stdout, NEW.as_bytes());
    assert_eq!(house.run(&["cat", &format!("{url}@-1")]).stdout, OLD.as_bytes());
    for versions in
        [&["diff", "kettles@1", "kettles@2"][..], &["diff", "kettles"], &["diff", "1@first", "1@2100-01-01"]]
    {
        let diff = house.run(versions);
        assert_eq!(code(&diff), 1, "{versions:?}: {}", message(&diff));
        assert!(String::from_utf8_lossy(&diff.stdout).contains("[-10.00-]{+11.50+}"));
    }
    let show = house.json(&["show", "kettles"]);
    assert_eq!(
        (&show["versions"], &show["told"], &show["condition"]),
        (&2.into(), &1.into(), &"well".into())
    );
    assert!(house.text(&["show", "1"]).contains("1 change told"));

    let rerun = house.json(&["rerun", "1", "--zone", "p"]);
    assert_eq!(rerun["changes"][0]["verdict"]["standing"], "held");
    assert!(house.text(&["pause", "1"]).contains("paused 1 kettles"));
    assert!(house.text(&["list"]).contains("1 paused"));
    assert!(house.text(&["list", "--all"]).contains("paused"));
    assert_eq!(code(&house.run(&["check", "1"])), 0, "a paused watch is checked when it is named");
    assert!(house.text(&["resume", "tag:shop"]).contains("resumed 1"));
    assert_eq!(code(&house.run(&["doctor", "--deep"])), 0);
    assert_eq!(code(&house.run(&["remove", "1"])), 2, "nobody is there to be asked");
    assert!(house.text(&["remove", "1", "--yes"]).contains("removed 1"));
    assert!(house.text(&["list"]).contains("nothing is watched"));
}

#[test]
fn what_is_wrong_is_said_before_anything_is_stored() {
    let house = House::new();
    for (arguments, said) in [
        (vec!["add", "ftp://example.org/"], "neither http nor https"),
        (vec!["add", "example.org", "not a url :"], "not a web address"),
        (vec!["add", "example.org", "--zone", "p >"], "zone"),
        (vec!["add", "example.org", "--only-interests"], "--interests"),
        (vec!["add", "example.org", "--name", "7"], "cannot be called"),
        (vec!["add", "example.org", "--every", "7d..1h"], "shortest comes first"),
        (vec!["add", "example.org", "--hours", "always"], "--hours"),
        (vec!["add", "a.org", "b.org", "--name", "x"], "--name is for one address"),
        (vec!["show", "nobody"], "there is no watch 'nobody'"),
        (vec!["changes", "--since", "soon"], "is no time"),
    ] {
        let output = house.run(&arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(message(&output).contains(said), "{arguments:?}: {}", message(&output));
    }
    assert!(house.text(&["list"]).contains("nothing is watched"));
}

#[test]
fn an_ambiguous_name_lists_what_it_may_mean() {
    let house = House::new();
    house.text(&["add", "https://example.org/a", "--tag", "x"]);
    house.text(&["add", "https://example.org/a", "--tag", "y"]);
    let output = house.run(&["show", "https://example.org/a"]);
    assert_eq!(code(&output), 2);
    assert!(message(&output).contains("any of 2 watches") && message(&output).contains("\n  2  "));
}

#[test]
fn a_page_that_is_down_is_trouble_and_a_guarded_address_is_refused() {
    let (house, site) = (House::new(), Site::start());
    site.put_status("/down", 500, "broken");
    house.text(&["add", &site.url("/down")]);
    let output = house.run(&["check"]);
    assert_eq!(code(&output), 2);
    assert!(String::from_utf8_lossy(&output.stdout).contains("500"));
    let refused = house.run(&["--set", "network.allow=", "check"]);
    assert_eq!(code(&refused), 2);
    assert!(
        String::from_utf8_lossy(&refused.stdout).contains("this machine"),
        "{}",
        String::from_utf8_lossy(&refused.stdout)
    );
}

#[test]
fn the_doctor_tells_what_is_no_database() {
    let house = House::new();
    assert_eq!(code(&house.run(&["doctor", "--deep"])), 0, "a new house is in order");
    let damaged = House::new();
    damaged.session.write("t.db", &b"this is no database, whatever its name says ".repeat(200));
    let output = damaged.run(&["doctor"]);
    assert_eq!(code(&output), 1);
    assert!(String::from_utf8_lossy(&output.stdout).contains("FAULT database"));
    assert_eq!(code(&damaged.run(&["list"])), 2);
}
