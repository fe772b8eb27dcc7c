//! Coming and going, as its users meet it.

use crate::commands::{code, message};
use crate::site::Site;
use crate::watching::House;
use std::io::Write;

const LIST: &str = "# mine\nhttps://a.example/ Kettles\nhttps://b.example/x\nnot an address\n";

fn version(price: &str) -> String {
    format!(
        "<!doctype html><title>Kettles</title><h1>Kettles</h1><p>Blue kettle {price} EUR<p>We have sold kettles for forty years."
    )
}

#[test]
fn watches_are_taken_in_once() {
    let house = House::new();
    house.session.write("list.txt", LIST.as_bytes());
    let dry = house.run(&["import", "list.txt", "--dry-run", "--tag", "mine"]);
    assert_eq!(code(&dry), 1, "one line is a problem");
    assert!(
        String::from_utf8_lossy(&dry.stdout).contains("2 would be added, 0 known already, 1 problem"),
        "{dry:?}"
    );
    assert!(house.text(&["list"]).contains("nothing is watched"));
    let first = house.json(&["import", "list.txt", "--tag", "mine"]);
    assert_eq!((first["added"].as_array().map(Vec::len), first["form"].as_str()), (Some(2), Some("list")));
    assert_eq!(first["problems"][0]["entry"], "not an address");
    let again = house.json(&["import", "list.txt"]);
    assert_eq!(
        (again["added"].as_array().map(Vec::len), again["known"].as_array().map(Vec::len)),
        (Some(0), Some(2))
    );
    assert!(house.text(&["show", "Kettles"]).contains("mine"));
    let input = house
        .session
        .run_with(&["--config", "tidemark.toml", "import", "-"], b"https://c.example/ Kettles\n");
    let said = String::from_utf8_lossy(&input.stdout).into_owned();
    assert!(said.contains("called 'Kettles' already") && said.contains("1 added"), "{said}");
}

#[test]
fn what_is_hostile_leaves_nothing_behind() {
    let house = House::new();
    house.session.write(
        "bomb.opml",
        b"<!DOCTYPE opml [<!ENTITY a 'x'>]><opml><outline xmlUrl='https://a.example/'/></opml>",
    );
    let output = house.run(&["import", "bomb.opml"]);
    assert_eq!(code(&output), 2);
    assert!(
        message(&output).contains("nothing was added") && message(&output).contains("declares entities"),
        "{}",
        message(&output)
    );
    assert!(house.text(&["list"]).contains("nothing is watched"));
    assert_eq!(code(&house.run(&["import", "none.txt"])), 2);
}

/// A house with a page of three versions, taken in from a folder.
fn with_history() -> House {
    let house = House::new();
    std::fs::create_dir(house.session.path("old")).unwrap();
    for (name, price) in
        [("2020-01-02.html", "11.00"), ("2020-01-01.html", "10.00"), ("20200301120000.html", "12.50")]
    {
        house.session.write(&format!("old/{name}"), version(price).as_bytes());
    }
    let taken = house.json(&["import", "--history", "old", "--url", "https://kettles.example/"]);
    assert_eq!(
        (&taken["taken"], &taken["changes"], &taken["added"]),
        (&3.into(), &2.into(), &1.into()),
        "{taken}"
    );
    house
}

#[test]
fn a_folder_of_versions_becomes_a_history() {
    let house = with_history();
    let changes = house.json(&["changes"]);
    assert_eq!(changes["changes"].as_array().map(Vec::len), Some(2));
    assert!(changes["changes"][1]["at"].as_str().is_some_and(|at| at.starts_with("2020-03-01")), "{changes}");
    assert_eq!(house.run(&["cat", "1@first"]).stdout, version("10.00").as_bytes());
    let again = house.json(&["import", "--history", "old", "--url", "https://kettles.example/"]);
    assert_eq!((&again["taken"], &again["earlier"]), (&0.into(), &3.into()));
    assert_eq!(code(&house.run(&["import", "--history", "old"])), 2, "which page?");
    assert_eq!(code(&house.run(&["doctor", "--deep"])), 0);
}

#[test]
fn a_web_archive_becomes_a_history() {
    let house = House::new();
    house.text(&["add", "https://kettles.example/"]);
    let mut packed = Vec::new();
    for (day, url, price) in [(3, "kettles", "12.00"), (1, "kettles", "10.00"), (2, "other", "1")] {
        let body = version(price);
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        let mut member = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
        write!(member, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://{url}.example/\r\nWARC-Date: 2020-01-0{day}T00:00:00Z\r\nContent-Length: {}\r\n\r\n{answer}\r\n\r\n", answer.len()).unwrap();
        member.finish().unwrap();
    }
    house.session.write("a.warc.gz", &packed);
    let taken = house.json(&["import", "a.warc.gz"]);
    assert_eq!(
        (&taken["taken"], &taken["changes"], &taken["unwatched"]),
        (&2.into(), &1.into(), &1.into()),
        "{taken}"
    );
    let more = house.json(&["import", "a.warc.gz", "--add"]);
    assert_eq!(
        (&more["taken"], &more["added"], &more["earlier"]),
        (&1.into(), &1.into(), &2.into()),
        "{more}"
    );
}

#[test]
fn everything_goes_out_and_comes_back() {
    let house = with_history();
    let exported = house.json(&["export", "out"]);
    assert_eq!(exported["versions"], 3);
    let imported = house.json(&["--database", "other.db", "import", "out"]);
    assert_eq!(imported["hash"], exported["hash"]);
    assert_eq!(code(&house.run(&["--database", "other.db", "doctor", "--deep"])), 0);
    assert!(house.text(&["backup", "b.db"]).contains("complete and read again"));
    assert_eq!(code(&house.run(&["backup", "b.db"])), 2, "it is there already");
    assert!(house.text(&["--database", "third.db", "restore", "b.db"]).contains("restored"));
    assert_eq!(code(&house.run(&["--database", "third.db", "restore", "b.db"])), 2, "it is not empty");
    assert!(house.text(&["move", "--to", "fourth.db"]).contains("the same as here"));
    for database in ["third.db", "fourth.db"] {
        assert_eq!(house.run(&["--database", database, "cat", "1@last"]).stdout, version("12.50").as_bytes());
        let again = house.json(&["--database", database, "export", &format!("{database}.out")]);
        assert_eq!(again["hash"], exported["hash"]);
    }
    let mut bad = std::fs::read(house.session.path("b.db")).unwrap();
    let middle = bad.len() / 2;
    bad.truncate(middle);
    house.session.write("bad.db", &bad);
    assert_eq!(code(&house.run(&["--database", "fifth.db", "restore", "bad.db"])), 2);
    assert!(house.text(&["--database", "fifth.db", "list"]).contains("nothing is watched"));
    assert!(house.text(&["export", "only", "--warc-only"]).contains("3 versions"));
    assert!(!house.session.path("only/tidemark.jsonl").exists());
}

#[test]
fn a_site_is_looked_around() {
    let (house, site) = (House::new(), Site::start());
    site.put(
        "/",
        "<link rel=alternate type='application/rss+xml' href='/news'><a href='/about'>About us</a>",
    );
    site.put(
        "/news",
        "<rss version='2.0'><channel><title>News</title><item><title>a</title></item></channel></rss>",
    );
    site.put("/sitemap.xml", &format!("<urlset><url><loc>{}</loc></url></urlset>", site.url("/deep/page")));
    let found = house.json(&["discover", &site.url("/")]);
    assert_eq!(found["pages"][0]["title"], "About us", "{found}");
    assert_eq!(found["pages"][1]["why"], "in the sitemap, 2 steps below the top");
    assert!(house.text(&["list"]).contains("nothing is watched"));
    let added = house.json(&["discover", &site.url("/"), "--add", "--tag", "found"]);
    assert!(added["added"].as_array().is_some_and(|added| !added.is_empty()), "{added}");
    assert_eq!(code(&house.run(&["discover", &site.url("/none")])), 2);
}
