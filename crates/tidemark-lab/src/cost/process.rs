//! What the system knows of a process and its children: CPU time and memory.

use anyhow::{Context, Result};
use std::fs;
use std::process::Child;

/// Clock ticks a second, on every Linux we know.
const TICKS: f64 = 100.0;

/// A process that ends with its owner.
pub(super) struct Running(pub(super) Child);

impl Running {
    /// CPU seconds so far, children included.
    pub(super) fn cpu(&self) -> Result<f64> {
        Ok(family(self.0.id())?.into_iter().map(cpu_of).sum())
    }

    /// Megabytes in memory, children included.
    pub(super) fn memory(&self) -> Result<f64> {
        Ok(family(self.0.id())?.into_iter().map(memory_of).sum())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A process and all below it.
fn family(root: u32) -> Result<Vec<u32>> {
    let mut parents = Vec::new();
    for entry in fs::read_dir("/proc")?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        if let Some(parent) = fields(pid).ok().and_then(|fields| fields.get(1)?.parse::<u32>().ok()) {
            parents.push((pid, parent));
        }
    }
    let mut members = vec![root];
    let mut at = 0;
    while at < members.len() {
        members.extend(
            parents
                .iter()
                .filter(|(_, parent)| *parent == members[at])
                .map(|(pid, _)| *pid)
                .collect::<Vec<_>>(),
        );
        at += 1;
    }
    Ok(members)
}

/// The fields of `/proc/PID/stat` behind the name.
fn fields(pid: u32) -> Result<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let rest = stat.rsplit_once(')').context("no name in /proc/PID/stat")?.1;
    Ok(rest.split_whitespace().map(str::to_owned).collect())
}

fn cpu_of(pid: u32) -> f64 {
    let Ok(fields) = fields(pid) else { return 0.0 };
    let ticks = |at: usize| fields.get(at).and_then(|value| value.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / TICKS
}

fn memory_of(pid: u32) -> f64 {
    let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) else { return 0.0 };
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0);
    kilobytes * 1024.0 / 1e6
}
