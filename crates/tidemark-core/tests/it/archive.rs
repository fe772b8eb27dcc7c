//! Archives as they are, broken and hostile.

use crate::pages::cases;
use proptest::prelude::*;
use tidemark_core::archive::{Found, Reader, Trouble};

fn record(kind: &str, url: &str, block: &str) -> String {
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: <{url}>\r\nWARC-Date: 2008-01-02T03:04:05Z\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

fn answer(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}")
}

fn page(number: usize) -> String {
    record("response", &format!("http://a.example/{number}"), &answer(&format!("<p>{number}")))
}

/// Pages by their bodies, trouble in words.
fn read(bytes: &[u8], piece: usize, most: usize) -> Vec<String> {
    let mut reader = Reader::new(most);
    let mut told = Vec::new();
    for piece in bytes.chunks(piece.max(1)) {
        reader.push(piece, &mut |found| {
            told.push(match found {
                Found::Page(page) => format!("{} {}", page.url, String::from_utf8_lossy(&page.body)),
                Found::Trouble(trouble) => trouble.to_string(),
            });
        });
        assert!(reader.retained() <= most.saturating_add(1 << 17), "{} in memory", reader.retained());
    }
    told.extend(reader.finish().map(|trouble: Trouble| trouble.to_string()));
    told
}

fn read_text(text: &str) -> Vec<String> {
    read(text.as_bytes(), 1000, 1000)
}

#[test]
fn answers_come_in_order_and_other_records_are_passed_over() {
    let archive = [
        record("warcinfo", "", "software: x\r\n"),
        page(1),
        record("request", "http://a.example/1", "GET / HTTP/1.1\r\n\r\n"),
        record("metadata", "http://a.example/1", ""),
        record("response", "dns:a.example", "20080102\na.example. IN A 1.2.3.4"),
        record("response", "http://a.example/x", "HTTP/1.1 302 Found\r\nContent-Type: text/html\r\n\r\nno"),
        page(2),
    ]
    .concat();
    assert_eq!(read_text(&archive), ["http://a.example/1 <p>1", "http://a.example/2 <p>2"]);
}

#[test]
fn after_broken_records_reading_goes_on() {
    let short = page(1).replace("<p>1", "<p>1 and more than its length says\r\nand more");
    let told = read_text(&[short, page(2)].concat());
    assert!(told[0].contains("<p>1") && told[1].contains("no record begins at byte"), "{told:?}");
    assert_eq!(told[2..], ["http://a.example/2 <p>2"]);
    let without = page(1).replace("Content-Length", "Length");
    let told = read_text(&[without, page(2)].concat());
    assert!(told.len() == 2 && told[0].contains("has no length"), "{told:?}");
    let long = page(1).replace("Content-Length: ", "Content-Length: 99999999999999999");
    assert_eq!(
        read_text(&[long, page(2)].concat()),
        ["the archive ends in the middle of the record at byte 0"]
    );
    let endless = format!("WARC/1.0\r\nX: {}\r\n\r\n", "x".repeat(1 << 17));
    let told = read_text(&[endless, page(2)].concat());
    assert!(told.len() == 2 && told[0].contains("does not end") && told[1].contains("<p>2"), "{told:?}");
    assert_eq!(read_text("<!DOCTYPE html><p>no archive").len(), 1);
    assert_eq!(read_text(" \r\n"), Vec::<String>::new());
}

#[test]
fn a_page_beyond_the_limit_is_told_and_not_kept() {
    let large = record("response", "http://a.example/l", &answer(&"x".repeat(1 << 20)));
    let told = read_text(&[large, page(2)].concat());
    assert_eq!(told, ["http://a.example/l is larger than 1000 bytes", "http://a.example/2 <p>2"]);
}

/// Pieces of archives, so that chance gets past the first line.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let texts = prop::sample::select(vec![
        "WARC/1.0\r\n",
        "WARC/",
        "\r\n",
        "\n",
        "WARC-Type: response\r\n",
        "Content-Length: 9\r\n",
        "Content-Length: 99\r\n",
        "Content-Length: 18446744073709551615\r\n",
        "\r\n\r\n",
        "HTTP/1.1 200 OK\r\n",
        "Content-Type: text/html\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Content-Encoding: gzip, deflate\r\n",
        "5\r\n<p>ab\r\n0\r\n\r\n",
        "\u{1f}\u{8b}\u{8}",
    ]);
    prop_oneof![
        4 => texts.prop_map(|text| text.as_bytes().to_vec()),
        2 => (1_usize..4).prop_map(|number| page(number).into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..40),
    ]
}

proptest! {
    #![proptest_config(cases(512))]
    #[test]
    fn any_bytes_are_read_without_panic_and_the_same_in_any_pieces(
        pieces in prop::collection::vec(piece(), 0..40),
        size in 1_usize..50,
        most in prop::sample::select(vec![0, 3, 100, usize::MAX]),
    ) {
        let bytes = pieces.concat();
        let whole = read(&bytes, bytes.len(), most);
        prop_assert_eq!(read(&bytes, size, most), whole);
    }

    #[test]
    fn whatever_stands_before_a_record_the_record_is_found(noise in prop::collection::vec(any::<u8>(), 1..300)) {
        let noise: Vec<u8> = noise.into_iter().map(|byte| if byte == b'W' { b'w' } else { byte }).collect();
        let archive = [&noise[..], b"\r\n", page(7).as_bytes()].concat();
        prop_assert!(read(&archive, 64, 1000).contains(&"http://a.example/7 <p>7".to_owned()));
    }
}
