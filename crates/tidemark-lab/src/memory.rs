//! Peak memory of encoding a page of ten megabytes.
//!
//! Each page is encoded in a process of its own, which reads it from a file and encodes it, nothing else. Counted is by how much
//! the process's peak resident set (`VmHWM`, from Linux) rose from before the page was read to after it was encoded;
//! so the page itself and the finished digest are in it.

use crate::corpus::{self, Origin};
use crate::generate;
use crate::table::{Table, grouped};
use anyhow::{Context, Result, ensure};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;

/// Size of the pages.
const BYTES: usize = 10_000_000;

/// How many times its size encoding a page may take.
const TARGET: f64 = 12.0;

/// Encodes each page in a process of its own, which is this program called with `subcommand` and the page's path.
pub fn evaluate(subcommand: &str) -> Result<()> {
    let mut table = Table::new(["page", "bytes", "nodes", "peak", "peak / bytes", ""]);
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    for (name, page) in cases()? {
        let path = folder.path().join("page");
        std::fs::write(&path, &page).with_context(|| format!("cannot write {}", path.display()))?;
        let Peak { nodes, bytes: peak } = in_process(subcommand, &path)?;
        let ratio = peak as f64 / page.len() as f64;
        let flag = if ratio > TARGET { "TOO MUCH" } else { "" };
        let numbers = [page.len(), nodes, peak].map(grouped);
        table.row(
            [name.to_owned()].into_iter().chain(numbers).chain([format!("{ratio:.2}"), flag.to_owned()]),
        );
    }
    print!("{table}");
    println!(
        "\npeak of the process above its start, the page included; target: below {TARGET} times the page"
    );
    Ok(())
}

/// What the process does: encodes one page and prints its nodes and the rise of the peak.
pub fn measure(path: &Path) -> Result<()> {
    let before = peak()?;
    let page = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let digest = PageDigest::encode(&page, &Reading::default())?;
    let after = peak()?;
    println!("{} {}", digest.len(), after - before);
    Ok(())
}

struct Peak {
    nodes: usize,
    bytes: usize,
}

fn in_process(subcommand: &str, page: &Path) -> Result<Peak> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let output = Command::new(program)
        .arg(subcommand)
        .arg(page)
        .output()
        .context("cannot start this program again")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let numbers = said
        .trim()
        .split_once(' ')
        .and_then(|(nodes, bytes)| Some((nodes.parse().ok()?, bytes.parse().ok()?)));
    ensure!(output.status.success(), "encoding failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    let (nodes, bytes) = numbers.with_context(|| format!("the measuring process said {said:?}"))?;
    Ok(Peak { nodes, bytes })
}

/// Peak resident set of this process in bytes.
fn peak() -> Result<usize> {
    let status = std::fs::read_to_string("/proc/self/status")
        .context("cannot read /proc/self/status; peak memory is measured on Linux only")?;
    parse_peak(&status).context("/proc/self/status does not tell VmHWM")
}

fn parse_peak(status: &str) -> Option<usize> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok().map(|kilobytes| kilobytes << 10)
}

fn cases() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let mut cases = vec![
        ("article", scaled(|size| generate::article(size, 1))),
        ("listing", scaled(|size| generate::listing(size, 1))),
        ("dense markup", repeated("<b>x</b>")),
        ("plain text", repeated("All the ships in the harbour lie still at the turn of the tide.\n")),
    ];
    let (documents, origin) = corpus::pages()?;
    if origin == Origin::Corpus {
        let mut page = Vec::with_capacity(BYTES * 2);
        for document in
            documents.iter().filter(|document| ["articles", "histories"].contains(&document.group()))
        {
            page.extend_from_slice(&document.bytes);
            if page.len() >= BYTES {
                break;
            }
        }
        cases.push(("corpus pages in a row", page));
    }
    Ok(cases)
}

/// A page of about the size, by the size that a small one has.
fn scaled(page: impl Fn(usize) -> String) -> Vec<u8> {
    const SMALL: usize = 5000;
    page(BYTES * SMALL / page(SMALL).len()).into_bytes()
}

fn repeated(text: &str) -> Vec<u8> {
    let mut page = String::from("<!DOCTYPE html><title>Ten megabytes</title><body>");
    while page.len() < BYTES {
        page.write_str(text).expect("a string takes any text");
    }
    page.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_in_bytes() {
        assert_eq!(parse_peak("Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t   12 kB\n"), Some(12 << 10));
        assert_eq!(parse_peak("Name:\tx\n"), None);
    }

    #[test]
    fn pages_have_the_size_wanted() {
        assert!(repeated("<b>x</b>").len() - BYTES < 10);
        let listing = scaled(|size| generate::listing(size, 1));
        assert!(listing.len().abs_diff(BYTES) < BYTES / 20, "{}", listing.len());
    }
}
