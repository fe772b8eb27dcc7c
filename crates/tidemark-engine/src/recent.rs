//! What was read or made a moment ago and will be wanted again soon, by the BLAKE3 of the bytes it is of, so that it can never be stale. Bounded by weight; the oldest
//! go first. Shared by all checks: the digests of last versions here, their bytes in the store.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The hash of the bytes that something is of.
type Key = [u8; 32];

/// A small cache.
pub struct Recent<V> {
    inner: Mutex<Inner<V>>,
    room: usize,
}

struct Inner<V> {
    kept: HashMap<Key, (V, usize)>,
    order: VecDeque<Key>,
    used: usize,
}

impl<V: Clone> Recent<V> {
    /// For so much weight.
    pub fn new(room: usize) -> Self {
        let inner = Inner { kept: HashMap::new(), order: VecDeque::new(), used: 0 };
        Self { inner: Mutex::new(inner), room }
    }

    /// What is kept.
    pub fn get(&self, key: &Key) -> Option<V> {
        self.lock().kept.get(key).map(|(value, _)| value.clone())
    }

    /// Keeps something. What weighs more than a quarter of all there is room for is not kept.
    pub fn keep(&self, key: Key, value: V, weight: usize) {
        if weight > self.room / 4 {
            return;
        }
        let mut inner = self.lock();
        if inner.kept.insert(key, (value, weight)).is_none() {
            inner.order.push_back(key);
            inner.used += weight;
        }
        while inner.used > self.room {
            let Some(oldest) = inner.order.pop_front() else { break };
            let gone = inner.kept.remove(&oldest).map_or(0, |(_, weight)| weight);
            inner.used -= gone;
        }
    }

    /// A check that panicked leaves nothing half-done in here.
    fn lock(&self) -> MutexGuard<'_, Inner<V>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_bounded_and_the_oldest_go() {
        let recent = Recent::new(800);
        for number in 0..20u8 {
            recent.keep([number; 32], number, 100);
            recent.keep([number; 32], number, 100);
        }
        let kept: Vec<u8> = (0..20).filter_map(|number| recent.get(&[number; 32])).collect();
        assert_eq!(kept, [12, 13, 14, 15, 16, 17, 18, 19]);
        recent.keep([99; 32], 99, 201);
        assert_eq!(recent.get(&[99; 32]), None, "too heavy");
        assert_eq!(recent.lock().used, 800);
    }
}
