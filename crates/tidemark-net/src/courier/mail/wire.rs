//! The stream below SMTP: dialled by our guard, encrypted by our TLS, then handed over with a greeting in front where the real one was read already.
//!
//! STARTTLS (RFC 3207) is done here and not by the library: it knows other roots than ours, and keeps what was sent in the open behind the answer to
//! STARTTLS, which is how answers are smuggled into an encrypted session. Here such a server is refused.

use std::fmt;
use std::io::{self, Error, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

/// No answer before encryption is longer.
const LONGEST: usize = 8 << 10;

/// What SMTP is spoken over.
pub(super) trait Io: AsyncRead + AsyncWrite + Send + Sync + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Sync + Unpin> Io for T {}

/// A stream with something in front.
pub(super) struct Wire {
    stream: Box<dyn Io>,
    front: &'static [u8],
}

impl Wire {
    /// A stream on which the server has yet to greet.
    pub(super) fn fresh(stream: impl Io + 'static) -> Self {
        Self { stream: Box::new(stream), front: b"" }
    }

    /// A stream on which it has.
    pub(super) fn greeted(stream: impl Io + 'static) -> Self {
        Self { stream: Box::new(stream), front: b"220 encrypted\r\n" }
    }
}

/// Agrees on encryption; what is sent next is TLS. Says what the server said instead.
pub(super) async fn start_tls<S: Io>(stream: &mut S, hello: &str) -> io::Result<()> {
    expect(&answer(stream).await?, "220")?;
    stream.write_all(format!("EHLO {hello}\r\n").as_bytes()).await?;
    let offered = answer(stream).await?;
    expect(&offered, "250")?;
    let offers = |line: &str| line.get(4..).is_some_and(|word| word.trim().eq_ignore_ascii_case("STARTTLS"));
    if !offered.lines().any(offers) {
        return Err(Error::new(ErrorKind::Unsupported, "it offers no encryption (STARTTLS)"));
    }
    stream.write_all(b"STARTTLS\r\n").await?;
    expect(&answer(stream).await?, "220")
}

/// An answer to its last line, and not a byte behind it.
async fn answer<S: Io>(stream: &mut S) -> io::Result<String> {
    let mut text = Vec::new();
    loop {
        let mut piece = [0; 1024];
        let length = stream.read(&mut piece).await?;
        if length == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        text.extend_from_slice(&piece[..length]);
        if let Some(end) = end_of(&text) {
            let whole = end == text.len();
            let text = String::from_utf8_lossy(&text).into_owned();
            let behind = "it sent something behind its answer, in the open";
            return if whole { Ok(text) } else { Err(Error::new(ErrorKind::InvalidData, behind)) };
        }
        if text.len() > LONGEST {
            return Err(Error::new(ErrorKind::InvalidData, "its answer does not end"));
        }
    }
}

/// Behind the first line that is not followed by another: a space after the code.
fn end_of(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(length) = text[from..].iter().position(|byte| *byte == b'\n') {
        let last = text[from..].get(3) != Some(&b'-');
        from += length + 1;
        if last {
            return Some(from);
        }
    }
    None
}

fn expect(answer: &str, code: &str) -> io::Result<()> {
    if answer.starts_with(code) { Ok(()) } else { Err(Error::other(answer.trim().to_owned())) }
}

impl lettre::transport::smtp::client::AsyncTokioStream for Wire {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Err(ErrorKind::Unsupported.into())
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.front.is_empty() {
            return Pin::new(&mut self.stream).poll_read(cx, into);
        }
        let (now, later) = self.front.split_at(self.front.len().min(into.remaining()));
        into.put_slice(now);
        self.front = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wire")
    }
}
