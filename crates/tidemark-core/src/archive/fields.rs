//! Lines `Name: value`, as heads of WARC records and of HTTP answers have them.

/// The fields of a head. Bytes that are no UTF-8 are shown as missing.
pub(super) struct Fields {
    first: String,
    fields: Vec<(String, String)>,
}

impl Fields {
    /// Of a head without the empty line at its end. A line that has no colon says nothing.
    pub(super) fn of(head: &[u8]) -> Self {
        let head = String::from_utf8_lossy(head);
        let mut lines = head.lines();
        let first = lines.next().unwrap_or_default().trim().to_owned();
        let field = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        };
        Self { first, fields: lines.filter_map(field).collect() }
    }

    /// The first line.
    pub(super) fn first(&self) -> &str {
        &self.first
    }

    /// The value of the first field of this name, written in small letters.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.0 == name).map(|field| field.1.as_str())
    }

    /// The names in a list with commas, over all fields of this name, in small letters.
    pub(super) fn list(&self, name: &str) -> Vec<String> {
        let values = self.fields.iter().filter(|field| field.0 == name);
        let names = values.flat_map(|field| field.1.split(','));
        names.map(|name| name.trim().to_ascii_lowercase()).filter(|name| !name.is_empty()).collect()
    }
}

/// The length of a head up to and with the empty line at its end.
pub(super) fn end(bytes: &[u8]) -> Option<usize> {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        if bytes[start..end].iter().all(|&byte| byte == b'\r') {
            return Some(end + 1);
        }
        start = end + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_with_an_empty_line() {
        assert_eq!(end(b"a: b\r\nc: d\r\n\r\nbody"), Some(14));
        assert_eq!(end(b"a: b\n\nbody"), Some(6));
        assert_eq!(end(b"a: b\r\nc: d\r\n"), None);
        assert_eq!(end(b"\r\nbody"), Some(2));
    }

    #[test]
    fn names_have_no_case_and_lists_may_be_split() {
        let fields = Fields::of(b"HTTP/1.1 200 OK\r\nX: 1\r\nno colon\r\nContent-Encoding: GZIP, br\r\nx: 2\r\ncontent-encoding:deflate\r\n");
        assert_eq!((fields.first(), fields.get("x"), fields.get("y")), ("HTTP/1.1 200 OK", Some("1"), None));
        assert_eq!(fields.list("content-encoding"), ["gzip", "br", "deflate"]);
    }
}
