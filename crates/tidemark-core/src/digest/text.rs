//! The text a reader sees in a part of a page.
//!
//! Cost: linear in the nodes, at any depth.
//! White space is one space, as on the screen. Elements that start a new line cut words, inline ones do not:
//! `<td>1<td>2` is `1 2`, `un<b>like</b>ly` is one word.

use super::{Kind, NodeId, PageDigest};
use std::ops::Range;

/// Between lines: white space of a page never is, since all of it becomes spaces.
const LINE: char = '\u{2029}';

/// HTML's phrasing elements that leave a word in one piece.
pub(crate) const INLINE: [&str; 33] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font",
    "i", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub",
    "sup", "time", "tt", "u", "var",
];

impl PageDigest {
    /// Text and CDATA below a node, white space made single spaces. Comments, scripts, styles and templates are left out.
    pub fn visible_text(&self, node: NodeId) -> String {
        self.visible_text_in(node.0..self.end(node))
    }

    /// The visible text of whole subtrees that stand next to each other.
    pub(crate) fn visible_text_in(&self, nodes: Range<u32>) -> String {
        self.visible_text_up_to(nodes, usize::MAX)
    }

    /// The beginning of that text: no node more than it takes for so many bytes.
    pub(crate) fn visible_text_up_to(&self, nodes: Range<u32>, bytes: usize) -> String {
        self.visible_text_cut(nodes, bytes, ' ')
    }

    /// The visible text below a node, line by line.
    pub fn visible_lines(&self, node: NodeId) -> Vec<String> {
        let text = self.visible_text_cut(node.0..self.end(node), usize::MAX, LINE);
        let lines = text.split(LINE).map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    }

    /// The text with a sign between its lines.
    fn visible_text_cut(&self, nodes: Range<u32>, bytes: usize, sign: char) -> String {
        let (mut text, mut lines) = (String::new(), Vec::new());
        let mut next = nodes.start;
        while next < nodes.end && text.len() < bytes {
            let node = NodeId(next);
            next += 1;
            while lines.pop_if(|end| *end <= node.0).is_some() {
                cut(&mut text, sign);
            }
            match self.kind(node) {
                Kind::Text | Kind::Cdata => push_collapsed(&mut text, self.content(node).unwrap_or_default()),
                Kind::Element if !INLINE.contains(&self.name(node)) => {
                    cut(&mut text, sign);
                    lines.push(self.end(node));
                }
                Kind::Fragment => next = self.end(node),
                _ => {}
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}

fn cut(text: &mut String, sign: char) {
    if !text.is_empty() && !text.ends_with([' ', sign]) {
        text.push(sign);
    } else if sign != ' ' && text.ends_with(' ') {
        text.pop();
        text.push(sign);
    }
}

/// Appends with runs of white space made one space.
pub(crate) fn push_collapsed(text: &mut String, more: &str) {
    for (at, word) in more.split(char::is_whitespace).enumerate() {
        if at > 0 && !text.ends_with(LINE) {
            cut(text, ' ');
        }
        text.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use crate::digest::{NodeId, PageDigest};
    use crate::page::Reading;

    #[test]
    fn lines_cut_words_and_inline_elements_do_not() {
        let seen = |html: &str| {
            PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap().visible_text(NodeId::ROOT)
        };
        assert_eq!(seen("<table><tr><td>1<td>2</table>3"), "1 2 3");
        assert_eq!(seen("un<b>like</b>ly \n\t so<br>it<p>is</p>"), "unlikely so it is");
        assert_eq!(seen("<p> a <script>b</script><!-- c --> <template>d</template>"), "a");
        assert_eq!(seen(""), "");
        let page =
            PageDigest::encode(b"<p>a <b>b</b> <br> c\n<p>d<div> </div>e", &Reading::default()).unwrap();
        assert_eq!(page.visible_lines(NodeId::ROOT), ["a b", "c", "d", "e"]);
    }
}
