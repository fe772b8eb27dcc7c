//! The processes of a browser, read off `/proc`: those of its process group, and all that descend from it.
//!
//! A limit on address space does not suit a browser, which reserves terabytes and uses little. So what it uses is counted: the anonymous and shared memory of
//! all its processes. Shared memory is counted for each that maps it: rather too much than too little.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// How often it is looked whether the killed are gone.
const LOOKS: usize = 200;
const BETWEEN: Duration = Duration::from_millis(10);

/// Bytes of memory in use by a browser.
pub(crate) fn memory(browser: u32) -> u64 {
    members(browser).into_iter().map(memory_of).sum()
}

/// Kills all of them.
pub(crate) fn kill(browser: u32) {
    let members = members(browser);
    if let Some(group) = pid(browser) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    for member in members.into_iter().filter_map(pid) {
        let _ = kill_process(member, Signal::KILL);
    }
}

/// Waits until they are gone, within reason.
pub(crate) fn wait_for_end(browser: u32) {
    for _ in 0..LOOKS {
        if members(browser).is_empty() {
            return;
        }
        std::thread::sleep(BETWEEN);
    }
}

fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

/// Living processes in the group, and their descendants.
fn members(browser: u32) -> BTreeSet<u32> {
    let all = all();
    let mut found: BTreeSet<u32> = all
        .iter()
        .filter(|process| process.group == browser || process.id == browser)
        .map(|p| p.id)
        .collect();
    loop {
        let before = found.len();
        let children: Vec<u32> = all.iter().filter(|p| found.contains(&p.parent)).map(|p| p.id).collect();
        found.extend(children);
        if found.len() == before {
            return found;
        }
    }
}

struct Process {
    id: u32,
    parent: u32,
    group: u32,
}

fn all() -> Vec<Process> {
    let Ok(folder) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter_map(process).collect()
}

/// A process that is not dead; its name may hold anything, so the fields are those behind the last parenthesis.
fn process(id: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let (parent, group) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    (!matches!(state, "Z" | "X")).then_some(Process { id, parent, group })
}

fn memory_of(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let counted = status.lines().filter(|line| line.starts_with("RssAnon:") || line.starts_with("RssShmem:"));
    let kilobytes = counted.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.sum::<u64>() * 1024
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    #[test]
    fn a_group_is_counted_and_killed_to_the_last() {
        let mut shell =
            Command::new("sh").args(["-c", "sleep 600 & sleep 600 & wait"]).process_group(0).spawn().unwrap();
        let id = shell.id();
        while members(id).len() < 3 {
            std::thread::sleep(BETWEEN);
        }
        assert!(memory(id) > 0);
        kill(id);
        shell.wait().unwrap();
        wait_for_end(id);
        assert!(members(id).is_empty());
    }
}
