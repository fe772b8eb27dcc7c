//! Ports that are never a web server: what a page could be made to say there would be taken for mail or chat.
//!
//! Source: the "bad ports" of the Fetch standard, as browsers refuse them.

/// Whether no page is ever asked for at a port.
pub(crate) fn is_bad(port: u16) -> bool {
    BAD.binary_search(&port).is_ok()
}

#[rustfmt::skip]
const BAD: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
    119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
    989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_is_no_web_server_and_8080_may_be_one() {
        assert!([25, 22, 0, 6667, 10080].into_iter().all(is_bad));
        assert!(![80, 443, 8080, 8443, 3000, 5000].into_iter().any(is_bad));
        assert!(BAD.is_sorted(), "looked up by halves");
    }
}
