//! The child: reads the filter and the document, answers with a text or a reason.

use super::limits::Limits;
use super::{jq, pdf};
use crate::cli::Extract;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use tidemark_engine::extract::Extraction;

/// Most that is read, in bytes; the parent refuses more before it starts a child.
const DOCUMENT: u64 = 256 << 20;

/// All that a child does.
pub(crate) fn serve(kind: Extract) -> ExitCode {
    // What went wrong is told as a reason, not as a fault of ours.
    std::panic::set_hook(Box::new(|_| {}));
    let answer = catch_unwind(AssertUnwindSafe(|| answer(kind)));
    match answer.unwrap_or_else(|_| Err("its reader broke down".to_owned())) {
        Ok(text) if std::io::stdout().write_all(&text).is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(reason) => {
            let _ = writeln!(std::io::stderr(), "{reason}");
            ExitCode::FAILURE
        }
    }
}

fn answer(kind: Extract) -> Result<Vec<u8>, String> {
    let mut what = match kind {
        Extract::Pdf => Extraction::Pdf,
        Extract::Jq => Extraction::Jq(String::new()),
    };
    Limits::of(&what).apply().map_err(|error| format!("its limits cannot be set: {error}"))?;
    let mut bytes = Vec::new();
    std::io::stdin().take(DOCUMENT).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or("nothing was asked for")?;
    let (head, document) = (&bytes[..end], &bytes[end + 1..]);
    if let Extraction::Jq(filter) = &mut what {
        *filter = serde_json::from_slice(head).map_err(|error| error.to_string())?;
    }
    match &what {
        Extraction::Pdf => pdf::text(document),
        Extraction::Jq(filter) => jq::results(filter, document),
    }
}
