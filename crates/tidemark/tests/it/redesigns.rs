//! `tidemark redesign` with folders, lists and archives: order, trouble, pictures, hostile input.

use crate::commands::{Session, code, message};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::fs::{self, File};
use std::io::Write;
use std::process::Output;
use std::time::{Duration, SystemTime};

/// A document with the old template, or with the new one.
fn document(number: usize, is_new: bool) -> String {
    let text = format!("<p>Bulletin {number}</p>");
    if is_new {
        format!(
            "<!DOCTYPE html><title>{number}</title><link rel=stylesheet href=new.css><body class=n><header class=bar><nav><a href=/>h</a></nav></header><main><article><h1>t</h1><section>{text}</section></article></main><footer><small>f</small></footer>"
        )
    } else {
        format!(
            "<!DOCTYPE html><title>{number}</title><link rel=stylesheet href=old.css><body><div id=top><h1>h</h1></div><table id=layout><tr><td class=menu><ul><li><a href=/>a</a></ul><td class=text><h2>t</h2>{text}</table><div id=bottom><hr><font>f</font></div>"
        )
    }
}

fn record(url: &str, head: &str, body: &[u8]) -> Vec<u8> {
    let answer = [format!("HTTP/1.1 200 OK\r\n{head}\r\n").as_bytes(), body].concat();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2008-01-02T03:04:05Z\r\nContent-Length: {}\r\n\r\n",
        answer.len()
    );
    [head.as_bytes(), &answer, b"\r\n\r\n"].concat()
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes any bytes")
}

/// Records of 24 documents, the new template from the 13th on; every third is coded.
fn records() -> Vec<Vec<u8>> {
    let record = |number: usize| {
        let (url, body) = (format!("http://a.example/{number}"), document(number, number > 12));
        match number % 3 {
            0 => record(
                &url,
                "Content-Type: text/html\r\nContent-Encoding: gzip\r\n",
                &zipped(body.as_bytes()),
            ),
            1 => {
                let chunks = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
                record(&url, "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n", chunks.as_bytes())
            }
            _ => record(&url, "Content-Type: text/html; charset=utf-8\r\n", body.as_bytes()),
        }
    };
    (1..=24).map(record).collect()
}

/// 24 files, the new template from the 13th on.
fn folder(session: &Session) {
    fs::create_dir(session.path("site")).expect("a folder can be made");
    for number in 1..=24 {
        session.write(&format!("site/{number}.html"), document(number, number > 12).as_bytes());
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The first document of each redesign, by name.
fn found(output: &Output) -> Vec<String> {
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = told["redesigns"].as_array().expect("a list");
    rows.iter().map(|row| row["name"].as_str().unwrap_or("").to_owned()).collect()
}

#[test]
fn a_folder_is_read_by_name_or_by_time() {
    let session = Session::new();
    folder(&session);
    let told = session.run(&["redesign", "site"]);
    assert_eq!(code(&told), 1, "{}", message(&told));
    assert!(text(&told).starts_with("site/13.html  tidemark      after "), "{}", text(&told));
    assert!(text(&told).ends_with("1 redesign in 24 documents\n"), "{}", text(&told));
    // Now the new template is the older one.
    for number in 1..=24_u64 {
        let file = File::options().write(true).open(session.path(&format!("site/{number}.html")));
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs((number + 11) % 24 * 1000);
        file.and_then(|file| file.set_modified(time)).expect("a time can be set");
    }
    let told = session.run(&["redesign", "--json", "--order", "time", "site"]);
    assert_eq!(found(&told), ["site/1.html"]);
}

#[test]
fn a_list_is_read_as_it_is_and_what_cannot_be_read_is_passed_over() {
    let session = Session::new();
    folder(&session);
    let list: String = (1..=24).map(|number| format!("site/{number}.html\n")).collect();
    session.write("list.txt", list.replace("site/5.html", "site/missing.html\n").as_bytes());
    let told = session.run(&["redesign", "--json", "list.txt"]);
    assert_eq!((code(&told), found(&told)), (2, vec!["site/13.html".to_owned()]));
    assert!(message(&told).contains("cannot read site/missing.html"), "{}", message(&told));
    let told: Value = serde_json::from_slice(&told.stdout).expect("JSON");
    assert_eq!(
        (&told["documents"], &told["failed"], &told["redesigns"][0]["document"]),
        (&23.into(), &1.into(), &12.into())
    );
    assert_eq!(code(&session.run_with(&["redesign", "-"], list.as_bytes())), 1);
    let few: String = (1..=10).map(|number| format!("site/{number}.html\n")).collect();
    let told = session.run_with(&["redesign", "-"], few.as_bytes());
    assert_eq!((code(&told), text(&told).as_str()), (0, "no redesign found in 10 documents\n"));
}

#[test]
fn an_archive_is_read_in_any_packing() {
    let session = Session::new();
    let records = records();
    session.write("plain.warc", &records.concat());
    session.write("one.warc.gz", &zipped(&records.concat()));
    session.write("many.warc.gz", &records.iter().map(|record| zipped(record)).collect::<Vec<_>>().concat());
    for name in ["plain.warc", "one.warc.gz", "many.warc.gz"] {
        let told = session.run(&["redesign", "--json", name]);
        assert_eq!(
            (code(&told), found(&told)),
            (1, vec!["http://a.example/13".to_owned()]),
            "{name}: {}",
            message(&told)
        );
    }
    let told = text(&session.run(&["redesign", "many.warc.gz"]));
    assert!(told.starts_with("http://a.example/13 (2008-01-02T03:04:05Z)  tidemark"), "{told}");
}

#[test]
fn a_broken_archive_counts_as_far_as_it_goes_and_cannot_steer_the_terminal() {
    let session = Session::new();
    let mut records = records();
    records[2] =
        record("http://a.example/\u{1b}[31m", "Content-Type: text/html\r\nContent-Encoding: br\r\n", b"x");
    let bomb = zipped(&vec![b' '; 3 << 20]);
    records[4] =
        record("http://a.example/bomb", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", &bomb);
    let whole = zipped(&records.concat());
    session.write("cut.warc.gz", &whole[..whole.len() - 20]);
    let told = session.run(&["redesign", "--max-bytes", "1000000", "cut.warc.gz"]);
    assert_eq!(code(&told), 2);
    for line in [
        "coded as br",
        "http://a.example/bomb is larger than 1000000 bytes",
        "cannot read all of cut.warc.gz",
    ] {
        assert!(message(&told).contains(line), "{line} is not in {}", message(&told));
    }
    assert!(
        !message(&told).contains('\u{1b}') && text(&told).contains("http://a.example/13"),
        "{}",
        text(&told)
    );
}

#[test]
fn every_figure_is_drawn_as_svg_and_as_png() {
    let session = Session::new();
    folder(&session);
    let mut seen = Vec::new();
    for figure in ["matrix", "stripe", "triangles", "indicators"] {
        let told = session.run(&[
            "redesign",
            "--history",
            "5",
            "--detector",
            "all",
            "--figure",
            figure,
            "--svg",
            "p.svg",
            "--png",
            "p.png",
            "site",
        ]);
        assert_eq!(code(&told), 1, "{}", message(&told));
        let svg = fs::read_to_string(session.path("p.svg")).expect("the picture was written");
        assert!(
            svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>") && svg.contains("site</title>")
        );
        assert!(svg.contains("13: 1.00") || svg.contains("redesign at 13: "), "{figure} has no detection");
        let png = fs::read(session.path("p.png")).expect("the picture was written");
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 3000);
        seen.push(svg);
    }
    seen.dedup();
    assert_eq!(seen.len(), 4);
    let alone = session.run(&["redesign", "--svg", "-", "site"]);
    assert!(text(&alone).starts_with("<svg ") && text(&alone).ends_with("</svg>\n"));
}

#[test]
fn what_is_no_source_is_refused_with_a_reason() {
    let session = Session::new();
    session
        .write("page.html", document(1, false).as_bytes())
        .write("empty.txt", b"\n")
        .write("noise.bin", &[0xff; 99]);
    fs::create_dir(session.path("nothing")).expect("a folder can be made");
    for (source, reason) in [
        ("page.html", "page.html is a page, not a folder, a list"),
        ("empty.txt", "empty.txt names no documents"),
        ("noise.bin", "noise.bin is not a folder, a list"),
        ("nothing", "nothing names no documents"),
        ("missing", "cannot read missing"),
    ] {
        let told = session.run(&["redesign", source]);
        assert_eq!(code(&told), 2);
        assert!(message(&told).contains(reason), "{reason} is not in {}", message(&told));
    }
    session.write("noise.warc", b"nothing of a record");
    assert!(message(&session.run(&["redesign", "noise.warc"])).contains("no document that can be read"));
    for wrong in [
        ["--history", "0"],
        ["--certainty", "2"],
        ["--shingle", "x"],
        ["--detector", "me"],
        ["--figure", "x"],
    ] {
        assert_eq!(code(&session.run(&[&["redesign", "page.html"][..], &wrong].concat())), 2, "{wrong:?}");
    }
}
