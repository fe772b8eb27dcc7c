//! One suite over both databases, and what only a whole database can show: crashes, full disks, damage.

mod claims;
mod cluster;
mod contents;
mod crash;
mod damage;
mod help;
mod histories;
mod place;
mod records;
mod streams;
mod trouble;
mod watches;
