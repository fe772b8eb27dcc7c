//! A stream that counts what is written to it, and takes no more than it may.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A counted stream. Several share a count.
pub(crate) struct Metered<S> {
    stream: S,
    count: Arc<AtomicU64>,
    most: u64,
}

impl<S> Metered<S> {
    pub(crate) fn new(stream: S, count: Arc<AtomicU64>, most: u64) -> Self {
        Self { stream, count, most }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.count.load(Ordering::Relaxed) >= self.most {
            return Poll::Ready(Err(io::Error::other("more than may come in")));
        }
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if let Poll::Ready(Ok(count)) = &written {
            self.count.fetch_add(*count as u64, Ordering::Relaxed);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;

    #[tokio::test]
    async fn no_more_than_may_be() {
        let count = Arc::new(AtomicU64::new(0));
        let mut one = Metered::new(tokio::io::sink(), Arc::clone(&count), 10);
        let mut other = Metered::new(tokio::io::sink(), Arc::clone(&count), 10);
        one.write_all(b"123456").await.unwrap();
        other.write_all(b"123456").await.unwrap();
        assert!(one.write_all(b"1").await.is_err());
        assert_eq!(count.load(Ordering::Relaxed), 12);
    }
}
