//! The rules of one `robots.txt` that are meant for us (RFC 9309, section 2.2).
//!
//! Cost: reading is linear. A question costs the length of its path per rule; rules, their length and the path are bounded, so the worst file costs
//! some milliseconds. Where we differ: rules beyond the bound are not read.

use memchr::memmem;
use percent_encoding::percent_decode_str;
use std::time::Duration;
use url::{Position, Url};

/// Our name, as files address us.
const NAME: &str = "tidemark";

/// So many rules are read, of so many bytes each; so much of a path is compared.
const RULES: usize = 2000;
const LONGEST: usize = 1000;
const PATH: usize = 2048;

/// What is longer may have been cut.
const LONG: usize = 500 << 10;

/// The pause between visits is not longer than this, whatever a file says.
const LONGEST_DELAY: Duration = Duration::from_mins(5);

/// What one file says to us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rules {
    lines: Vec<Rule>,
    delay: Option<Duration>,
    /// Why all is forbidden, although no file says so.
    reason: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    allow: bool,
    /// As it was written.
    text: String,
    /// Without percent signs, for comparison.
    pattern: Vec<u8>,
}

impl Rules {
    /// Reads a file: the groups that name us, or else those for everybody.
    pub(super) fn parse(file: &[u8]) -> Self {
        let text = String::from_utf8_lossy(whole_lines(file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file)));
        let (mut ours, mut everybodys) = (Self::default(), Self::default());
        let (mut for_us, mut for_all, mut named_us, mut naming) = (false, false, false, false);
        for (key, value) in text.split(['\n', '\r']).filter_map(line) {
            if key.eq_ignore_ascii_case("user-agent") {
                if !naming {
                    (for_us, for_all) = (false, false);
                }
                naming = true;
                for_us |= is_us(value);
                for_all |= value == "*";
                named_us |= for_us;
                continue;
            }
            // Other records, like Sitemap, do not end the naming of a group.
            let known =
                ["allow", "disallow", "crawl-delay"].iter().any(|name| key.eq_ignore_ascii_case(name));
            naming &= !known;
            for rules in [(for_us, &mut ours), (for_all, &mut everybodys)]
                .into_iter()
                .filter_map(|(to, r)| to.then_some(r))
            {
                rules.add(key, value);
            }
        }
        if named_us { ours } else { everybodys }
    }

    /// Nothing may be visited, for a reason that is not in the file.
    pub(super) fn forbid_all(reason: &str) -> Self {
        Self { reason: Some(reason.to_owned()), ..Self::default() }
    }

    /// Whether a file said it.
    pub(super) fn is_from_host(&self) -> bool {
        self.reason.is_none()
    }

    /// The rule that forbids a page. The longest rule that matches decides; of two as long, the one that allows.
    pub(super) fn forbid(&self, url: &Url) -> Option<&str> {
        if let Some(reason) = &self.reason {
            return Some(reason);
        }
        let path = &url[Position::BeforePath..Position::AfterQuery];
        let path: Vec<u8> = percent_decode_str(path).take(PATH).collect();
        let matching = self.lines.iter().filter(|rule| rule.matches(&path));
        let longest = matching.max_by_key(|rule| (rule.pattern.len(), rule.allow))?;
        (!longest.allow).then_some(longest.text.as_str())
    }

    /// The pause between visits.
    pub(super) fn delay(&self) -> Option<Duration> {
        self.delay
    }

    /// Bytes held.
    pub(super) fn size(&self) -> usize {
        self.lines.iter().map(|rule| rule.text.len() + rule.pattern.len() + size_of::<Rule>()).sum()
    }

    fn add(&mut self, key: &str, value: &str) {
        let allow = key.eq_ignore_ascii_case("allow");
        if key.eq_ignore_ascii_case("crawl-delay") {
            let seconds = value.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
            let delay = seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST_DELAY));
            self.delay = delay.map(|delay| delay.min(LONGEST_DELAY));
        } else if (allow || key.eq_ignore_ascii_case("disallow"))
            && value.starts_with(['/', '*'])
            && value.len() <= LONGEST
            && self.lines.len() < RULES
        {
            let pattern = percent_decode_str(value).collect();
            let text = format!("{}: {value}", if allow { "Allow" } else { "Disallow" });
            self.lines.push(Rule { allow, text, pattern });
        }
    }
}

impl Rule {
    /// `*` stands for any characters, `$` at the end for the end.
    fn matches(&self, path: &[u8]) -> bool {
        let (pattern, to_the_end) = match self.pattern.split_last() {
            Some((b'$', rest)) => (rest, true),
            _ => (self.pattern.as_slice(), false),
        };
        let mut parts = pattern.split(|byte| *byte == b'*');
        let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
        let mut parts: Vec<&[u8]> = parts.collect();
        let last = if to_the_end { parts.pop() } else { None };
        for part in parts {
            match memmem::find(rest, part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        last.map_or(!to_the_end || rest.is_empty(), |last| rest.ends_with(last))
    }
}

/// A file so long was cut somewhere, and half a rule could forbid all.
fn whole_lines(file: &[u8]) -> &[u8] {
    let end = memchr::memrchr(b'\n', file).filter(|_| file.len() > LONG);
    end.map_or(file, |end| &file[..end])
}

/// A line of a file as key and value, without its comment.
fn line(text: &str) -> Option<(&str, &str)> {
    let text = text.split_once('#').map_or(text, |(text, _)| text);
    text.split_once(':').map(|(key, value)| (key.trim(), value.trim()))
}

/// Whether a group is addressed to us: our name, perhaps with a version behind it.
fn is_us(value: &str) -> bool {
    let end = value.find(|c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_').unwrap_or(value.len());
    value[..end].eq_ignore_ascii_case(NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(file: &str, path: &str) -> bool {
        let url = Url::parse("https://example.org").unwrap().join(path).unwrap();
        Rules::parse(file.as_bytes()).forbid(&url).is_none()
    }

    #[test]
    fn our_own_group_goes_before_that_for_everybody() {
        let file =
            "User-agent: *\nDisallow: /\n\nuser-agent: other\nUSER-AGENT: TideMark/1.0 # us\nDisallow: /x\n";
        assert!(allowed(file, "/y") && !allowed(file, "/x1"));
        let twice = "User-agent: tidemark\nDisallow: /a\nUser-agent: b\nDisallow: /\nUser-agent: tidemark\nDisallow: /c\n";
        assert!(!allowed(twice, "/a") && !allowed(twice, "/c") && allowed(twice, "/b"));
        assert!(!allowed("User-agent: *\nDisallow: /", "/"), "everybody is also us");
        assert!(
            allowed("User-agent: *\nDisallow: /\nUser-agent: tidemark\n", "/"),
            "an empty group allows all"
        );
        assert!(allowed("User-agent: tidemarker\nDisallow: /", "/"), "another name");
    }

    #[test]
    fn the_longest_rule_decides() {
        let file = "User-agent: *\nAllow: /a/b\nDisallow: /a\nAllow: /$\nDisallow: /same\nAllow: /same";
        for (path, expected) in
            [("/a", false), ("/a/x", false), ("/a/b/c", true), ("/", true), ("/same", true)]
        {
            assert_eq!(allowed(file, path), expected, "{path}");
        }
    }

    #[test]
    fn stars_and_ends() {
        for (rule, path, matches) in [
            ("/*.gif$", "/a/b.gif", true),
            ("/*.gif$", "/a.gif?x", false),
            ("/*.gif", "/a.gif?x", true),
            ("/a*b*c", "/axxbyyczz", true),
            ("/a*b*c", "/acb", false),
            ("/*/x$", "/x/x/x", true),
            ("*/x", "/a/x", true),
            ("/**a", "/ba", true),
            ("/$", "/a", false),
            ("/a*a$", "/a", false),
            ("/%7Ejoe", "/~joe/x", true),
            ("/~joe", "/%7ejoe/x", true),
            ("/ü", "/%C3%BC", true),
            ("", "/", false),
            ("x", "/x", false),
        ] {
            let file = format!("User-agent: *\nDisallow: {rule}");
            assert_eq!(!allowed(&file, path), matches, "{rule} {path}");
        }
    }

    #[test]
    fn delays_are_bounded() {
        let delay =
            |text: &str| Rules::parse(format!("User-agent: *\nCrawl-delay: {text}").as_bytes()).delay();
        assert_eq!(delay("2.5"), Some(Duration::from_millis(2500)));
        assert_eq!(delay("1e300"), Some(LONGEST_DELAY));
        for text in ["-1", "soon", "NaN", "0", ""] {
            assert_eq!(delay(text), None, "{text}");
        }
        assert_eq!(delay("inf"), Some(LONGEST_DELAY));
    }

    #[test]
    fn any_bytes_are_a_file() {
        let long = format!("User-agent: *\n{}", "Disallow: /*a*b*c*d\n".repeat(100_000));
        assert_eq!(Rules::parse(long.as_bytes()).lines.len(), RULES);
        assert_eq!(Rules::parse(b"\xff\xfe\0:::\n#\n:\n"), Rules::default());
        let cut = format!("User-agent: *\n{}\nDisallow: /", "#".repeat(LONG));
        assert!(allowed(&cut, "/a"), "half a rule");
        assert!(!allowed("\u{feff}User-agent: *\rDisallow: /x\r", "/x"));
        assert!(allowed("<html>User-agent: *<br>Disallow: /</html>", "/"));
    }
}
