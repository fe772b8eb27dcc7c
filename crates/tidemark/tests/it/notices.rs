//! From a page that changes to a mail that arrives: with the real program, a real database and a real mail server.

use crate::commands::{code, message};
use crate::mail::{Mail, arrived, header};
use crate::site::Site;
use crate::watching::House;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Stdio};
use std::time::Duration;

const LOGIN: &str = "ann%40example.org:p%40ss%20word";

fn page(price: usize) -> String {
    format!(
        "<!doctype html><title>Kettles</title><h1>Kettles</h1><p id=price>The blue kettle costs {price} EUR.<p>We have sold kettles for forty years, to sailors and to others."
    )
}

fn notices(house: &House) -> Vec<Value> {
    house.json(&["outbox", "list", "--limit", "0"])["notices"].as_array().unwrap().clone()
}

#[test]
fn a_change_arrives_as_mail_once() {
    if !Mail::is_there() {
        return;
    }
    let (site, house) = (Site::start(), House::new());
    let folder = house.session.path("");
    let mail = Mail::start(&folder, "box", 0);
    let house = with_port(house, mail.port);
    site.put("/kettles", &page(10));
    house.text(&["add", &site.url("/kettles"), "--name", "kettles"]);
    let added = house.text(&["notify", "add", "mailto:ann@example.org", "--name", "me"]);
    assert!(added.contains("mailto:ann@example.org is told now, as channel 1"), "{added}");
    house.text(&["notify", "test", "me"]);
    house.run(&["check"]);
    site.put("/kettles", &page(12));
    assert_eq!(code(&house.run(&["check"])), 1);
    assert_eq!(notices(&house)[0]["state"], "open");
    let told = house.text(&["run", "--once"]);
    assert!(told.contains("→ told mailto:ann@example.org"), "{told}");
    house.text(&["run", "--once"]);
    let mails = arrived(&folder, "box");
    assert_eq!(mails.len(), 2, "the trial, and the change once");
    assert_eq!(header(&mails[1], "Subject"), "kettles: 1 changed");
    assert!(mails[1].contains("text/plain") && mails[1].contains("text/html"), "{}", mails[1]);
    assert!(mails[1].contains("[-10-]{+12+}"), "{}", mails[1]);
    assert_eq!(notices(&house)[0]["state"], "delivered");
    assert!(house.text(&["notify", "list"]).contains("last delivered"));
    let database = std::fs::read(folder.join("t.db")).unwrap();
    assert!(!database.windows(15).any(|piece| piece == b"ann@example.org"), "addresses are sealed");
}

/// The house, with its mail going to a port on loopback.
fn with_port(house: House, port: u16) -> House {
    let settings = format!(
        "database = \"t.db\"\n[network]\nallow = [\"127.0.0.1\"]\nroots = \"cert.pem\"\n[schedule]\nspacing = \"0s\"\n\
         [mail]\nserver = \"smtps://{LOGIN}@localhost:{port}\"\nfrom = \"Tidemark <watch@tide.example>\"\n"
    );
    house.session.write("tidemark.toml", settings.as_bytes());
    house
}

#[test]
fn a_server_that_was_down_gets_everything_once() {
    if !Mail::is_there() {
        return;
    }
    let (site, house) = (Site::start(), House::new());
    let folder = house.session.path("");
    let port = Mail::start(&folder, "before", 0).port;
    let house = with_port(house, port);
    site.put("/kettles", &page(10));
    // What changes at every look is told to who names it.
    house.text(&["add", &site.url("/kettles"), "--name", "kettles", "--zone", "#price"]);
    house.text(&["notify", "add", "mailto:ann@example.org"]);
    house.run(&["check"]);
    for price in 11..15 {
        site.put("/kettles", &page(price));
        house.run(&["check"]);
    }
    let told = house.text(&["run", "--once"]);
    assert!(told.contains("not told yet") && told.contains("could not"), "{told}");
    assert!(house.text(&["notify", "list"]).contains("trouble:"));
    assert!(
        house.text(&["doctor"]).contains("channel 1 (mailto:ann@example.org)"),
        "the doctor finds it too"
    );
    let _mail = Mail::start(&folder, "after", port);
    let waiting: Vec<String> = notices(&house).iter().map(|notice| notice["id"].to_string()).collect();
    let ids: Vec<&str> = waiting.iter().map(String::as_str).collect();
    house.text(&[&["outbox", "retry"], &ids[..]].concat());
    house.text(&["run", "--once"]);
    let mails = arrived(&folder, "after");
    let keys: BTreeSet<&str> = mails.iter().map(|mail| header(mail, "Message-ID")).collect();
    assert_eq!((mails.len(), keys.len()), (4, 4));
    let threads: BTreeSet<&str> = mails.iter().map(|mail| header(mail, "References")).collect();
    assert!(threads.len() == 1 && !threads.contains(""), "the story of one watch is one thread: {threads:?}");
}

/// Kills the program at random moments while it delivers; whatever it had promised to tell is told in the end.
#[test]
fn killed_over_and_over_it_loses_no_notice() {
    if !Mail::is_there() {
        return;
    }
    let (site, house) = (Site::start(), House::new());
    let folder = house.session.path("");
    let mail = Mail::start(&folder, "box", 0);
    let house = with_port(house, mail.port);
    site.put("/kettles", &page(0));
    house.text(&["add", &site.url("/kettles"), "--name", "kettles", "--zone", "#price", "--every", "1h..7d"]);
    for reader in ["ann", "bob", "eve"] {
        house.text(&["notify", "add", &format!("mailto:{reader}@example.org")]);
    }
    house.run(&["check"]);
    for round in 1..=100 {
        site.put("/kettles", &page(round));
        house.run(&["check"]);
        let mut child = running(&house);
        std::thread::sleep(Duration::from_millis(fastrand::u64(20..350)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // What was on its way when its courier died is tried again when the claim runs out; here, at once.
    let waiting = notices(&house).into_iter().filter(|notice| notice["state"] != "delivered");
    let waiting: Vec<String> = waiting.map(|notice| notice["id"].to_string()).collect();
    if !waiting.is_empty() {
        let ids: Vec<&str> = waiting.iter().map(String::as_str).collect();
        house.text(&[&["outbox", "retry"], &ids[..]].concat());
    }
    let last = house.run(&["run", "--once"]);
    assert_eq!(code(&last), 0, "{}", message(&last));
    let all = notices(&house);
    assert!(all.iter().all(|notice| notice["state"] == "delivered"), "{all:?}");
    let told = house.json(&["changes", "--limit", "0"])["changes"].as_array().map_or(0, Vec::len);
    assert_eq!((told, all.len()), (100, 300));
    let mut by_key: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for mail in arrived(&folder, "box") {
        let words = mail.lines().find(|line| line.contains("{+")).unwrap_or_default().to_owned();
        by_key.entry(header(&mail, "Message-ID").to_owned()).or_default().insert(words);
    }
    assert_eq!(by_key.len(), all.len(), "a message for each notice");
    assert!(by_key.values().all(|words| words.len() == 1), "the same key, the same words");
}

fn running(house: &House) -> Child {
    let mut command = house.session.command(&["--config", "tidemark.toml", "run"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn feeds_and_programs_are_told_too() {
    let (site, house) = (Site::start(), House::new());
    let folder = house.session.path("");
    let hooks = folder.join("hooks");
    std::fs::create_dir(&hooks).unwrap();
    let out = folder.join("hook.json");
    std::fs::write(hooks.join("keep"), format!("#!/bin/sh\ncat > {}\n", out.display())).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(hooks.join("keep"), executable).unwrap();
    let refused = house.run(&["notify", "add", "hook:keep"]);
    assert_eq!(code(&refused), 2);
    assert!(message(&refused).contains("notices.hooks"), "{}", message(&refused));
    let set = format!("notices.hooks={}", hooks.display());
    site.put("/kettles", &page(10));
    house.text(&["add", &site.url("/kettles"), "--name", "kettles", "--tag", "shop"]);
    house.text(&["--set", &set, "notify", "add", "hook:keep"]);
    let feed = folder.join("feed.xml");
    house.text(&["notify", "add", &format!("atom:{}", feed.display()), "--tag", "shop"]);
    house.text(&["notify", "add", &format!("atom:{}", folder.join("other.xml").display()), "--tag", "other"]);
    house.run(&["check"]);
    site.put("/kettles", &page(12));
    house.run(&["check"]);
    house.text(&["--set", &set, "run", "--once"]);
    let notice: Value = serde_json::from_slice(&std::fs::read(out).unwrap()).unwrap();
    assert_eq!(
        (&notice["schema"], &notice["items"][0]["name"]),
        (&"tidemark/notice/1".into(), &"kettles".into())
    );
    let xml = std::fs::read_to_string(feed).unwrap();
    assert!(xml.contains("&lt;del&gt;10&lt;/del&gt;&lt;ins&gt;12&lt;/ins&gt;"), "{xml}");
    assert!(!folder.join("other.xml").exists(), "nothing with that tag");
    for name in ["../keep", "", ".", "no-such"] {
        assert_eq!(code(&house.run(&["--set", &set, "notify", "add", &format!("hook:{name}")])), 2, "{name}");
    }
}

#[test]
fn a_channel_says_what_is_wrong_with_it() {
    let house = House::new();
    for (arguments, words) in [
        (&["notify", "add", "carrier-pigeon://x"][..], "address"),
        (&["notify", "add", "mailto:nobody"], "address"),
        (&["notify", "add", "atom:feed.xml"], "whole path"),
        (&["notify", "add", "mailto:a@example.org", "--when", "sometimes"], "rhythm"),
        (&["notify", "add", "mailto:a@example.org", "--body", "{% if %}"], "--body"),
        (&["notify", "remove", "7"], "no channel '7'"),
        (&["outbox", "retry", "7"], "no notice 7"),
    ] {
        let output = house.run(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(message(&output).contains(words), "{arguments:?}: {}", message(&output));
    }
}
