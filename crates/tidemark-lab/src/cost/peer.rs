//! changedetection.io, run as its users run it, asked through its API.

use super::PerCheck;
use super::process::Running;
use super::site::Site;
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Rounds over all pages that are measured.
const ROUNDS: u64 = 3;

/// A running instance that watches the site.
pub(super) struct Peer {
    running: Running,
    folder: TempDir,
    port: u16,
    /// Megabytes before there was anything to watch.
    pub(super) idle: f64,
}

impl Peer {
    pub(super) fn start(command: &Path, site: &Site) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = Command::new(command);
        command.args(["-C", "-h", "127.0.0.1", "-p", &port.to_string(), "-d"]).arg(folder.path());
        command.env("ALLOW_IANA_RESTRICTED_ADDRESSES", "true").env("LOGGER_LEVEL", "ERROR");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let running = Running(command.spawn()?);
        let mut peer = Self { running, folder, port, idle: 0.0 };
        peer.settle()?;
        peer.idle = peer.memory()?;
        for url in site.urls() {
            peer.ask("POST", "/api/v1/watch", Some(&json!({ "url": url })))?;
        }
        Ok(peer)
    }

    /// CPU milliseconds per check.
    pub(super) fn measure(&self, site: &Site) -> Result<PerCheck> {
        site.change(0);
        quiet(site);
        self.rounds(site, 1)?;
        let unchanged = self.rounds(site, ROUNDS)?;
        site.change(1000);
        let changed = self.rounds(site, ROUNDS)?;
        site.change(0);
        Ok(PerCheck { unchanged, changed })
    }

    pub(super) fn memory(&self) -> Result<f64> {
        self.running.memory()
    }

    /// Has all pages checked so many times; CPU milliseconds per check.
    fn rounds(&self, site: &Site, rounds: u64) -> Result<f64> {
        let (cpu, answered) = (self.running.cpu()?, site.answered());
        for _ in 0..rounds {
            self.ask("GET", "/api/v1/watch?recheck_all=1", None)?;
            quiet(site);
        }
        let checks = (site.answered() - answered) as f64;
        ensure!(checks > 0.0, "it visits nothing");
        Ok(1e3 * (self.running.cpu()? - cpu) / checks)
    }

    /// Waits until it answers, and takes out what it watches of itself.
    fn settle(&self) -> Result<()> {
        let began = Instant::now();
        let watches = loop {
            if let Ok(Value::Object(watches)) = self.ask("GET", "/api/v1/watch", None) {
                break watches;
            }
            ensure!(began.elapsed() < Duration::from_secs(90), "no answer within 90 s");
            sleep(Duration::from_millis(500));
        };
        for watch in watches.keys() {
            self.ask("DELETE", &format!("/api/v1/watch/{watch}"), None)?;
        }
        sleep(Duration::from_secs(5));
        Ok(())
    }

    fn key(&self) -> Result<String> {
        let settings: Value =
            serde_json::from_slice(&fs::read(self.folder.path().join("changedetection.json"))?)?;
        let key = settings["settings"]["application"]["api_access_token"].as_str();
        Ok(key.context("no API key in its settings")?.to_owned())
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_mins(1)))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.key()?,
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").context("no head")?;
        if !head.split(' ').nth(1).is_some_and(|status| status.starts_with('2')) {
            bail!("{method} {path}: {}", head.lines().next().unwrap_or_default());
        }
        Ok(serde_json::from_str(body).unwrap_or(Value::Null))
    }
}

/// Waits until the site has not been asked for a while: what came last is worked on to its end.
fn quiet(site: &Site) {
    loop {
        let answered = site.answered();
        sleep(Duration::from_secs(6));
        if site.answered() == answered {
            return;
        }
    }
}
