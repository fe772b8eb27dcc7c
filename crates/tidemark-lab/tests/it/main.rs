//! Tests of the laboratory, and with it of what it measures.

mod across;
mod plant;
mod profiles;
mod redesign;
mod schedule;
