//! Addresses, one a line: what follows one is its name. Empty lines and those that begin with `#` are passed over.

use super::draft::Draft;
use super::{Intake, Refusal};

pub(super) fn read(bytes: &[u8], intake: &mut Intake) -> Result<(), Refusal> {
    let text = String::from_utf8_lossy(bytes);
    for line in text.trim_start_matches('\u{feff}').lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (address, name) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if !address.contains("://") && !address.contains('.') && !address.starts_with("localhost") {
            intake.problem(line, "it does not begin with a web address")?;
            continue;
        }
        let mut draft = Draft::new(address);
        let name = name.trim().trim_start_matches('#').trim();
        draft.name = (!name.is_empty()).then(|| name.to_owned());
        intake.take(draft)?;
    }
    Ok(())
}
