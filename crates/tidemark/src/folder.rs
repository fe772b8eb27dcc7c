//! Files of a folder, and their order.

use crate::cli::Order;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// All files of a folder that are not hidden, none of those in folders below it, by name.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read {}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !is_hidden {
            files.push(path);
        }
    }
    sort(&mut files, Order::Name);
    Ok(files)
}

/// Puts files in order. What has no time, such as standard input, is from now: the newest.
pub(crate) fn sort(files: &mut [PathBuf], order: Order) {
    match order {
        Order::Name => files.sort_by_cached_key(|path| natural(path)),
        Order::Time => files.sort_by_cached_key(|path| {
            let time = std::fs::metadata(path).and_then(|about| about.modified()).ok();
            (time.is_none(), time, natural(path))
        }),
    }
}

/// A name in pieces, so that `9.html` comes before `10.html`: numbers by length and digits, which is by value.
fn natural(path: &Path) -> Vec<(bool, usize, String)> {
    let name = path.to_string_lossy();
    let pieces = name.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let piece = |piece: &[u8]| {
        let text = String::from_utf8_lossy(piece).into_owned();
        if !piece[0].is_ascii_digit() {
            return (true, 0, text);
        }
        let digits = text.trim_start_matches('0');
        (false, digits.len(), digits.to_owned())
    };
    pieces.map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_ordered_by_value() {
        let mut names = ["v10.html", "v9.html", "v1.html", "a2/x", "a10/x", "v09b", "w"].map(PathBuf::from);
        names.sort_by_cached_key(|path| natural(path));
        assert_eq!(
            names,
            ["a2/x", "a10/x", "v1.html", "v9.html", "v09b", "v10.html", "w"].map(PathBuf::from)
        );
    }
}
