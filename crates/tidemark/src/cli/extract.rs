//! What the program asks of itself.

use clap::Subcommand;

/// What to take out of the document on standard input.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Extract {
    /// The text of a PDF
    Pdf,
    /// What a filter makes of JSON
    Jq,
}
