//! The port to the time.

use jiff::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now, in whole milliseconds: as precise as anything is kept.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Clock for System {
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }
}
