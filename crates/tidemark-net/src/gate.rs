//! How many at the same time: with one host, and in all.
//!
//! A pass is held for one exchange and never while waiting for another, so nobody waits for somebody who waits. The host comes first: a queue at one
//! slow host must not take the places of the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Beyond so many hosts, those with nobody inside or waiting are forgotten.
const HOSTS: usize = 256;

/// Lets exchanges begin.
pub(crate) struct Gate {
    hosts: Mutex<HashMap<String, Arc<Semaphore>>>,
    all: Arc<Semaphore>,
    per_host: usize,
}

/// The right to be under way, until dropped.
pub(crate) struct Pass {
    _host: Option<OwnedSemaphorePermit>,
    _all: Option<OwnedSemaphorePermit>,
}

impl Gate {
    pub(crate) fn new(all: usize, per_host: usize) -> Self {
        let bounded = |count: usize| count.min(Semaphore::MAX_PERMITS);
        Self {
            hosts: Mutex::default(),
            all: Arc::new(Semaphore::new(bounded(all))),
            per_host: bounded(per_host),
        }
    }

    /// Waits for one's turn.
    pub(crate) async fn enter(&self, host: &str) -> Pass {
        // A semaphore that is never closed always gives a permit.
        let of_host = self.of(host).acquire_owned().await.ok();
        let of_all = Arc::clone(&self.all).acquire_owned().await.ok();
        Pass { _host: of_host, _all: of_all }
    }

    fn of(&self, host: &str) -> Arc<Semaphore> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() > HOSTS {
            hosts.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        }
        let fresh = || Arc::new(Semaphore::new(self.per_host));
        Arc::clone(hosts.entry(host.to_owned()).or_insert_with(fresh))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::task::{Context, Waker};

    #[tokio::test]
    async fn a_full_host_does_not_hold_up_the_others() {
        let gate = Gate::new(3, 2);
        let (_first, second) = (gate.enter("a").await, gate.enter("a").await);
        let mut third = Box::pin(gate.enter("a"));
        let mut context = Context::from_waker(Waker::noop());
        assert!(third.as_mut().poll(&mut context).is_pending());
        let _other = gate.enter("b").await;
        drop(second);
        let _third = third.await;
    }

    #[tokio::test]
    async fn hosts_are_forgotten_but_not_those_in_use() {
        let gate = Gate::new(8, 1);
        let _kept = gate.enter("kept").await;
        for host in 0..3 * HOSTS {
            drop(gate.enter(&host.to_string()).await);
        }
        let hosts = gate.hosts.lock().unwrap();
        assert!(hosts.len() <= HOSTS + 1 && hosts.contains_key("kept"));
    }
}
