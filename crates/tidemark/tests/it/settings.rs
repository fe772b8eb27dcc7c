//! Settings: file, environment and flags, in rising order of strength; and their page in docs/.

use crate::commands::{Session, code, message};
use crate::root;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

fn config(session: &Session, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidemark"));
    command.args(arguments).current_dir(session.path("."));
    command.env("HOME", session.path(".")).env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
    command.envs(variables.iter().copied()).output().expect("the program starts")
}

fn setting(output: &Output, name: &str) -> (String, String) {
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = report["settings"].as_array().expect("a list");
    let row = rows.iter().find(|row| row["name"] == name).expect("it is there");
    (row["value"].as_str().expect("text").to_owned(), row["origin"].as_str().expect("text").to_owned())
}

#[test]
fn the_stronger_source_wins_and_is_named() {
    let session = Session::new();
    session.write("c.toml", b"[schedule]\nleast = \"7m\"\nconcurrency = 3\nvisits_per_second = 0.5\n");
    let base = ["config", "--json", "--config", "c.toml"];
    let file = config(&session, &base, &[]);
    assert_eq!(setting(&file, "schedule.least"), ("7m".into(), "c.toml".into()));
    assert_eq!(setting(&file, "schedule.most").1, "default");
    let variable = [("TIDEMARK_SCHEDULE_LEAST", "8m")];
    let environment = config(&session, &base, &variable);
    assert_eq!(setting(&environment, "schedule.least"), ("8m".into(), "$TIDEMARK_SCHEDULE_LEAST".into()));
    assert_eq!(setting(&environment, "schedule.concurrency").0, "3");
    let flag = config(&session, &[&base[..], &["--set", "schedule.least=9m"]].concat(), &variable);
    assert_eq!(setting(&flag, "schedule.least"), ("9m".into(), "--set".into()));
    let database =
        config(&session, &[&base[..], &["--database", "x.db"]].concat(), &[("TIDEMARK_DATABASE", "y.db")]);
    assert_eq!(setting(&database, "database"), ("x.db".into(), "--database".into()));
    let usual = config(&session, &["config", "--json"], &[]);
    assert!(setting(&usual, "database").0.ends_with(".local/share/tidemark/tidemark.db"));
}

#[test]
fn what_is_printed_can_be_read_back() {
    let session = Session::new();
    let first = config(&session, &["config", "--set", "network.contact=me@example.org"], &[]);
    session.write("again.toml", &first.stdout);
    let second = config(&session, &["config", "--json", "--config", "again.toml"], &[]);
    assert_eq!(code(&second), 0, "{}", message(&second));
    assert_eq!(setting(&second, "network.contact"), ("me@example.org".into(), "again.toml".into()));
}

#[test]
fn secrets_stay_hidden() {
    let session = Session::new();
    let variables = [
        ("TIDEMARK_DATABASE", "postgres://ann:s3cret@127.0.0.1:1/x"),
        ("TIDEMARK_NETWORK_PROXY", "http://u:s3cret@127.0.0.1:1"),
    ];
    for arguments in [&["config"][..], &["config", "--json"], &["doctor"]] {
        let output = config(&session, arguments, &variables);
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &message(&output);
        assert!(!said.contains("s3cret"), "{arguments:?}: {said}");
    }
}

#[test]
fn what_is_not_a_setting_is_told_with_what_was_meant() {
    let session = Session::new();
    session
        .write("bad.toml", b"[schedule]\nconcurency = 3\n")
        .write("worse.toml", b"[schedule\n")
        .write("odd.toml", b"[schedule]\nleast = \"soon\"\n");
    for (arguments, said) in [
        (vec!["config", "--config", "bad.toml"], "did you mean 'schedule.concurrency'?"),
        (vec!["config", "--config", "worse.toml"], "cannot read the settings file worse.toml"),
        (vec!["config", "--config", "odd.toml"], "schedule.least cannot be 'soon'"),
        (vec!["config", "--config", "none.toml"], "cannot read the settings file none.toml"),
        (vec!["config", "--set", "x"], "NAME=VALUE"),
        (vec!["config", "--set", "schedule.least=90d"], "longer than schedule.most"),
    ] {
        let output = config(&session, &arguments, &[]);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(message(&output).contains(said), "{arguments:?}: {}", message(&output));
    }
    assert_eq!(
        code(&config(&session, &["doctor", "--config", "bad.toml"], &[])),
        1,
        "the doctor finds it too"
    );
}

/// docs/settings.md has exactly the rows of the program's own table.
#[test]
fn the_page_of_settings_is_true() {
    let session = Session::new();
    let output = config(&session, &["config", "--json"], &[]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let page = fs::read_to_string(root().join("docs/settings.md")).expect("the page is there");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let settings = report["settings"].as_array().expect("a list");
    for (row, setting) in rows.iter().zip(settings) {
        let text = |field: &str| setting[field].as_str().expect("text").to_owned();
        let value = if text("name") == "database" {
            "~/.local/share/tidemark/tidemark.db".to_owned()
        } else {
            text("value")
        };
        let value = if value.is_empty() { String::new() } else { format!("`{value}`") };
        let expected = format!("| `{}` | {} | {value} | {} |", text("name"), text("form"), text("help"));
        assert_eq!(*row, expected, "write this row into docs/settings.md");
    }
    assert_eq!(rows.len(), settings.len(), "docs/settings.md lacks rows or has too many");
}
