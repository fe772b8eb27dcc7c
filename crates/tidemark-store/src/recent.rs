//! Bytes of versions that were read or stored a moment ago: the last version of a page is wanted twice by a check that finds it changed, to compare with and to
//! take the difference from. Bounded by bytes; the oldest go first.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that are kept.
const ROOM: usize = 8 << 20;

/// By the BLAKE3 of the bytes, so what is in here can never be stale.
#[derive(Default)]
pub(crate) struct Recent(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    kept: HashMap<[u8; 32], Arc<Vec<u8>>>,
    order: VecDeque<[u8; 32]>,
    used: usize,
}

impl Recent {
    pub(crate) fn get(&self, hash: &[u8; 32]) -> Option<Arc<Vec<u8>>> {
        self.lock().kept.get(hash).cloned()
    }

    /// Keeps bytes whose hash was checked.
    pub(crate) fn keep(&self, hash: [u8; 32], bytes: &Arc<Vec<u8>>) {
        if bytes.len() > ROOM / 4 {
            return;
        }
        let mut inner = self.lock();
        if inner.kept.insert(hash, Arc::clone(bytes)).is_none() {
            inner.order.push_back(hash);
            inner.used += bytes.len();
        }
        while inner.used > ROOM {
            let Some(oldest) = inner.order.pop_front() else { break };
            let gone = inner.kept.remove(&oldest).map_or(0, |bytes| bytes.len());
            inner.used -= gone;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_bounded_and_the_oldest_go() {
        let recent = Recent::default();
        let bytes = Arc::new(vec![0; ROOM / 8]);
        for number in 0..20u8 {
            recent.keep([number; 32], &bytes);
            recent.keep([number; 32], &bytes);
        }
        assert!(recent.get(&[0; 32]).is_none() && recent.get(&[19; 32]).is_some());
        assert!(recent.lock().used <= ROOM);
        recent.keep([99; 32], &Arc::new(vec![0; ROOM]));
        assert!(recent.get(&[99; 32]).is_none(), "too large to be kept");
    }
}
