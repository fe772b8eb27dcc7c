//! The answer of a web server as an archive keeps it: status, head, body with its codings.

use super::coding::{self, Fault};
use super::fields::{self, Fields};
use super::{Capture, Trouble};

/// Largest head that is read.
pub(super) const HEAD: usize = 64 << 10;
/// Most codings around one body.
const CODINGS: usize = 3;

/// The page in an answer; nothing if it is an answer of another kind: a redirection, an error, a picture where only pages are wanted.
pub(super) fn page(
    url: String,
    date: Option<String>,
    answer: &[u8],
    most: usize,
    any: bool,
) -> Result<Option<Capture>, Trouble> {
    let end = fields::end(&answer[..answer.len().min(HEAD)]);
    let Some(end) = end.filter(|_| answer.starts_with(b"HTTP/")) else {
        return if url.starts_with("http") { Err(Trouble::Answer { url }) } else { Ok(None) };
    };
    let head = Fields::of(&answer[..end]);
    let (media_type, charset) = media_type(head.get("content-type").unwrap_or_default());
    let is_page = any || matches!(media_type.as_str(), "text/html" | "application/xhtml+xml");
    if !is_page || !is_success(head.first()) {
        return Ok(None);
    }
    let body = decoded(&head, answer[end..].to_vec(), most, &url)?;
    Ok(Some(Capture { url, date, media_type, charset, body }))
}

fn is_success(status: &str) -> bool {
    let code = status.split_ascii_whitespace().nth(1).unwrap_or_default();
    code.len() == 3 && code.starts_with('2')
}

/// `text/html; charset="utf-8"` in its two parts.
fn media_type(value: &str) -> (String, Option<String>) {
    let mut parts = value.split(';');
    let media_type = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    });
    (media_type, charset.filter(|charset| !charset.is_empty()))
}

fn decoded(head: &Fields, mut body: Vec<u8>, most: usize, url: &str) -> Result<Vec<u8>, Trouble> {
    let trouble = |fault: Fault| match fault {
        Fault::Damaged => Trouble::Damaged { url: url.to_owned() },
        Fault::TooLarge => Trouble::TooLarge { url: url.to_owned(), most },
    };
    let mut codings = head.list("content-encoding");
    codings.extend(head.list("transfer-encoding"));
    if codings.len() > CODINGS {
        return Err(Trouble::Coding { url: url.to_owned(), coding: codings.join(", ") });
    }
    while let Some(coding) = codings.pop() {
        body = match coding.as_str() {
            "chunked" => coding::chunks(body),
            "gzip" | "x-gzip" => coding::gzip(body, most),
            "deflate" => coding::deflate(body, most),
            "identity" | "none" | "utf-8" => Ok(body),
            _ => return Err(Trouble::Coding { url: url.to_owned(), coding }),
        }
        .map_err(trouble)?;
    }
    if body.len() > most { Err(trouble(Fault::TooLarge)) } else { Ok(body) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(answer: &str) -> Result<Option<Capture>, Trouble> {
        page("http://a.example/".to_owned(), None, answer.as_bytes(), 100, false)
    }

    #[test]
    fn only_pages_that_were_sent_are_pages() {
        let body = |answer: &str| read(answer).map(|page| page.map(|page| page.body));
        assert_eq!(body("HTTP/1.1 200 OK\r\ncontent-type: Text/HTML\r\n\r\n<p>"), Ok(Some(b"<p>".to_vec())));
        for other in [
            "HTTP/1.1 404 No\r\nContent-Type: text/html\r\n\r\n<p>",
            "HTTP/1.0 200\r\nContent-Type: image/png\r\n\r\nx",
            "HTTP/1.0 200\r\n\r\nx",
        ] {
            assert_eq!(body(other), Ok(None), "{other}");
        }
        for broken in [
            "",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
            "<p>\n\n",
            &format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "x".repeat(HEAD)),
        ] {
            assert!(matches!(body(broken), Err(Trouble::Answer { .. })));
        }
        assert_eq!(page("dns:a.example".to_owned(), None, b"1 2 3", 100, false), Ok(None));
    }

    #[test]
    fn codings_are_undone_from_the_outermost_in() {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; Charset=\"koi8-r\"\r\n";
        let page = read(&format!("{head}Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n\r\n"));
        let page = page.expect("it is well formed").expect("it is a page");
        assert_eq!((page.charset.as_deref(), &page.body[..]), (Some("koi8-r"), &b"<p>"[..]));
        let trouble = read(&format!("{head}Content-Encoding: br\r\n\r\n<p>"));
        assert!(matches!(trouble, Err(Trouble::Coding { coding, .. }) if coding == "br"));
        let trouble = read(&format!("{head}\r\n{}", "x".repeat(101)));
        assert!(matches!(trouble, Err(Trouble::TooLarge { most: 100, .. })));
    }
}
