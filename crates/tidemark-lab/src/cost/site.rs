//! A site on loopback: pages from memory, of which a share says something else at each visit. Answers are counted.

use anyhow::Result;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// The site.
pub(super) struct Site {
    shared: Arc<Shared>,
    address: String,
}

struct Shared {
    pages: Vec<Vec<u8>>,
    answered: AtomicU64,
    /// Of a thousand pages, how many change at each visit.
    changing: AtomicU64,
}

impl Site {
    pub(super) fn start(pages: Vec<Vec<u8>>) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?.to_string();
        let shared = Arc::new(Shared { pages, answered: AtomicU64::new(0), changing: AtomicU64::new(0) });
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&serving);
                thread::spawn(move || serve(&shared, stream));
            }
        });
        Ok(Self { shared, address })
    }

    pub(super) fn urls(&self) -> Vec<String> {
        (0..self.shared.pages.len()).map(|page| format!("http://{}/{page}", self.address)).collect()
    }

    pub(super) fn answered(&self) -> u64 {
        self.shared.answered.load(Ordering::SeqCst)
    }

    /// So many of a thousand pages change at each visit from now on.
    pub(super) fn change(&self, of_a_thousand: u64) {
        self.shared.changing.store(of_a_thousand, Ordering::SeqCst);
    }
}

fn serve(shared: &Shared, stream: TcpStream) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let path = head(&mut reader)?;
        let number = path.strip_prefix('/').and_then(|path| path.split('?').next()?.parse::<usize>().ok());
        let Some(number) = number else {
            writer.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").ok()?;
            continue;
        };
        let body = shared.body(number)?;
        let mut answer =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", body.len())
                .into_bytes();
        answer.extend_from_slice(&body);
        writer.write_all(&answer).ok()?;
    }
}

/// Reads a request; its path.
fn head(reader: &mut impl BufRead) -> Option<String> {
    let mut first = String::new();
    if reader.read_line(&mut first).ok()? == 0 {
        return None;
    }
    let mut line = String::new();
    while reader.read_line(&mut line).ok()? > 0 && line.trim() != "" {
        line.clear();
    }
    first.split(' ').nth(1).map(str::to_owned)
}

impl Shared {
    fn body(&self, number: usize) -> Option<Vec<u8>> {
        let visit = self.answered.fetch_add(1, Ordering::SeqCst);
        let mut body = self.pages.get(number)?.clone();
        if (number as u64 * 7919) % 1000 < self.changing.load(Ordering::SeqCst) {
            let news = format!(
                "<p>Revision {visit} of this page brings other words than before: {}.</p>",
                words(visit)
            );
            let end = body
                .windows(7)
                .rposition(|window| window.eq_ignore_ascii_case(b"</body>"))
                .unwrap_or(body.len());
            body.splice(end..end, news.into_bytes());
        }
        Some(body)
    }
}

fn words(seed: u64) -> String {
    const WORDS: [&str; 8] = ["ferry", "harbour", "price", "deadline", "storm", "law", "kettle", "notice"];
    (0..6)
        .map(|at| WORDS[(seed.wrapping_mul(31).wrapping_add(at * 17) % 8) as usize])
        .collect::<Vec<_>>()
        .join(" ")
}
