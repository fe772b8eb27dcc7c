//! The mail server of the tests: Debian's `python3-aiosmtpd`, with a certificate made for it.

use crate::{Fake, client, settings};
use rcgen::{CertificateParams, KeyPair};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;
use tidemark_net::{Couriers, MailSettings, Settings};

const PYTHON: &str = "/usr/bin/python3";
const DEMANDED: &str = "TIDEMARK_TEST_MAIL";

/// A server under way, until dropped.
pub(crate) struct MailServer {
    child: Child,
    folder: TempDir,
    pub(crate) port: u16,
    root: Vec<u8>,
}

impl MailServer {
    /// Nothing, loudly, where there is no server to be had and none is demanded.
    pub(crate) fn start(mode: &str) -> Option<Self> {
        let found = Command::new(PYTHON).args(["-c", "import aiosmtpd"]).stderr(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            assert!(
                std::env::var_os(DEMANDED).is_none(),
                "{DEMANDED} is set, but there is no python3-aiosmtpd"
            );
            eprintln!("SKIPPED: no mail server; install Debian's package python3-aiosmtpd");
            return None;
        }
        let folder = TempDir::new().unwrap();
        let root = certificate(folder.path());
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/couriers/smtp_server.py");
        let mut command = Command::new(PYTHON);
        command.arg(script).arg(folder.path()).arg(mode);
        if matches!(mode, "starttls" | "tls") {
            command.arg(folder.path().join("cert.pem")).arg(folder.path().join("key.pem"));
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().parse().expect("the server says its port");
        Some(Self { child, folder, port, root })
    }

    /// Couriers that know its name and trust its certificate.
    pub(crate) fn couriers(&self, scheme: &str, login: &str, options: &str) -> Couriers {
        self.couriers_of(scheme, login, options, self.root.clone())
    }

    pub(crate) fn couriers_of(&self, scheme: &str, login: &str, options: &str, roots: Vec<u8>) -> Couriers {
        let server = format!("{scheme}://{login}mail.example:{}{options}", self.port).parse().ok();
        let names = Fake::default().with("mail.example", &[&["127.0.0.1"]]);
        let client = client(Settings { roots, ..settings("") }, names);
        let from = Some("Tidemark <watch@tide.example>".to_owned());
        Couriers::new(&client, MailSettings { server, from, hello: None }).unwrap()
    }

    /// All that arrived, in order: what the server knows, and the bytes.
    pub(crate) fn arrived(&self) -> Vec<(Value, Vec<u8>)> {
        let mut found: Vec<_> =
            fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        found.retain(|path| path.extension().is_some_and(|end| end == "json"));
        found.sort();
        let read = |path: &std::path::PathBuf| {
            let about = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            (about, fs::read(path.with_extension("eml")).unwrap())
        };
        found.iter().map(read).collect()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn certificate(folder: &Path) -> Vec<u8> {
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(["mail.example".to_owned()]).unwrap().self_signed(&key).unwrap();
    fs::write(folder.join("cert.pem"), certificate.pem()).unwrap();
    fs::write(folder.join("key.pem"), key.serialize_pem()).unwrap();
    certificate.pem().into_bytes()
}
