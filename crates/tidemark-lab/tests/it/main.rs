//! Tests of the laboratory, and with it of what it measures.

mod plant;
mod profiles;
mod redesign;
