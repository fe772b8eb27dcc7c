//! Connections that wait for the next request. One list for all hosts, bounded in number and in time: a watcher of many sites must not hold a socket to each.
//!
//! Cost: a look through the list, at most [`Settings::kept`](crate::Settings) entries. Road not taken: the pool of `hyper-util`, which bounds
//! connections per host only, and hides which part of a request was waited for.

use crate::connect::{Connection, Route};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Idle connections, the longest idle first.
pub(crate) struct Pool {
    idle: Mutex<VecDeque<Idle>>,
    most: usize,
    longest: Duration,
}

struct Idle {
    route: Route,
    connection: Connection,
    since: Instant,
}

impl Pool {
    pub(crate) fn new(most: usize, longest: Duration) -> Self {
        Self { idle: Mutex::default(), most, longest }
    }

    /// The connection of this route that was used last, if there is one.
    pub(crate) fn take(&self, route: &Route) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        self.forget(&mut idle);
        let at = idle.iter().rposition(|idle| idle.route == *route)?;
        idle.remove(at).map(|idle| idle.connection)
    }

    /// Keeps a connection whose last answer was read to its end.
    pub(crate) fn give(&self, route: Route, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push_back(Idle { route, connection, since: Instant::now() });
        self.forget(&mut idle);
    }

    fn forget(&self, idle: &mut VecDeque<Idle>) {
        while idle.len() > self.most || idle.front().is_some_and(|idle| idle.since.elapsed() > self.longest) {
            idle.pop_front();
        }
        idle.retain(|idle| !idle.connection.is_closed());
    }
}
