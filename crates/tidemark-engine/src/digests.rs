//! Digests of versions that were read lately, so that the version before need not be read again. Bounded by bytes; the one used longest ago goes first.

use crate::content::Content;
use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

/// What a digest takes, as a multiple of its page.
const WEIGHT: usize = 5;

/// A small cache, shared by all checks.
pub struct Digests {
    inner: Mutex<Inner>,
    room: usize,
}

#[derive(Default)]
struct Inner {
    kept: HashMap<[u8; 32], (Content, usize)>,
    order: VecDeque<[u8; 32]>,
    used: usize,
}

impl Digests {
    /// For so many bytes.
    pub fn new(room: usize) -> Self {
        Self { inner: Mutex::default(), room }
    }

    /// What was read of the bytes with this hash, or is read now. A version is taken once: as the old one of the next.
    pub fn take(&self, hash: &[u8; 32], read: impl FnOnce() -> Content) -> Content {
        let mut inner = self.lock();
        if let Some((content, weight)) = inner.kept.remove(hash) {
            inner.used -= weight;
            inner.order.retain(|other| other != hash);
            return content;
        }
        drop(inner);
        read()
    }

    /// Keeps what was read.
    pub fn keep(&self, hash: [u8; 32], content: &Content, bytes: usize) {
        let weight = bytes.saturating_mul(WEIGHT) + 1024;
        if weight > self.room / 4 {
            return;
        }
        let mut inner = self.lock();
        if inner.kept.insert(hash, (content.clone(), weight)).is_none() {
            inner.order.push_back(hash);
            inner.used += weight;
        }
        while inner.used > self.room {
            let Some(oldest) = inner.order.pop_front() else { break };
            if let Some((_, weight)) = inner.kept.remove(&oldest) {
                inner.used -= weight;
            }
        }
    }

    /// A check that panicked leaves nothing half-done in here.
    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::page::Limits;

    #[test]
    fn what_does_not_fit_is_read_again() {
        let digests = Digests::new(100 * 1024);
        let content = Content::read(b"<p>x", Some("text/html"), Limits::default());
        for number in 0..40u8 {
            digests.keep([number; 32], &content, 1000);
        }
        let mut read = 0;
        for number in 0..40u8 {
            digests.take(&[number; 32], || {
                read += 1;
                content.clone()
            });
        }
        assert!((20..40).contains(&read), "{read}");
        assert_eq!(digests.lock().used, 0);
    }
}
