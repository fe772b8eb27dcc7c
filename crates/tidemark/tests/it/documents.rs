//! PDF and JSON with jq, read by a child of the real program: right ones, broken ones and hostile ones.

use crate::commands::{Session, code, message};
use crate::paper::{listed, packed, pdf};
use crate::site::Site;
use crate::watching::House;
use std::io::Write;
use std::process::Output;
use std::time::{Duration, Instant};

/// Far above every limit of a child by the clock.
const PATIENCE: Duration = Duration::from_mins(2);

#[test]
fn a_changed_pdf_is_told_with_its_page() {
    let (house, site) = (House::new(), Site::start());
    let old =
        pdf(&["Rates of the harbour\nMooring 10 EUR", "Kettles\nBlue kettle 10.00 EUR\nSold (since 1970)"]);
    let new =
        pdf(&["Rates of the harbour\nMooring 10 EUR", "Kettles\nBlue kettle 11.50 EUR\nSold (since 1970)"]);
    site.put_as("/rates.pdf", "application/pdf", &old);
    house.text(&["add", &site.url("/rates.pdf"), "--name", "rates"]);
    assert_eq!(code(&house.run(&["check"])), 0);
    site.put_as("/rates.pdf", "application/pdf", &new);
    let told = house.run(&["check"]);
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    assert_eq!(code(&told), 1, "{text}{}", message(&told));
    assert!(text.contains("Page 2") && text.contains("~ Blue kettle [-10.00-]{+11.50+} EUR"), "{text}");
    assert!(!text.contains("Page 1"), "{text}");
    assert_eq!(house.run(&["cat", "rates@1"]).stdout, old);
    let diff = house.run(&["diff", "rates"]);
    assert!(String::from_utf8_lossy(&diff.stdout).contains("[-10.00-]{+11.50+}"), "{}", message(&diff));
    let rerun = house.text(&["rerun", "rates"]);
    assert!(rerun.contains("Page 2"), "{rerun}");
}

#[test]
fn json_is_watched_through_a_filter() {
    let (house, site) = (House::new(), Site::start());
    let say = |text: &str| site.put_as("/api", "application/json", text.as_bytes());
    say(r#"{"at": 1, "items": [{"name": "kettle", "price": 10.00}, {"name": "cup", "price": 3}]}"#);
    house.text(&["add", &site.url("/api"), "--name", "api", "--jq", ".items[] | {name, price}"]);
    assert_eq!(code(&house.run(&["check"])), 0);
    say(r#"{"at": 2, "items": [{"name": "kettle", "price": 10.00}, {"name": "cup", "price": 3}]}"#);
    assert_eq!(code(&house.run(&["check"])), 0, "what the filter drops is no change");
    say(r#"{"at": 3, "items": [{"name": "kettle", "price": 11.50}, {"name": "cup", "price": 3}]}"#);
    let told = house.run(&["check"]);
    assert_eq!(code(&told), 1);
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(text.contains("price: [-10.0"), "{text}");
    say(r#"{"items": 7}"#);
    house.run(&["check"]);
    let visits = house.run(&["history", "api", "--visits", "--json"]);
    let visits = String::from_utf8_lossy(&visits.stdout).into_owned();
    assert!(visits.contains("compared by hash only") && visits.contains("cannot be read"), "{visits}");
}

#[test]
fn a_filter_is_checked_before_it_is_stored() {
    let house = House::new();
    for (filter, said) in [
        (".a |", "it ends too early"),
        (".a ) .b", "from ') .b' on"),
        ("env", "no filter 'env'"),
        ("$ENV", "no variable '$ENV'"),
        ("$ENV.HOME", "no variable '$ENV'"),
        ("now", "no filter 'now'"),
        ("halt", "no filter 'halt'"),
        ("input_filename", "no filter 'input_filename'"),
        ("input", "no filter 'input'"),
        ("localtime", "no filter 'localtime'"),
        ("include \"/etc/passwd\"; .", "nothing can be imported"),
        ("import \"/etc/passwd\" as $x; .", "nothing can be imported"),
        ("nonsense", "no filter 'nonsense'"),
    ] {
        let output = house.run(&["add", "example.org", "--jq", filter]);
        assert_eq!(code(&output), 2, "{filter}");
        assert!(message(&output).contains(said), "{filter}: {}", message(&output));
    }
    let deep = "(".repeat(200_000);
    assert_eq!(code(&extract("jq", &deep[..100_000], b"")), 1, "too deep, or refused");
    assert!(house.text(&["list"]).contains("nothing is watched"));
}

/// What the child says to a filter or a document. A child that was killed counts as one that failed.
fn extract(kind: &str, filter: &str, document: &[u8]) -> Output {
    let mut input = serde_json::to_vec(filter).expect("a text");
    input.push(b'\n');
    input.extend(document);
    let (begin, mut output) = (Instant::now(), Session::new().run_with(&["extract", kind], &input));
    assert!(begin.elapsed() < PATIENCE, "{kind} {filter}");
    if output.status.code().is_none() {
        output.status = std::os::unix::process::ExitStatusExt::from_raw(1 << 8);
    }
    output
}

#[test]
fn filters_without_end_end() {
    for filter in [
        "last(range(1e15))",
        "def f: 1+f; f",
        "[limit(1e9; repeat(1))]",
        "\"x\" * 1e9",
        "[range(1e9)]",
        "reduce range(1e9) as $i (\"xxxxxxxx\"; . + .)",
        "def f: [f]; f",
        "[recurse([.])] | length",
        "repeat(.)",
        "last(repeat(1))",
        "error(\"mine\")",
    ] {
        let output = extract("jq", filter, b"1");
        assert_eq!(code(&output), 1, "{filter}: {}", message(&output));
        assert!(output.stdout.is_empty(), "{filter}");
    }
    let deep = [b"[".repeat(1 << 20), b"]".repeat(1 << 20)].concat();
    assert_eq!(code(&extract("jq", ".", &deep)), 1);
    assert_eq!(extract("jq", ". + 1, stderr, debug", b"1 2").stdout, b"[\n2,\n1,\n1,\n3,\n2,\n2\n]\n");
}

#[test]
fn the_parent_outlives_a_child_that_does_not_end() {
    let (house, site) = (House::new(), Site::start());
    site.put_as("/api", "application/json", b"[1]");
    for filter in ["last(range(1e15))", "def f: 1+f; f", "[limit(1e9; repeat(1))]"] {
        house.text(&["add", &site.url("/api"), "--jq", filter]);
    }
    site.put("/page", "<p>An ordinary page");
    house.text(&["add", &site.url("/page")]);
    assert_eq!(code(&house.run(&["check"])), 0);
    let said = |watch: &str| {
        String::from_utf8_lossy(&house.run(&["history", watch, "--visits", "--json"]).stdout).into_owned()
    };
    assert!(said("1").contains("it took longer than 5 s"), "{}", said("1"));
    for watch in ["2", "3"] {
        assert!(said(watch).contains("MB of memory") || said(watch).contains("longer"), "{}", said(watch));
    }
    assert!(said("4").contains("a page of 19 bytes"), "{}", said("4"));
}

#[test]
fn broken_and_hostile_pdfs_are_refused_with_a_reason() {
    let whole = pdf(&["one", "two"]);
    let mut bomb = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let blank = vec![b' '; 1 << 20];
    for _ in 0..1024 {
        bomb.write_all(&blank).expect("memory");
    }
    let bomb = bomb.finish().expect("memory");
    let orphan = "<< /Type /Page /Parent 4 0 R /Contents 5 0 R >>";
    for (what, bytes) in [
        ("empty", b"%PDF-1.4\n".to_vec()),
        ("truncated", whole[..whole.len() / 2].to_vec()),
        ("bomb", packed("FlateDecode", &bomb)),
        ("no page", listed("", 1_000_000_000, orphan)),
        ("a list that lists itself", listed("2 0 R 2 0 R", 1_000_000_000, orphan)),
        ("its own parent", listed("4 0 R", 1, orphan)),
        ("no PDF", b"hello".to_vec()),
    ] {
        let output = extract("pdf", "", &bytes);
        assert_eq!(code(&output), 1, "{what}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(output.stdout.is_empty(), "{what}");
    }
    assert_eq!(extract("pdf", "", &whole).stdout, b"\n\none\x0c\n\ntwo");
}

#[test]
fn whatever_a_child_is_given_it_ends() {
    let mut chance = fastrand::Rng::with_seed(7);
    let whole = pdf(&["one (1)", "two \\ 2", "three"]);
    for _ in 0..24 {
        let mut bytes = whole.clone();
        for _ in 0..chance.usize(1..12) {
            let at = chance.usize(9..bytes.len());
            bytes[at] = chance.u8(..);
        }
        extract("pdf", "", &bytes);
        let noise: Vec<u8> = (0..chance.usize(..400)).map(|_| chance.u8(..)).collect();
        extract("pdf", "", &[b"%PDF-1.7\n", &noise[..]].concat());
        let letters = [
            ".", "[", "]", "|", "a", "$", "1", "\"", "(", ")", ",", "def f:", ";", "f", "..", "?", "reduce",
            " as ", "e9",
        ];
        let filter: String =
            (0..chance.usize(..12)).map(|_| letters[chance.usize(..letters.len())]).collect();
        extract("jq", &filter, if chance.bool() { b"{\"a\": [1, 2]}" } else { &noise });
    }
}
