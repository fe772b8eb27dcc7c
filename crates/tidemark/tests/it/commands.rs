//! What the commands do with files: contents, exit codes, messages.

use crate::root;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub(crate) struct Session {
    folder: TempDir,
}

impl Session {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> &Self {
        fs::write(self.path(name), bytes).expect("a file can be written");
        self
    }

    pub(crate) fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// The program, ready to be started in the folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tidemark"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, b"")
    }

    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = self
            .command(arguments)
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

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().expect("the program was not killed")
}

pub(crate) fn message(output: &Output) -> String {
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

#[test]
fn a_script_makes_the_new_page_to_the_byte() {
    let session = Session::new();
    let pages = corpus();
    for ((old_name, old), (new_name, new)) in pages.iter().zip(pages.iter().skip(1)) {
        session.write(old_name, old).write(new_name, new);
        let script = session.run(&["diff", "--format", "script", "-o", "edits.json", old_name, new_name]);
        assert!(code(&script) <= 1 && script.stdout.is_empty(), "{old_name}: {}", message(&script));
        let patched = session.run(&["patch", old_name, "edits.json"]);
        assert_eq!(code(&patched), 0, "{old_name} to {new_name}: {}", message(&patched));
        assert!(patched.stdout == *new, "{old_name} to {new_name} came out changed");
        let refused = session.run(&["patch", new_name, "edits.json"]);
        assert!(code(&refused) == 2 || code(&script) == 0, "{new_name} is not the page the script is for");
    }
}

#[test]
fn a_broken_script_is_refused_with_a_reason() {
    let session = Session::new();
    session.write("old.html", b"<p>one").write("new.html", b"<p>two").write("no.json", b"{\"edits\": 1}");
    let refused = session.run(&["patch", "old.html", "no.json"]);
    assert_eq!(code(&refused), 2);
    assert!(message(&refused).contains("no.json is not a script"), "{}", message(&refused));
    let script = session.run(&["diff", "--format", "script", "old.html", "new.html"]);
    session.write("edits.json", &script.stdout);
    let refused = session.run(&["patch", "new.html", "edits.json"]);
    assert!(message(&refused).contains("made for another page"), "{}", message(&refused));
}

#[test]
fn the_marked_page_is_one_file() {
    let session = Session::new();
    session
        .write("old.html", b"<p>one <b>two</b>")
        .write("new.html", b"<p>one <b>three</b><script>alert(1)</script>");
    let told = session.run(&["diff", "--format", "html", "-o", "view.html", "old.html", "new.html"]);
    assert_eq!((code(&told), told.stdout.len()), (1, 0), "{}", message(&told));
    let view = fs::read_to_string(session.path("view.html")).expect("the view was written");
    assert!(view.starts_with("<!DOCTYPE html>") && view.contains("three") && !view.contains("alert(1)"));
}

#[test]
fn folders_are_compared_file_by_file() {
    let session = Session::new();
    for folder in ["old", "new", "old/sub", "new/sub"] {
        fs::create_dir(session.path(folder)).expect("a folder can be made");
    }
    session.write("old/same.html", b"<p>one").write("new/same.html", b"<P>one</P>");
    session.write("old/sub/changed.html", b"<p>one").write("new/sub/changed.html", b"<p>two");
    session.write("old/gone.html", b"<p>x").write("new/come.html", b"<p>y");
    let told = session.run(&["diff", "old", "new"]);
    assert_eq!(code(&told), 1, "{}", message(&told));
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    for line in [
        "added     come.html",
        "removed   gone.html",
        "changed   sub",
        "4 files: 1 same, 1 changed, 1 added, 1 removed, 0 trouble",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let json: serde_json::Value =
        serde_json::from_slice(&session.run(&["diff", "--json", "old", "new"]).stdout).expect("JSON");
    assert_eq!(json["files"].as_array().map(Vec::len), Some(4));
    assert_eq!(code(&session.run(&["diff", "old", "old"])), 0);
    assert_eq!(code(&session.run(&["diff", "old", "old/same.html"])), 2);
}

#[test]
fn zones_are_looked_at_alone_and_a_lost_one_is_trouble() {
    let session = Session::new();
    session.write("old.html", b"<p id=a>one<p id=b>two").write("new.html", b"<p id=a>one<p id=b>three");
    assert_eq!(code(&session.run(&["diff", "--zone", "#a", "old.html", "new.html"])), 0);
    assert_eq!(code(&session.run(&["diff", "--zone", "//p[2]", "old.html", "new.html"])), 1);
    assert_eq!(code(&session.run(&["diff", "--except", "#b", "old.html", "new.html"])), 0);
    let lost = session.run(&["diff", "--zone", "#c", "old.html", "new.html"]);
    assert_eq!(code(&lost), 2);
    assert!(message(&lost).contains("on neither page"), "{}", message(&lost));
    assert_eq!(code(&session.run(&["diff", "--zone", "p[", "old.html", "new.html"])), 2);
}

#[test]
fn records_and_feeds_exit_like_diff() {
    let session = Session::new();
    let listing = |rows: &[&str]| {
        let rows: String =
            rows.iter().map(|row| format!("<li><a href=/{row}>{row}</a> costs 3 EUR</li>")).collect();
        format!("<h1>List</h1><ul>{rows}</ul>").into_bytes()
    };
    session
        .write("old.html", &listing(&["a", "b", "c", "d"]))
        .write("new.html", &listing(&["a", "b", "x", "c", "d"]));
    session.write("text.html", b"<p>No list here.");
    assert_eq!(code(&session.run(&["records", "old.html"])), 0);
    assert_eq!(code(&session.run(&["records", "old.html", "old.html"])), 0);
    let told = session.run(&["records", "--json", "old.html", "new.html"]);
    let json: serde_json::Value = serde_json::from_slice(&told.stdout).expect("JSON");
    assert_eq!((code(&told), json["added"].as_array().map(Vec::len)), (1, Some(1)));
    assert_eq!(code(&session.run(&["records", "text.html"])), 2);
    assert_eq!(code(&session.run(&["feed", "diff", "old.html", "new.html"])), 2, "a page is no feed");
}

#[test]
fn weights_that_make_no_sense_are_refused() {
    let session = Session::new();
    session.write("a.html", b"<p>one").write("weights.txt", b"href 300\n");
    assert_eq!(code(&session.run(&["similarity", "--weights", "0.5,0.5,0.5", "a.html", "a.html"])), 2);
    assert_eq!(code(&session.run(&["similarity", "--weights", "1,0,0", "a.html", "a.html"])), 0);
    let refused = session.run(&["similarity", "--attribute-weights", "weights.txt", "a.html", "a.html"]);
    assert!(code(&refused) == 2 && message(&refused).contains("line 1"), "{}", message(&refused));
}

#[test]
fn what_is_of_interest_comes_first_and_says_why() {
    let session = Session::new();
    session
        .write("old.html", b"<h1>News</h1><p>The fair opens at nine.<p>Second paragraph, as it was.")
        .write(
            "new.html",
            b"<h1>News</h1><p>The fair opens at ten.<p>Second paragraph, as it was.<p>A hurricane is near.",
        );
    let told = session.run(&["diff", "--term", "storm", "--term", "=hurricane", "old.html", "new.html"]);
    let text = String::from_utf8(told.stdout).unwrap();
    assert_eq!(text.find("hurricane"), text.find('*').map(|at| at + 1), "first of all: {text}");
    assert!(text.contains("+ A *hurricane* is near.\n  * hurricane ← hurricane, typed\n"), "{text}");
    assert!(text.contains("1 added, 1 changed; 1 of interest."), "{text}");
    let none = session.run(&["diff", "--term", "chess", "old.html", "new.html"]);
    assert!(String::from_utf8_lossy(&none.stdout).contains("; none of interest."));

    let told = session.run(&["diff", "--json", "--term", "hurricane", "old.html", "new.html"]);
    let value: serde_json::Value = serde_json::from_slice(&told.stdout).expect("the output is JSON");
    assert_eq!(value["of_interest"], 1);
    assert_eq!(value["changes"][0]["matches"][0]["reason"], "hurricane ← hurricane, typed");
    assert_eq!(value["changes"][0]["matches"][0]["kind"], "added");
    assert_eq!(value["changes"][1]["interest"], 0.0);
}

#[test]
fn related_words_are_of_interest_unless_told_otherwise() {
    let session = Session::new();
    session.write("old.html", b"<p>One.").write("new.html", b"<p>One.<p>A hurricane is near.");
    let told = session.run(&["diff", "--term", "storm", "--reach", "2,3,1", "old.html", "new.html"]);
    let text = String::from_utf8(told.stdout).unwrap();
    assert!(text.contains("* hurricane ← storm, hyponym"), "{text}");
    let told = session.run(&["diff", "--term", "storm", "--no-expand", "old.html", "new.html"]);
    assert!(String::from_utf8_lossy(&told.stdout).contains("none of interest"));
}

#[test]
fn the_marked_page_shows_what_is_of_interest() {
    let session = Session::new();
    let page = |name: &str| root().join("examples").join(name).display().to_string();
    let (old, new, reader) = (page("kettles-old.html"), page("kettles-new.html"), page("reader.txt"));
    let told =
        session.run(&["diff", "--format", "html", "-o", "view.html", "--profile", &reader, &old, &new]);
    assert_eq!(code(&told), 1, "{}", message(&told));
    let view = fs::read_to_string(session.path("view.html")).expect("the view was written");
    let mark = "&lt;mark data-tidemark=&quot;interest&quot; title=&quot;kettle ← kettle, typed&quot;>kettle&lt;/mark>";
    assert!(view.contains(mark), "the page itself: {view}");
    assert!(
        view.contains("<mark>kettle</mark>") && view.contains("kettle ← kettle, typed</span>"),
        "the list"
    );
    assert!(view.contains("2 of interest"), "and a price near the word");
}

#[test]
fn a_profile_is_shown_and_matched() {
    let session = Session::new();
    session
        .write("profile.txt", "storm *0.5\nlanguage: ja\n台風\n".as_bytes())
        .write("text.txt", "A storm came.\nNothing here.\n大型の台風が来る\n".as_bytes());
    let told = session.run(&["profile", "show", "profile.txt", "--term", "-lamp"]);
    let text = String::from_utf8(told.stdout).unwrap();
    assert_eq!(text, "0.50  storm  typed\n1.00  台風  typed\n1.00  -lamp  typed\n3 terms\n");
    let told = session.run(&["profile", "match", "text.txt", "--profile", "profile.txt"]);
    let text = String::from_utf8(told.stdout).unwrap();
    assert!(text.starts_with("    1 A *storm* came.\n      * storm ← storm, typed (0.50)\n"), "{text}");
    assert!(
        text.contains("    3 大型の*台風*が来る\n") && text.ends_with("2 matches of 2 interests\n"),
        "{text}"
    );
    let none = session.run_with(&["profile", "match", "-", "--term", "chess"], b"<p>tea</p>");
    assert_eq!((code(&none), String::from_utf8_lossy(&none.stdout).as_ref()), (1, "nothing of interest\n"));
    for arguments in [
        &["profile", "show", "profile.txt", "--json"][..],
        &["profile", "expand", "profile.txt", "--json"],
        &["profile", "match", "text.txt", "--profile", "profile.txt", "--json"],
    ] {
        let value: serde_json::Value =
            serde_json::from_slice(&session.run(arguments).stdout).expect("the output is JSON");
        assert!(value["schema"].as_str().is_some_and(|schema| schema.starts_with("tidemark/profile")));
    }
}

#[test]
fn trouble_with_profiles_is_told_clearly() {
    let session = Session::new();
    session.write("page.html", b"<p>one").write("bad.txt", b"storm\nrain *9\n").write("bad.ttl", b"oh no");
    let cases: [(&[&str], &str); 6] = [
        (&["profile", "show", "bad.txt"], "line 2: '9' is no weight; write a number above 0"),
        (&["profile", "show", "absent.txt"], "cannot read absent.txt"),
        (
            &["profile", "show", "--foaf", "bad.ttl"],
            "cannot read bad.ttl as a FOAF file: not well-formed Turtle",
        ),
        (&["profile", "show", "--term", "?!"], "has no word in it"),
        (&["profile", "match", "page.html"], "nothing to look for"),
        (&["profile", "expand", "--term", "a", "--reach", "1,2"], "three whole numbers"),
    ];
    for (arguments, expected) in cases {
        let output = session.run(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(message(&output).contains(expected), "{arguments:?} said: {}", message(&output));
    }
}
