//! Addresses that an operator has named: one's own machine and network, and nothing by accident.

use crate::address::is_metadata;
use std::fmt;
use std::net::IpAddr;
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
    pub(crate) fn names(&self, address: IpAddr) -> bool {
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
    use crate::address::objection;

    fn why(address: &str, allow: &str) -> Option<&'static str> {
        objection(address.parse().unwrap(), &allow.parse().unwrap())
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
