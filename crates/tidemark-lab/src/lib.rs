//! The laboratory: generated and real pages, the papers' experiments again, peers side by side. Ships to nobody.

pub mod corpus;
pub mod dictionary;
pub mod generate;
pub mod size;
