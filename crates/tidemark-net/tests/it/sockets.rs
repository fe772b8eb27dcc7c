//! Nobody else opens a socket to the outside: read off the sources and manifests of all crates.
//!
//! Exempt are tests, and the laboratory, which ships to nobody. The database of the operator is reached by the driver in tidemark-store.

use std::fs;
use std::path::{Path, PathBuf};

/// What a source would have to say to reach the outside by itself.
const OUTWARD: [&str; 16] = [
    "TcpStream",
    "TcpSocket",
    "UdpSocket",
    "UnixStream",
    "UnixDatagram",
    "lookup_host",
    "ToSocketAddrs",
    "to_socket_addrs",
    "hyper::",
    "hyper_util::",
    "reqwest",
    "ureq::",
    "tokio_rustls",
    "socket2",
    "isahc",
    "curl::",
];

/// Crates that connect.
const CLIENTS: [&str; 17] = [
    "hyper",
    "hyper-util",
    "hyper-rustls",
    "reqwest",
    "ureq",
    "h2",
    "isahc",
    "lettre",
    "curl",
    "tokio-rustls",
    "rustls",
    "native-tls",
    "openssl",
    "socket2",
    "attohttpc",
    "hickory-resolver",
    "tungstenite",
];

#[test]
fn only_this_crate_reaches_outside() {
    let mut looked_at = 0;
    for path in sources(&crates()) {
        let shown = path.display().to_string();
        let exempt = ["crates/tidemark-net/", "crates/tidemark-lab/"].iter().any(|part| shown.contains(part));
        if !exempt {
            let code = code(&path);
            for word in OUTWARD {
                assert!(
                    !code.contains(word),
                    "{shown} says {word}: connections are made by tidemark-net alone"
                );
            }
            looked_at += 1;
        }
    }
    assert!(looked_at > 100, "only {looked_at} sources found: is this test looking at the right folder?");
}

#[test]
fn one_function_of_this_crate_connects() {
    let own = sources(&crates().join("tidemark-net"));
    let saying = |word: &str| -> Vec<(String, usize)> {
        let count = |path: &PathBuf| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), code(path).matches(word).count())
        };
        own.iter().map(count).filter(|(_, count)| *count > 0).collect()
    };
    assert_eq!(saying("TcpStream::connect"), [("guard.rs".to_owned(), 1)]);
    assert_eq!(saying("lookup_host"), [("resolver.rs".to_owned(), 1)]);
    let with_sockets: Vec<_> = saying("TcpStream").into_iter().map(|(name, _)| name).collect();
    assert_eq!(with_sockets, ["guard.rs"], "who cannot name a socket cannot open one");
    for word in [
        "TcpSocket",
        "UdpSocket",
        "UnixStream",
        "hyper_util::client",
        "ToSocketAddrs",
        "to_socket_addrs",
        "std::net::Tcp",
        // The library for mail could connect by itself; it is given streams only.
        "SmtpTransport",
        "connect_tokio1",
    ] {
        assert_eq!(saying(word), [], "{word}");
    }
}

#[test]
fn only_this_crate_depends_on_clients() {
    for folder in fs::read_dir(crates()).unwrap().map(|entry| entry.unwrap().path()) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let shipped =
            manifest.split("\n[").find(|part| part.starts_with("dependencies]")).unwrap_or_default();
        let has = |client: &str| {
            shipped.lines().any(|line| line.split(['.', ' ', '=']).next().is_some_and(|word| word == client))
        };
        let found: Vec<&str> = CLIENTS.into_iter().filter(|client| has(client)).collect();
        match name.as_str() {
            "tidemark-net" => assert_eq!(found, ["hyper", "hyper-util", "lettre", "tokio-rustls"]),
            // To the database that the operator named, through its driver.
            "tidemark-store" => assert_eq!(found, ["rustls"]),
            "tidemark-lab" => {}
            _ => assert!(found.is_empty(), "{name} depends on {found:?}"),
        }
    }
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// All sources that ship, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_test = matches!(name.as_str(), "tests" | "benches" | "target" | "tests.rs");
            match path.is_dir() {
                true if !is_test => folders.push(path),
                false if !is_test && path.extension().is_some_and(|end| end == "rs") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// A source without its comments and its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let shipped = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    shipped.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect()
}
