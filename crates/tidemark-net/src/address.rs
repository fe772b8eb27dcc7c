//! Which addresses are public, and which of the others an operator has named.
//!
//! Source: the IANA registries of special-purpose addresses (IPv4 and IPv6), and the documents of the large clouds for their metadata services.
//! IPv6 is judged the other way round: what is not in `2000::/3` is not public, whatever it will be one day. An address that holds an IPv4 one
//! is refused as a whole (6to4, Teredo, NAT64), except the mapped form, which every system treats as that IPv4 address: so do we.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Addresses that are not public and may be visited all the same. Nothing, unless said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    ranges: Vec<Range>,
}

/// Why a text names no addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is neither an address, nor a range such as 10.0.0.0/8 or fd00::/8, nor the word 'private'")]
pub struct AllowError(String);

/// An address range: all addresses whose first `bits` are those of `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    first: IpAddr,
    bits: u32,
}

impl Allow {
    /// One's own machine and network: loopback, the private ranges, shared address space (100.64.0.0/10) and unique local IPv6. Link-local addresses
    /// are not among them: nobody's site has one, and clouds keep their secrets there.
    pub fn private() -> Self {
        let own = [
            "127.0.0.0/8",
            "::1",
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "100.64.0.0/10",
            "fc00::/7",
        ];
        Self { ranges: own.iter().filter_map(|text| text.parse().ok()).collect() }
    }

    /// These and those.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.ranges.extend(other.ranges);
        self
    }

    /// Whether an address is named. A metadata service must be named alone: no range and no word opens it.
    fn names(&self, address: IpAddr) -> bool {
        let alone = is_metadata(address);
        self.ranges.iter().any(|range| range.holds(address) && (!alone || range.is_single()))
    }
}

/// Ranges, addresses and the word `private`, separated by commas or spaces.
impl FromStr for Allow {
    type Err = AllowError;

    fn from_str(text: &str) -> Result<Self, AllowError> {
        let mut allow = Self::default();
        for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
            match word {
                "private" => allow = allow.and(Self::private()),
                _ => allow.ranges.push(word.parse()?),
            }
        }
        Ok(allow)
    }
}

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

fn is_metadata(address: IpAddr) -> bool {
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

impl Range {
    fn holds(&self, address: IpAddr) -> bool {
        match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                (u32::from(first) ^ u32::from(address)).leading_zeros() >= self.bits
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                (u128::from(first) ^ u128::from(address)).leading_zeros() >= self.bits
            }
            _ => false,
        }
    }

    fn is_single(&self) -> bool {
        self.bits == width(self.first)
    }
}

impl FromStr for Range {
    type Err = AllowError;

    fn from_str(text: &str) -> Result<Self, AllowError> {
        let wrong = || AllowError(text.to_owned());
        let (first, bits) = text.split_once('/').map_or((text, None), |(first, bits)| (first, Some(bits)));
        let first: IpAddr = first.parse().map_err(|_| wrong())?;
        let bits = bits.map_or(Ok(width(first)), str::parse).map_err(|_| wrong())?;
        if bits > width(first) {
            return Err(wrong());
        }
        Ok(Self { first, bits })
    }
}

const fn width(address: IpAddr) -> u32 {
    if address.is_ipv4() { 32 } else { 128 }
}

impl fmt::Display for Allow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> =
            self.ranges.iter().map(|range| format!("{}/{}", range.first, range.bits)).collect();
        f.write_str(&texts.join(", "))
    }
}

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

    #[test]
    fn private_is_ones_own_and_nothing_else() {
        for address in
            ["127.0.0.1", "::1", "10.1.2.3", "192.168.1.1", "100.64.0.1", "fd12::1", "172.31.255.255"]
        {
            assert_eq!(why(address, "private"), None, "{address}");
        }
        for address in ["169.254.1.1", "fe80::1", "0.0.0.0", "224.0.0.1", "64:ff9b::a00:1", "2002:a00:1::"] {
            assert!(why(address, "private").is_some(), "{address}");
        }
    }

    #[test]
    fn nonsense_is_no_range() {
        for text in ["10.0.0.0/33", "10.0.0/8", "::/129", "example.org", "10.0.0.0/", "/8", "10.0.0.0/-1"] {
            assert!(text.parse::<Allow>().is_err(), "{text}");
        }
        assert_eq!("10.0.0.0/8 ::1".parse::<Allow>().unwrap().to_string(), "10.0.0.0/8, ::1/128");
    }
}
