//! A tiny site on loopback whose pages a test can change.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// Status, media type, body.
type Said = (u16, String, Vec<u8>);

#[derive(Default)]
struct Shelf {
    pages: BTreeMap<String, Said>,
    visits: BTreeMap<String, usize>,
}

pub(crate) struct Site {
    address: SocketAddr,
    shelf: Arc<Mutex<Shelf>>,
}

impl Site {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        let shelf = Arc::new(Mutex::new(Shelf::default()));
        let shared = Arc::clone(&shelf);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shelf = Arc::clone(&shared);
                thread::spawn(move || answer(stream, &shelf));
            }
        });
        Self { address, shelf }
    }

    pub(crate) fn put(&self, path: &str, body: &str) {
        self.put_status(path, 200, body);
    }

    pub(crate) fn put_status(&self, path: &str, status: u16, body: &str) {
        self.say(path, (status, "text/html; charset=utf-8".to_owned(), body.into()));
    }

    pub(crate) fn put_as(&self, path: &str, media: &str, body: &[u8]) {
        self.say(path, (200, media.to_owned(), body.to_vec()));
    }

    fn say(&self, path: &str, said: Said) {
        self.shelf.lock().expect("nobody panicked").pages.insert(path.to_owned(), said);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn visits(&self, path: &str) -> usize {
        self.shelf.lock().expect("nobody panicked").visits.get(path).copied().unwrap_or(0)
    }
}

fn answer(mut stream: TcpStream, shelf: &Mutex<Shelf>) {
    let mut lines = BufReader::new(stream.try_clone().expect("a socket has two ends")).lines();
    let Some(Ok(first)) = lines.next() else { return };
    for line in lines.by_ref() {
        if line.is_ok_and(|line| line.is_empty()) {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or("/").to_owned();
    let (status, media, body) = {
        let mut shelf = shelf.lock().expect("nobody panicked");
        *shelf.visits.entry(path.clone()).or_default() += 1;
        shelf.pages.get(&path).cloned().unwrap_or((404, "text/plain".to_owned(), b"nothing here".to_vec()))
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: {media}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(&[head.as_bytes(), &body].concat());
}
