//! Exports that somebody else wrote: refused, with nothing written.

use crate::moving::{fill, silent};
use crate::place::{Place, sqlite};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::{Path, PathBuf};
use tidemark_store::{LINES, WARC, canonical_hash, export, import};

struct Case {
    folder: tempfile::TempDir,
    to: Place,
    empty: [u8; 32],
}

impl Case {
    /// A good export.
    fn new() -> Self {
        let (from, to) = (sqlite(), sqlite());
        fill(&from, 2);
        let folder = tempfile::tempdir().unwrap();
        export(&from.url, &folder.path().join("e"), false, &mut silent()).unwrap();
        let empty = canonical_hash(&to.url).unwrap();
        Self { folder, to, empty }
    }

    fn export(&self) -> PathBuf {
        self.folder.path().join("e")
    }

    fn lines(&self) -> Vec<String> {
        std::fs::read_to_string(self.export().join(LINES)).unwrap().lines().map(str::to_owned).collect()
    }

    /// Refused, for this reason, with nothing written.
    fn refused(&self, reason: &str) {
        let error = import(&self.export(), &self.to.url, &mut silent()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert_eq!(canonical_hash(&self.to.url).unwrap(), self.empty);
    }

    fn refused_lines(&self, lines: &[String], reason: &str) {
        std::fs::write(self.export().join(LINES), lines.join("\n") + "\n").unwrap();
        self.refused(reason);
    }

    /// Lines whose sums are right.
    fn summed(mut lines: Vec<String>) -> Vec<String> {
        lines.pop();
        let mut hasher = blake3::Hasher::new();
        for line in &lines[1..] {
            hasher.update(line.as_bytes()).update(b"\n");
        }
        let rows = lines.len() - 1;
        lines.push(format!(
            "{{\"end\":{{\"rows\":{rows},\"hash\":\"{}\",\"last\":{{}}}}}}",
            hasher.finalize().to_hex()
        ));
        lines
    }
}

#[test]
fn lines_that_are_not_those_that_were_written() {
    let case = Case::new();
    let good = case.lines();
    let changed = |change: &dyn Fn(&mut Vec<String>)| {
        let mut lines = good.clone();
        change(&mut lines);
        lines
    };
    case.refused_lines(&changed(&|lines| drop(lines.pop())), "break off");
    case.refused_lines(&changed(&|lines| drop(lines.remove(5))), "not those that were written");
    case.refused_lines(
        &changed(&|lines| {
            lines
                .iter_mut()
                .for_each(|line| *line = line.replace("\"reader\":\"ann\"", "\"reader\":\"bob\""));
        }),
        "not those that were written",
    );
    case.refused_lines(&changed(&|lines| lines[0] = "{}".to_owned()), "first line");
    case.refused_lines(
        &changed(&|lines| lines[0] = lines[0].replace("export/1", "export/2")),
        "another form",
    );
    case.refused_lines(
        &changed(&|lines| lines[0] = lines[0].replace("\"tables\":2", "\"tables\":99")),
        "newer tidemark",
    );
    case.refused_lines(&[String::new()], "first line");
    std::fs::write(case.export().join(LINES), format!("{}\n{}", good[0], good[1])).unwrap();
    case.refused("breaks off");
}

#[test]
fn rows_that_cannot_be() {
    let case = Case::new();
    let good = case.lines();
    let with = |line: &str| {
        let mut lines = good.clone();
        lines.insert(lines.len() - 1, line.to_owned());
        Case::summed(lines)
    };
    for (line, reason) in [
        ("{\"sqlite_sequence\":{\"name\":\"page\",\"seq\":1}}", "no table of ours"),
        ("{\"meta\":{\"key\":\"schema\",\"value\":\"1\"}}", "no table of ours"),
        ("{\"content\":{\"id\":1}}", "no table of ours"),
        ("{\"note\":{\"key\":\"a\",\"value\":\"b\",\"rowid\":7}}", "has no 'rowid'"),
        ("{\"tag\":{\"tag\":\"a\",\"watch\":99999}}", ""),
        ("{\"document\":{\"stream\":\"host:x\",\"number\":1,\"page\":1,\"version\":1}}", ""),
        (
            "{\"snapshot\":{\"page\":1,\"version\":99,\"at\":1,\"content\":\"0000000000000000000000000000000000000000000000000000000000000000\",\"content_type\":null,\"url\":null}}",
            "not in the archive",
        ),
        ("{\"visit\":{\"page\":1,\"token\":999,\"at\":1,\"body\":{\"frame\":\"AAAA\"}}}", "cannot be read"),
        ("{\"visit\":{\"page\":1,\"token\":999,\"at\":1,\"body\":[]}}", "cannot be read"),
        ("not json", "no line of ours"),
    ] {
        case.refused_lines(&with(line), reason);
    }
    let deep = format!(
        "{{\"event\":{{\"id\":999,\"page\":1,\"stream\":null,\"at\":1,\"kind\":\"well\",\"detail\":{}}}}}",
        "[".repeat(100_000)
    );
    case.refused_lines(&with(&deep), "no line of ours");
    let unsound: Vec<String> =
        good.iter().map(|line| line.replace("\"version\":6,\"head\"", "\"version\":5,\"head\"")).collect();
    assert_ne!(unsound, good);
    case.refused_lines(&Case::summed(unsound), "last version is said to be 5");
}

#[test]
fn a_line_without_an_end() {
    let case = Case::new();
    let mut file = std::fs::File::create(case.export().join(LINES)).unwrap();
    writeln!(file, "{}", case_first()).unwrap();
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..66 {
        file.write_all(&piece).unwrap();
    }
    case.refused("too long");
}

fn case_first() -> &'static str {
    "{\"form\":\"tidemark/export/1\",\"tables\":2,\"written\":\"2026-01-01T00:00:00Z\"}"
}

fn packed(path: &Path, write: impl FnOnce(&mut GzEncoder<std::fs::File>)) {
    let mut out = GzEncoder::new(std::fs::File::create(path).unwrap(), Compression::best());
    write(&mut out);
    out.finish().unwrap();
}

#[test]
fn archives_that_cannot_be() {
    let case = Case::new();
    let path = case.export().join(WARC);
    let good = std::fs::read(&path).unwrap();
    for cut in [0, 1, 10, good.len() / 2, good.len() - 1] {
        std::fs::write(&path, &good[..cut]).unwrap();
        case.refused("");
    }
    std::fs::write(&path, b"WARC/1.1\r\n").unwrap();
    case.refused("archive");
    // One more version than there are lines for.
    let more = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 21\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhi\r\n\r\n";
    std::fs::write(&path, &good).unwrap();
    let mut both = good.clone();
    let mut member = GzEncoder::new(&mut both, Compression::fast());
    member.write_all(more.as_bytes()).unwrap();
    member.finish().unwrap();
    std::fs::write(&path, &both).unwrap();
    case.refused("no version has it");
    // A length that lies.
    packed(&path, |out| {
        out.write_all(
            more.replace("length: 21", "length: 99999999999999")
                .replace("Length: 21", "Length: 99999999999999")
                .as_bytes(),
        )
        .unwrap();
    });
    case.refused("ends in the middle");
    std::fs::write(&path, &good).unwrap();
    import(&case.export(), &case.to.url, &mut silent()).unwrap();
}

#[test]
fn an_archive_that_unpacks_to_more_than_the_disk_has() {
    let case = Case::new();
    packed(&case.export().join(WARC), |out| {
        out.write_all(b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 999999999999\r\n\r\nHTTP/1.1 200 OK\r\n\r\n").unwrap();
        let zeros = vec![0; 1 << 20];
        for _ in 0..80 {
            out.write_all(&zeros).unwrap();
        }
    });
    case.refused("200 times its size");
}
