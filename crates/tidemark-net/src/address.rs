//! Which addresses are public.
//!
//! Source: the IANA registries of special-purpose addresses (IPv4 and IPv6), and the documents of the large clouds for their metadata services.
//! IPv6 is judged the other way round: what is not in `2000::/3` is not public, whatever it will be one day. An address that holds an IPv4 one
//! is refused as a whole (6to4, Teredo, NAT64), except the mapped form, which every system treats as that IPv4 address: so do we.

use crate::allow::Allow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address must not be visited, in words that follow "is"; nothing if it may.
pub(crate) fn objection(address: IpAddr, allow: &Allow) -> Option<&'static str> {
    let address = address.to_canonical();
    if allow.names(address) {
        return None;
    }
    if is_metadata(address) {
        return Some("the metadata service of a cloud");
    }
    match address {
        IpAddr::V4(address) => of_v4(address),
        IpAddr::V6(address) => of_v6(address),
    }
}

/// Whether a cloud keeps its secrets there.
pub(crate) fn is_metadata(address: IpAddr) -> bool {
    METADATA.contains(&address)
}

fn of_v4(address: Ipv4Addr) -> Option<&'static str> {
    let number = u32::from(address);
    let found = V4.iter().find(|(first, bits, _)| (number ^ u32::from(*first)) >> (32 - bits) == 0);
    found.map(|(_, _, what)| *what)
}

fn of_v6(address: Ipv6Addr) -> Option<&'static str> {
    let number = u128::from(address);
    let found = V6.iter().find(|(first, bits, _)| (number ^ u128::from(*first)) >> (128 - bits) == 0);
    let global = number >> 125 == 1;
    found.map(|(_, _, what)| *what).or((!global).then_some("reserved"))
}

const fn v4(a: u8, b: u8, c: u8) -> Ipv4Addr {
    Ipv4Addr::new(a, b, c, 0)
}

const fn v6(a: u16, b: u16, c: u16) -> Ipv6Addr {
    Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0)
}

const V4: [(Ipv4Addr, u32, &str); 16] = [
    (v4(0, 0, 0), 8, "this machine"),
    (v4(10, 0, 0), 8, "private"),
    (v4(100, 64, 0), 10, "shared by a provider's customers"),
    (v4(127, 0, 0), 8, "this machine"),
    (v4(169, 254, 0), 16, "link-local"),
    (v4(172, 16, 0), 12, "private"),
    (v4(192, 0, 0), 24, "for protocols"),
    (v4(192, 0, 2), 24, "for documentation"),
    (v4(192, 88, 99), 24, "a 6to4 relay"),
    (v4(192, 168, 0), 16, "private"),
    (v4(198, 18, 0), 15, "for benchmarks"),
    (v4(198, 51, 100), 24, "for documentation"),
    (v4(203, 0, 113), 24, "for documentation"),
    (v4(224, 0, 0), 4, "multicast"),
    (Ipv4Addr::BROADCAST, 32, "broadcast"),
    (v4(240, 0, 0), 4, "reserved"),
];

/// The first that holds an address says what it is.
const V6: [(Ipv6Addr, u32, &str); 18] = [
    (Ipv6Addr::UNSPECIFIED, 128, "this machine"),
    (Ipv6Addr::LOCALHOST, 128, "this machine"),
    (v6(0, 0, 0), 96, "an IPv4 address in disguise"),
    (v6(0x64, 0xff9b, 0), 96, "an IPv4 address behind NAT64"),
    (v6(0x64, 0xff9b, 1), 48, "an IPv4 address behind NAT64"),
    (v6(0x100, 0, 0), 64, "where packets are discarded"),
    (v6(0x2001, 0, 0), 32, "an IPv4 address behind Teredo"),
    (v6(0x2001, 2, 0), 48, "for benchmarks"),
    (v6(0x2001, 0x10, 0), 28, "a hash, not a place"),
    (v6(0x2001, 0x20, 0), 28, "a hash, not a place"),
    (v6(0x2001, 0, 0), 23, "for protocols"),
    (v6(0x2001, 0xdb8, 0), 32, "for documentation"),
    (v6(0x2002, 0, 0), 16, "an IPv4 address behind 6to4"),
    (v6(0x3fff, 0, 0), 20, "for documentation"),
    (v6(0xfc00, 0, 0), 7, "private"),
    (v6(0xfe80, 0, 0), 10, "link-local"),
    (v6(0xfec0, 0, 0), 10, "site-local"),
    (v6(0xff00, 0, 0), 8, "multicast"),
];

/// AWS, Azure, Google and most others; AWS containers and pods; Alibaba; Oracle; Azure's wire server, which has a public address.
const METADATA: [IpAddr; 9] = [
    IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 170, 2)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 170, 23)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23)),
    IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn why(address: &str, allow: &str) -> Option<&'static str> {
        objection(address.parse().unwrap(), &allow.parse().unwrap())
    }

    #[test]
    fn what_is_public_passes() {
        for address in
            ["1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "223.255.255.255", "::ffff:8.8.8.8"]
        {
            assert_eq!(why(address, ""), None, "{address}");
        }
        for address in ["2606:4700::1111", "2a00:1450:4001::1", "2001:4860:4860::8888", "2620:fe::fe"] {
            assert_eq!(why(address, ""), None, "{address}");
        }
    }

    #[test]
    fn the_edges_of_every_range_are_refused() {
        for (first, bits, what) in V4 {
            let last = Ipv4Addr::from(u32::from(first) | u32::MAX.checked_shr(bits).unwrap_or(0));
            assert!(of_v4(first).is_some() && of_v4(last).is_some(), "{first} to {last}: {what}");
        }
        for (first, bits, what) in V6 {
            let last = Ipv6Addr::from(u128::from(first) | u128::MAX.checked_shr(bits).unwrap_or(0));
            assert!(of_v6(first).is_some() && of_v6(last).is_some(), "{first} to {last}: {what}");
        }
    }

    #[test]
    fn what_the_future_assigns_is_refused_until_then() {
        for address in ["4000::1", "5f00::1", "8000::1", "e000::1", "1::1", "::2:3"] {
            assert!(why(address, "").is_some(), "{address}");
        }
    }

    #[test]
    fn a_mapped_address_is_the_address_it_maps() {
        assert_eq!(why("::ffff:127.0.0.1", ""), Some("this machine"));
        assert_eq!(why("::ffff:127.0.0.1", "127.0.0.0/8"), None);
    }

    #[test]
    fn a_metadata_service_must_be_named_alone() {
        for address in METADATA {
            for allow in ["", "private", "0.0.0.0/0, ::/0", "169.254.0.0/16"] {
                assert!(why(&address.to_string(), allow).is_some(), "{address} with '{allow}'");
            }
            assert_eq!(why(&address.to_string(), &address.to_string()), None);
        }
    }
}
