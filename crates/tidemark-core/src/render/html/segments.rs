//! The page itself with its segments outlined and numbered, beside a list of them: one file that needs nothing else.
//!
//! Cost: linear. The page is as hostile as in the marked page, and is shown in the same way: what acts is taken out, the rest stands in a frame
//! that runs no scripts. Segments do not nest, so neighbours have other colours and no outline lies in another.

use super::safe::{is_shown, push_text};
use super::writer::Page;
use super::{SCRIPT, frame, head};
use crate::digest::{Kind, NodeId, PageDigest};
use crate::segment::label::{Label, Labels, blocks};
use crate::segment::{Segment, Segmentation};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// Colours that follow each other.
const COLOURS: usize = 6;

/// Writes the file. The segmentation is of this page.
pub fn segments(page: &PageDigest, segmentation: &Segmentation, name: &str) -> String {
    let mut file = String::with_capacity(2 * page.about().bytes + (1 << 14));
    head(&mut file, &format!("Segments: {name}"));
    header(&mut file, segmentation, name);
    list(&mut file, page, segmentation);
    file.push_str("<main>\n");
    frame(&mut file, "new", "The page, with its segments outlined", &outlined(page, segmentation));
    let _ = writeln!(file, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>");
    file
}

fn header(file: &mut String, segmentation: &Segmentation, name: &str) {
    file.push_str("<header>\n<h1>Segments</h1>\n<p class=\"pages\"><span>");
    push_text(name, file);
    let count = segmentation.segments().len();
    let _ =
        write!(file, "</span></p>\n<p class=\"sum\">{count} segment{}.", if count == 1 { "" } else { "s" });
    file.push_str(
        "</p>\n<p class=\"tools\" hidden><button type=\"button\" data-go=\"-1\">Previous <kbd>p</kbd></button>\
         <button type=\"button\" data-go=\"1\">Next <kbd>n</kbd></button></p>\n</header>\n",
    );
}

fn list(file: &mut String, page: &PageDigest, segmentation: &Segmentation) {
    let labels = Labels::new(page);
    file.push_str("<nav aria-label=\"Segments\">\n<ol class=\"changes segments\">\n");
    for (at, segment) in segmentation.segments().iter().enumerate() {
        item(file, segment, &labels.of(segment), colour(at));
    }
    file.push_str("</ol>\n</nav>\n");
}

fn item(file: &mut String, segment: &Segment, label: &Label, colour: u8) {
    let _ = write!(
        file,
        "<li class=\"c{colour}\"><a href=\"#segment-{0}\" id=\"segment-{0}\" data-change=\"{0}\"><span class=\"number\">{0}</span> \
         <span class=\"size\">{1} bytes of text, {2} nodes</span> <span class=\"line\" dir=\"auto\">",
        segment.column.0, label.bytes, label.nodes
    );
    push_text(&label.words, file);
    file.push_str("</span> <span class=\"place\">");
    push_text(&label.place, file);
    file.push_str("</span></a></li>\n");
}

/// The page with a mark on every block: the first of a segment has the number.
fn outlined(digest: &PageDigest, segmentation: &Segmentation) -> String {
    let marks = marks(digest, segmentation);
    let mut page = Page::new(digest);
    let mut open: Vec<NodeId> = Vec::new();
    let mut at = 0;
    loop {
        while let Some(node) = open.pop_if(|node| digest.end(*node) == at) {
            page.close(digest, node);
        }
        if at as usize == digest.len() {
            return page.finish();
        }
        let node = NodeId(at);
        if !is_shown(digest, node) {
            at = digest.end(node);
            continue;
        }
        match marks.get(&node) {
            Some(&mark) if digest.kind(node) == Kind::Text => {
                page.spanned(mark, digest.content(node).unwrap_or_default());
            }
            mark => page.open(digest, node, mark.copied(), true),
        }
        open.push(node);
        at += 1;
    }
}

fn marks(digest: &PageDigest, segmentation: &Segmentation) -> FxHashMap<NodeId, (&'static str, usize, u8)> {
    let mut marks = FxHashMap::default();
    for (at, segment) in segmentation.segments().iter().enumerate() {
        for (place, node) in blocks(digest, segment).filter(|&node| is_shown(digest, node)).enumerate() {
            let kind = if place == 0 { "segment" } else { "segment-more" };
            marks.insert(node, (kind, segment.column.0 as usize, colour(at)));
        }
    }
    marks
}

/// Number of the colour of the segment at this place, from 1.
fn colour(at: usize) -> u8 {
    (at % COLOURS) as u8 + 1
}
