//! A server on a raw socket that does exactly what a script says, however rude. `standard` is a script with one path per misbehaviour.
//!
//! It needs tokio, flate2, brotli and zstd only; tests of other crates include it by `#[path]`.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What a server does next.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends them again and again, with a pause between, until nobody reads any more.
    Drip(Vec<u8>, Duration),
    /// Neither sends nor closes.
    Hang,
    /// Closes in the middle of everything, with a reset.
    Reset,
    /// Closes in good order.
    Close,
}

/// A server under way, until dropped.
pub(crate) struct Rude {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

/// What a server does with a request, by its whole head.
pub(crate) type Script = dyn Fn(&str) -> Vec<Act> + Send + Sync;

struct Shared {
    script: Box<Script>,
    heads: Mutex<Vec<String>>,
    connections: AtomicUsize,
    sent: AtomicU64,
}

impl Rude {
    /// At any port of this machine.
    pub(crate) async fn start(script: impl Fn(&str) -> Vec<Act> + Send + Sync + 'static) -> Self {
        Self::at("127.0.0.1:0", script).await
    }

    pub(crate) async fn at(address: &str, script: impl Fn(&str) -> Vec<Act> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(address).await.expect("an address of this machine");
        Self::on(listener, script)
    }

    pub(crate) fn on(
        listener: TcpListener,
        script: impl Fn(&str) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        let address = listener.local_addr().expect("it is bound");
        let shared = Arc::new(Shared {
            script: Box::new(script),
            heads: Mutex::default(),
            connections: AtomicUsize::default(),
            sent: AtomicU64::default(),
        });
        let task = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Self { address, shared, task }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The heads of all requests so far.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.shared.heads.lock().expect("no test panics in here").clone()
    }

    /// How many connections were opened to it.
    pub(crate) fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// How many bytes it got rid of.
    pub(crate) fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::SeqCst)
    }
}

impl Drop for Rude {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        shared.connections.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(serve(stream, Arc::clone(&shared)));
    }
}

async fn serve(mut stream: TcpStream, shared: Arc<Shared>) {
    while let Some(head) = head(&mut stream).await {
        let acts = (shared.script)(&head);
        shared.heads.lock().expect("no test panics in here").push(head);
        for act in acts {
            if perform(act, &mut stream, &shared).await.is_none() {
                return;
            }
        }
    }
}

/// Does one thing; nothing if the connection is over.
async fn perform(act: Act, stream: &mut TcpStream, shared: &Shared) -> Option<()> {
    match act {
        Act::Send(bytes) => {
            stream.write_all(&bytes).await.ok()?;
            shared.sent.fetch_add(bytes.len() as u64, Ordering::SeqCst);
            Some(())
        }
        Act::Drip(bytes, pause) => loop {
            stream.write_all(&bytes).await.ok()?;
            shared.sent.fetch_add(bytes.len() as u64, Ordering::SeqCst);
            tokio::time::sleep(pause).await;
        },
        Act::Hang => std::future::pending().await,
        Act::Reset => {
            // Closed with this set, a socket sends a reset.
            stream.set_zero_linger().ok()?;
            None
        }
        Act::Close => {
            stream.shutdown().await.ok()?;
            None
        }
    }
}

/// The head of a request and its body, if it says how long that is.
async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await.ok()?);
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let length =
        text.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(text + &String::from_utf8_lossy(&body))
}

/// The path of a request.
pub(crate) fn path(head: &str) -> &str {
    head.split(' ').nth(1).unwrap_or_default()
}

/// An answer in good order.
pub(crate) fn good(status: &str, headers: &str, body: &[u8]) -> Vec<Act> {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
    vec![Act::Send([head.as_bytes(), body].concat())]
}

/// Bytes as they are, then the end.
fn raw(bytes: impl AsRef<[u8]>) -> Vec<Act> {
    vec![Act::Send(bytes.as_ref().to_vec()), Act::Close]
}

fn and(mut acts: Vec<Act>, act: Act) -> Vec<Act> {
    acts.push(act);
    acts
}

fn packed(encoding: &str, body: &[u8]) -> Vec<Act> {
    good("200 OK", &format!("Content-Encoding: {encoding}\r\n"), body)
}

/// Bodies that are small until they are unpacked: gzip, brotli, zstd, gzip in gzip. Made once: that takes longer than a visit.
pub(crate) static BOMBS: LazyLock<[Vec<u8>; 4]> = LazyLock::new(|| {
    let zeros = vec![0; 8 << 20];
    let zstd = zstd::encode_all(&zeros[..], 3).expect("memory");
    [gzip(&zeros), brotli(&zeros), zstd, gzip(&gzip(&zeros))]
});

/// One path per misbehaviour; `/good` is the only one without.
pub(crate) fn standard(head: &str) -> Vec<Act> {
    const SOON: Duration = Duration::from_millis(50);
    let open = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let send = |text: &str| vec![Act::Send(text.as_bytes().to_vec())];
    match path(head) {
        "/good" => good("200 OK", "Content-Type: text/html\r\nETag: \"1\"\r\n", b"good"),
        "/empty" => good("200 OK", "", b""),
        "/slow-head" => vec![Act::Hang],
        "/half-a-head" => and(send("HTTP/1.1 200 OK\r\nX-A: "), Act::Hang),
        "/dripping-head" => and(send("HTTP/1.1 200 OK\r\n"), Act::Drip(b"X: y\r\n".to_vec(), SOON)),
        "/slow-body" => and(send(&format!("{open}half")), Act::Hang),
        "/dripping-body" => and(send(open), Act::Drip(b"x".to_vec(), SOON)),
        "/endless" => and(send(open), Act::Drip(vec![b'x'; 64 << 10], Duration::ZERO)),
        "/endless-chunk" => {
            and(send(&format!("{chunked}ffffffff\r\n")), Act::Drip(vec![b'x'; 64 << 10], Duration::ZERO))
        }
        "/endless-chunks" => {
            let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000)).into_bytes();
            and(send(chunked), Act::Drip(chunk.repeat(10), Duration::ZERO))
        }
        "/endless-crumbs" => and(send(chunked), Act::Drip(b"1\r\nx\r\n".repeat(10_000), Duration::ZERO)),
        "/announced-too-long" => {
            and(send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx"), Act::Hang)
        }
        "/shorter-than-said" => raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"),
        "/longer-than-said" => {
            raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood, and more than was said")
        }
        "/poison" => {
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n";
            send(&format!("{answer}good{answer}evil"))
        }
        "/two-lengths" => raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\ngoods"),
        "/odd-length" => raw("HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\ngood"),
        "/length-and-chunks" => raw(
            "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n",
        ),
        "/reset-at-once" => vec![Act::Reset],
        "/reset-half-way" => and(send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), Act::Reset),
        "/nothing" => vec![Act::Close],
        "/cut-chunks" => raw(format!("{chunked}4\r\nhalf\r\n")),
        "/bad-chunks" => raw(format!("{chunked}zz\r\nhalf\r\n0\r\n\r\n")),
        "/old-http" => raw("<html>no head at all</html>"),
        "/bad-status" => raw("HTTP/1.1 abc OK\r\n\r\n"),
        "/no-http" => raw("SSH-2.0-OpenSSH_9.9\r\n"),
        "/odd-status" => good("999 Denied", "", b"go away"),
        "/switching" => raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
        "/hints" => {
            [send(&"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(20)), good("200 OK", "", b"good")]
                .concat()
        }
        "/endless-hints" => vec![Act::Drip(b"HTTP/1.1 100 Continue\r\n\r\n".repeat(100), SOON)],
        "/huge-header" => raw(format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "x".repeat(1 << 20))),
        "/endless-header" => {
            and(send("HTTP/1.1 200 OK\r\nX: "), Act::Drip(vec![b'x'; 64 << 10], Duration::ZERO))
        }
        "/many-headers" => raw(format!("HTTP/1.1 200 OK\r\n{}\r\n", "X: y\r\n".repeat(5000))),
        "/bad-header" => raw("HTTP/1.1 200 OK\r\nX\0Y: z\r\n\r\n"),
        "/sloppy-header" => raw(
            "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nno colon\r\na b: c\r\nContent-Length : 4\r\n\r\ngood, and more",
        ),
        "/not-modified" => send("HTTP/1.1 304 Not Modified\r\n\r\n"),
        "/bad-gzip" => packed("gzip", b"this was never packed"),
        "/bad-brotli" => packed("br", &[0xff; 64]),
        "/bad-zstd" => packed("zstd", b"this was never packed"),
        "/cut-gzip" => packed("gzip", &gzip(b"cut off before its end")[..20]),
        "/gzip-bomb" => packed("gzip", &BOMBS[0]),
        "/brotli-bomb" => packed("br", &BOMBS[1]),
        "/zstd-bomb" => packed("zstd", &BOMBS[2]),
        "/gzip-in-gzip-bomb" => packed("gzip, gzip", &BOMBS[3]),
        "/gzip-in-gzip" => packed("gzip, gzip", &gzip(&gzip(b"good"))),
        "/often-packed" => packed("gzip, gzip, gzip, gzip, gzip", b"x"),
        "/packed-unknown" => packed("lzma", b"x"),
        "/packed-empty" => packed("gzip", b""),
        "/wrong-charset" => good("200 OK", "Content-Type: text/html; charset=utf-8\r\n", b"\xff\xfe caf\xe9"),
        "/unknown-charset" => good("200 OK", "Content-Type: text/html; charset=klingon\r\n", b"\x80\x81"),
        "/error" => good("500 Broken", "Retry-After: whenever\r\n", b"sorry"),
        "/busy" => good("503 Busy", "Retry-After: 120\r\n", b"later"),
        "/circle" => good("302 Found", "Location: /circle\r\n", b""),
        "/nowhere" => good("302 Found", "Location: http://[::1\r\n", b""),
        "/no-place" => good("302 Found", "", b"here"),
        "/slow-redirect" => {
            and(send("HTTP/1.1 302 Found\r\nLocation: /good\r\nContent-Length: 9\r\n\r\n"), Act::Hang)
        }
        _ => good("404 Not Found", "", b"nothing here"),
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory")
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    brotli::CompressorWriter::new(&mut packed, 4096, 5, 22).write_all(bytes).expect("memory");
    packed
}
