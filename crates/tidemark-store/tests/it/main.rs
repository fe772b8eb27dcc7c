//! One suite over both databases, and what only a whole database can show: crashes, full disks, damage.

#![allow(
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "small numbers that count versions and seconds"
)]

mod claims;
mod cluster;
mod contents;
mod crash;
mod damage;
mod gathered;
mod help;
mod histories;
mod hostile;
mod moving;
mod outbox;
mod place;
mod records;
mod streams;
mod trouble;
mod watches;
