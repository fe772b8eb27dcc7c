//! A real mail server on loopback, with TLS and a login.

use rcgen::{CertificateParams, KeyPair};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const PYTHON: &str = "/usr/bin/python3";
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tidemark-net/tests/it/couriers/smtp_server.py");

/// A server under way, until dropped. It keeps its mail in a folder that outlives it.
pub(crate) struct Mail {
    child: Child,
    pub(crate) port: u16,
}

impl Mail {
    /// Whether there is one to be had; loudly not, unless it is demanded.
    pub(crate) fn is_there() -> bool {
        let found = Command::new(PYTHON).args(["-c", "import aiosmtpd"]).stderr(Stdio::null()).status();
        let there = found.is_ok_and(|status| status.success());
        assert!(there || std::env::var_os("TIDEMARK_TEST_MAIL").is_none(), "there is no python3-aiosmtpd");
        if !there {
            eprintln!("SKIPPED: no mail server; install Debian's package python3-aiosmtpd");
        }
        there
    }

    /// Starts it; mail goes to `folder/box`, certificate and key are in `folder`. Port 0 takes any.
    pub(crate) fn start(folder: &Path, mailbox: &str, port: u16) -> Self {
        let mailbox = folder.join(mailbox);
        fs::create_dir_all(&mailbox).unwrap();
        if !folder.join("cert.pem").exists() {
            let key = KeyPair::generate().unwrap();
            let certificate =
                CertificateParams::new(["localhost".to_owned()]).unwrap().self_signed(&key).unwrap();
            fs::write(folder.join("cert.pem"), certificate.pem()).unwrap();
            fs::write(folder.join("key.pem"), key.serialize_pem()).unwrap();
        }
        let mut command = Command::new(PYTHON);
        command.arg(SCRIPT).arg(mailbox).arg("tls").arg(folder.join("cert.pem")).arg(folder.join("key.pem"));
        let mut child =
            command.arg(port.to_string()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, port: line.trim().parse().expect("the server says its port") }
    }
}

impl Drop for Mail {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The messages in a mailbox, in the order they came.
pub(crate) fn arrived(folder: &Path, mailbox: &str) -> Vec<String> {
    let mut files: Vec<_> =
        fs::read_dir(folder.join(mailbox)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "eml"));
    files.sort();
    files.iter().map(|file| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned()).collect()
}

/// A header of a message, on one line.
pub(crate) fn header<'a>(message: &'a str, name: &str) -> &'a str {
    let head = message.split("\r\n\r\n").next().unwrap_or_default();
    let start = format!("{name}: ");
    head.lines().find_map(|line| line.strip_prefix(start.as_str())).unwrap_or_default()
}
