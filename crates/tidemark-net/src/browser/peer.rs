//! Who holds the other end of a connection on the loopback, as the kernel lists it in `/proc/net/tcp`.

use std::fmt::Write as _;
use std::fs;
use std::net::{IpAddr, SocketAddr};

/// Whether a process of our own user holds it. Unknown is no.
pub(crate) fn is_ours(peer: SocketAddr, port: u16) -> bool {
    let table = fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    user(&table, peer, port) == Some(rustix::process::geteuid().as_raw())
}

/// The user of the socket that is bound to `peer` and connected to our port.
fn user(table: &str, peer: SocketAddr, port: u16) -> Option<u32> {
    let IpAddr::V4(address) = peer.ip() else { return None };
    // As the kernel writes it: the address in the order of the machine's bytes, in hexadecimal.
    let mut local = format!("{:08X}", u32::from_ne_bytes(address.octets()));
    write!(local, ":{:04X}", peer.port()).ok()?;
    let remote = format!(":{port:04X}");
    table.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let found = *fields.get(1)? == local && fields.get(2)?.ends_with(&remote);
        found.then(|| fields.get(7)?.parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_endian = "little")]
    fn the_user_of_a_socket_is_read_off_the_table() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
             0: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 1 1\n\
             1: 0100007F:9C41 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 1 1\n";
        assert_eq!(user(table, "127.0.0.1:40000".parse().unwrap(), 8080), Some(1000));
        assert_eq!(user(table, "127.0.0.1:40001".parse().unwrap(), 8080), Some(0));
        assert_eq!(user(table, "127.0.0.1:40001".parse().unwrap(), 8081), None);
        assert_eq!(user(table, "127.0.0.2:40000".parse().unwrap(), 8080), None);
    }
}
