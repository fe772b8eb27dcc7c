//! The engine over a real database, with a web that follows a script and a clock that is set by hand.

mod conditions;
mod contents;
mod discovery;
mod documents;
mod histories;
mod intake;
mod intake_hostile;
mod noise;
mod rude;
mod schedule;
mod story;
mod streams;
mod web;
