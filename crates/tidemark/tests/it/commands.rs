//! What the commands do with files: contents, exit codes, messages.

use crate::root;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

struct Session {
    folder: TempDir,
}

impl Session {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> &Self {
        fs::write(self.path(name), bytes).expect("a file can be written");
        self
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, b"")
    }

    fn run_with(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tidemark"))
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // A program that refuses its arguments does not read; that is its right.
        let _ = child.stdin.take().expect("standard input is piped").write_all(input);
        child.wait_with_output().expect("the program ends")
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("the program was not killed")
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = root().join("crates/tidemark-core/corpus");
    let mut pages: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("the corpus is in the repository")
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "md"))
        .map(|path| (name(&path), fs::read(&path).expect("a page can be read")))
        .collect();
    pages.sort();
    pages
}

fn name(path: &Path) -> String {
    path.file_name().expect("a file has a name").to_string_lossy().into_owned()
}

#[test]
fn every_page_of_the_corpus_comes_back_byte_for_byte() {
    let session = Session::new();
    let pages = corpus();
    assert!(pages.len() > 30, "the corpus is nearly empty");
    for (number, (name, page)) in pages.into_iter().enumerate() {
        let variant: &[&str] = if number % 2 == 0 { &[] } else { &["--packed"] };
        session.write(&name, &page);
        let encoded = session.run(&[&["digest", "encode", &name], variant].concat());
        assert_eq!(code(&encoded), 0, "{name}: {}", message(&encoded));
        let reverted = session.run(&["digest", "revert", &format!("{name}.tmd")]);
        assert_eq!(code(&reverted), 0, "{name}: {}", message(&reverted));
        assert!(reverted.stdout == page, "{name} came back changed");
    }
}

#[test]
fn pages_go_through_pipes() {
    let session = Session::new();
    let digest = session.run_with(&["digest", "encode", "-"], b"<p>one");
    assert_eq!(code(&digest), 0, "{}", message(&digest));
    let page = session.run_with(&["digest", "revert", "-"], &digest.stdout);
    assert_eq!(page.stdout, b"<p>one");
}

#[test]
fn diff_exits_like_diff() {
    let session = Session::new();
    session.write("old.html", b"<p>one").write("same.html", b"<P>one</P>").write("new.html", b"<p>two");
    assert_eq!(code(&session.run(&["diff", "old.html", "same.html"])), 0);
    assert_eq!(code(&session.run(&["diff", "old.html", "new.html"])), 1);
    assert_eq!(code(&session.run(&["diff", "--facets", "structure,tags", "old.html", "new.html"])), 0);
    assert_eq!(code(&session.run(&["diff", "old.html", "absent.html"])), 2);
    assert_eq!(code(&session.run(&["diff", "old.html"])), 2);
    assert_eq!(code(&session.run(&["diff", "-", "-"])), 2);
}

#[test]
fn digests_and_pages_compare_alike() {
    let session = Session::new();
    session.write("old.html", b"<p>one").write("new.html", b"<p>two");
    session.run(&["digest", "encode", "old.html"]);
    let by_page = session.run(&["diff", "old.html", "new.html"]);
    let by_digest = session.run(&["diff", "old.html.tmd", "new.html"]);
    assert_eq!(by_page.stdout, by_digest.stdout);
}

#[test]
fn trouble_is_told_clearly() {
    let session = Session::new();
    session
        .write("page.html", b"<p>one")
        .write("large.html", &[b'x'; 5000])
        .write("page.html.tmd", b"precious");
    let cases: [(&[&str], &str); 6] = [
        (&["diff", "absent.html", "page.html"], "cannot read absent.html"),
        (&["digest", "revert", "page.html"], "not a Tidemark digest"),
        (&["digest", "show", "large.html", "--max-bytes", "100"], "larger than 100 bytes; use --max-bytes"),
        (&["digest", "show", "page.html", "--max-nodes", "2"], "more than 2 nodes"),
        (&["digest", "show", "page.html", "--charset", "klingon"], "no such charset"),
        (&["digest", "encode", "page.html"], "is not a digest; use -o"),
    ];
    for (arguments, expected) in cases {
        let output = session.run(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(message(&output).contains(expected), "{arguments:?} said: {}", message(&output));
    }
    assert_eq!(fs::read(session.path("page.html.tmd")).unwrap(), b"precious", "a foreign file is left alone");
}

#[test]
fn corrupt_digests_are_refused() {
    let session = Session::new();
    session.write("page.html", b"<p>one");
    session.run(&["digest", "encode", "page.html"]);
    let mut file = fs::read(session.path("page.html.tmd")).unwrap();
    *file.last_mut().unwrap() ^= 1;
    session.write("corrupt.tmd", &file).write("short.tmd", &file[..file.len() / 2]);
    file[8] = 200;
    session.write("future.tmd", &file);
    for (name, expected) in [("corrupt", "checksum"), ("short", "cut off"), ("future", "version 200")] {
        let output = session.run(&["digest", "revert", &format!("{name}.tmd")]);
        assert_eq!((code(&output), output.stdout.len()), (2, 0));
        assert!(message(&output).contains(expected), "{name}: {}", message(&output));
    }
}

#[test]
fn a_hostile_page_cannot_steer_the_terminal() {
    let session = Session::new();
    session
        .write("old.html", b"<p>a")
        .write("new.html", "<p class='\x1b]0;x\x07'>b\x1b[2J\u{9b}1m\u{202e}".as_bytes());
    for arguments in [&["diff", "old.html", "new.html"][..], &["digest", "show", "new.html"]] {
        let output = session.run(arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        assert!(!text.contains('\u{202e}'));
    }
}

#[test]
fn colours_come_only_when_asked_for() {
    let session = Session::new();
    session.write("old.html", b"<p>a").write("new.html", b"<p>b");
    let plain = session.run(&["diff", "old.html", "new.html"]);
    assert!(!plain.stdout.contains(&0x1b), "standard output is no terminal here");
    let coloured = session.run(&["--color", "always", "diff", "old.html", "new.html"]);
    assert!(coloured.stdout.contains(&0x1b));
}

#[test]
fn json_is_json_everywhere() {
    let session = Session::new();
    session.write("old.html", b"<p>a").write("new.html", b"<p>b");
    let commands: [&[&str]; 6] = [
        &["digest", "encode", "old.html", "--json"],
        &["digest", "revert", "old.html.tmd", "-o", "copy.html", "--json"],
        &["digest", "show", "old.html", "--json"],
        &["diff", "old.html", "new.html", "--json"],
        &["diff", "old.html", "new.html", "--format", "json"],
        &["similarity", "old.html", "new.html", "--json"],
    ];
    for arguments in commands {
        let output = session.run(arguments);
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the output is JSON");
        assert!(
            value["schema"].as_str().is_some_and(|schema| schema.starts_with("tidemark/")),
            "{arguments:?}"
        );
    }
}

#[test]
fn completions_know_the_commands() {
    let session = Session::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = String::from_utf8(session.run(&["completions", shell]).stdout).unwrap();
        assert!(script.contains("similarity") && script.contains("facets"), "{shell}");
    }
}
