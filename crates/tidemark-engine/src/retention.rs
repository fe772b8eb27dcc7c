//! How long a track is kept. Milestones stay: the first version, the last, one a day, one a month.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a page may keep. Where several limits are set, all of them hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Retention {
    /// Versions older than this go, unless they are milestones.
    pub age: Option<Duration>,
    /// At most so many versions; milestones go last, the first and the last version never.
    pub versions: Option<u32>,
    /// At most so many bytes as stored; milestones go last, the first and the last version never.
    pub bytes: Option<u64>,
    /// Visits older than this go.
    pub visits: Option<Duration>,
}

/// What was let go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Freed {
    /// Versions.
    pub versions: u64,
    /// Visits.
    pub visits: u64,
    /// Bytes as stored.
    pub bytes: u64,
}
