//! The laboratory: generated and real pages, the papers' experiments again, peers side by side. Ships to nobody.

pub mod across;
pub mod chart;
pub mod claims;
pub mod contest;
pub mod corpus;
pub mod cost;
pub mod dictionary;
pub mod generate;
pub mod growth;
pub mod linear;
pub mod memory;
pub mod peer;
mod per_node;
pub mod plant;
pub mod profiles;
pub mod redesign;
pub mod revert;
pub mod schedule;
pub mod scripts;
pub mod segments;
pub mod size;
pub mod storage;
pub mod table;
pub mod tally;
pub mod wordnet;
pub mod work;
