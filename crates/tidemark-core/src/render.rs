//! Changes for people: the same script as marked page, as text and as data.
//!
//! The way of the data: [`Difference`](crate::diff::Difference) → merge (both pages as one) → [`Changes`] → [`text`], [`html`], [`views`]. Nothing is shown that is not in the
//! script, and nothing in the script is left out: what a reader cannot see on the page is told as such.

pub mod change;
pub mod html;
pub mod interest;
pub mod line;
mod merge;
pub(crate) mod outline;
pub mod text;
pub mod views;
mod wording;

pub use change::{Change, ChangeKind, Changes};
pub use interest::Mention;
pub use line::{Line, Span, SpanKind};
