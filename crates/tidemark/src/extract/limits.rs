//! What a child may use, set by the child itself before it reads a byte.

use rustix::process::{Resource, Rlimit, setrlimit};
use std::time::Duration;
use tidemark_engine::extract::Extraction;

/// What a child may use.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Address space, in bytes.
    pub(super) memory: u64,
    /// Time of the processor.
    pub(super) cpu: Duration,
    /// Time by the clock; longer, for a machine may have other work.
    pub(super) time: Duration,
}

const PDF: Limits = Limits { memory: 512 << 20, cpu: Duration::from_secs(15), time: Duration::from_secs(45) };
const JQ: Limits = Limits { memory: 256 << 20, cpu: Duration::from_secs(5), time: Duration::from_secs(15) };

impl Limits {
    pub(super) const fn of(what: &Extraction) -> Self {
        match what {
            Extraction::Pdf => PDF,
            Extraction::Jq(_) => JQ,
        }
    }

    /// Takes effect at once, for good. No file is opened and nothing is started from now on.
    pub(super) fn apply(self) -> std::io::Result<()> {
        for nothing in [Resource::Core, Resource::Fsize, Resource::Nofile, Resource::Nproc] {
            setrlimit(nothing, most(0, 0))?;
        }
        setrlimit(Resource::As, most(self.memory, self.memory))?;
        // A second more before it is killed outright, so that its end tells why.
        let seconds = self.cpu.as_secs();
        Ok(setrlimit(Resource::Cpu, most(seconds, seconds + 1))?)
    }
}

const fn most(current: u64, maximum: u64) -> Rlimit {
    Rlimit { current: Some(current), maximum: Some(maximum) }
}
