//! What must hold for every page, whatever is in it: proved on the corpus, on pages made up at random, on hostile
//! pages and hostile files, against parsers and selectors that are not ours.
//!
//! Random cases are the same on every run. To explore further, set `PROPTEST_CASES` and `PROPTEST_RNG_SEED`.

mod across;
mod anchors;
mod archive;
mod conformance;
mod difference;
mod facets;
mod feeds;
mod file;
mod hostile;
mod native;
mod outline;
mod pages;
mod places;
mod profiles;
mod records;
mod redesign;
mod referee;
mod revert;
mod revisit;
mod segments;
mod similarity;
mod tracks;
mod tree;
mod versions;
mod views;
mod vocabulary;
mod walks;
mod zones;
