//! What begins with `<!` or `<?`: comments, doctypes, CDATA sections.

use super::{Tokenizer, is_space};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, Token, TokenSink as _};
use memchr::{memchr, memchr2, memmem};

impl Tokenizer<'_> {
    /// Reads from behind `<!` on.
    pub(super) fn declaration(&mut self, start: usize) {
        let rest = &self.text.as_bytes()[start..];
        if rest.starts_with(b"--") {
            self.comment(start + 2);
        } else if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
            self.doctype(start + 7);
        } else if rest.starts_with(b"[CDATA[")
            && self.sink.adjusted_current_node_present_but_not_in_html_namespace()
        {
            self.section(start + 7);
        } else {
            self.bogus_comment(start);
        }
    }

    /// Anything up to the next `>`.
    pub(super) fn bogus_comment(&mut self, start: usize) {
        let (end, next) = self.find(start, b'>');
        self.at = next;
        self.send(Token::CommentToken(self.without_nulls(start, end)));
    }

    fn comment(&mut self, start: usize) {
        let rest = &self.text.as_bytes()[start..];
        let (length, end) = if rest.starts_with(b">") {
            (0, 1)
        } else if rest.starts_with(b"->") {
            (0, 2)
        } else {
            end_of_comment(rest)
        };
        self.at = start + end;
        self.send(Token::CommentToken(self.without_nulls(start, start + length)));
    }

    /// A CDATA section: text in SVG and MathML.
    fn section(&mut self, start: usize) {
        let rest = &self.text.as_bytes()[start..];
        let (end, next) = memmem::find(rest, b"]]>").map_or((rest.len(), rest.len()), |at| (at, at + 3));
        let mut at = start;
        while let Some(length) = memchr(0, &self.text.as_bytes()[at..start + end]) {
            self.send_text(at, at + length);
            self.send(Token::NullCharacterToken);
            at += length + 1;
        }
        self.send_text(at, start + end);
        self.at = start + next;
    }

    fn doctype(&mut self, start: usize) {
        let mut doctype = Doctype::default();
        self.at = self.skip(start, is_space);
        doctype.force_quirks = !self.doctype_parts(&mut doctype);
        self.at = self.find(self.at, b'>').1;
        self.send(Token::DoctypeToken(doctype));
    }

    /// Reads name and identifiers; whether they are as they should be.
    fn doctype_parts(&mut self, doctype: &mut Doctype) -> bool {
        let start = self.at;
        let end = self.skip(start, |byte| !is_space(byte) && byte != b'>');
        if start == end {
            return false;
        }
        doctype.name = Some(self.without_nulls(start, end).to_ascii_lowercase().into());
        self.at = self.skip(end, is_space);
        if self.byte(self.at) == Some(b'>') {
            return true;
        }
        let keyword = self.text.as_bytes().get(self.at..self.at + 6).unwrap_or_default();
        let is_public = keyword.eq_ignore_ascii_case(b"public");
        if !is_public && !keyword.eq_ignore_ascii_case(b"system") {
            return false;
        }
        self.at = self.skip(self.at + 6, is_space);
        if is_public {
            if !self.identifier(|id| doctype.public_id = Some(id)) {
                return false;
            }
            self.at = self.skip(self.at, is_space);
            if self.byte(self.at) == Some(b'>') {
                return true;
            }
        }
        let is_sound = self.identifier(|id| doctype.system_id = Some(id));
        is_sound && self.skip(self.at, is_space) < self.text.len()
    }

    /// Reads an identifier in quotes; whether it is one and ends with its quote.
    fn identifier(&mut self, mut keep: impl FnMut(StrTendril)) -> bool {
        let Some(quote @ (b'"' | b'\'')) = self.byte(self.at) else { return false };
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let end = memchr2(quote, b'>', &bytes[start..]).map_or(bytes.len(), |length| start + length);
        let closed = bytes.get(end) == Some(&quote);
        keep(self.without_nulls(start, end));
        self.at = end + usize::from(closed);
        closed
    }

    /// Where a byte is next found, and the place behind it; else the end of the text.
    fn find(&self, from: usize, byte: u8) -> (usize, usize) {
        let bytes = self.text.as_bytes();
        let from = from.min(bytes.len());
        memchr(byte, &bytes[from..])
            .map_or((bytes.len(), bytes.len()), |length| (from + length, from + length + 1))
    }

    fn without_nulls(&self, start: usize, end: usize) -> StrTendril {
        match memchr(0, &self.text.as_bytes()[start..end]) {
            Some(_) => self.text[start..end].replace('\0', "\u{FFFD}").into(),
            None => self.slice(start, end),
        }
    }
}

/// Length of a comment, and the place behind its end. At the end of the text, an end begun does not belong to it.
fn end_of_comment(text: &[u8]) -> (usize, usize) {
    let mut from = 0;
    while let Some(length) = memmem::find(&text[from..], b"--") {
        // Of several dashes the last two count.
        let dashes = text[from + length..].iter().take_while(|&&byte| byte == b'-').count();
        from += length + dashes;
        match text[from..] {
            [b'>', ..] => return (from - 2, from + 1),
            [b'!', b'>', ..] => return (from - 2, from + 2),
            _ => {}
        }
    }
    let ends: [&[u8]; 3] = [b"--!", b"--", b"-"];
    let length = ends.iter().find(|end| text.ends_with(end)).map_or(text.len(), |end| text.len() - end.len());
    (length, text.len())
}
