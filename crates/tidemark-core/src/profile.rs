//! Profiles: what a reader cares about, as words.

pub mod inflection;
pub mod wordnet;
