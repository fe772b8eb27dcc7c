//! Deterministic documents of any size: trees of a wanted shape, pages that
//! look like real ones, and tag soup.
//!
//! Every generator takes a seed and gives the same bytes for the same
//! arguments. All of them run in time linear in what they write, and none
//! recurses over the depth of the tree.

mod words;

use std::fmt;

use fastrand::Rng;

/// The proportions of a generated tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A few levels, with hundreds of children to a parent.
    Bushy,
    /// Ten to twenty levels, with a handful to some dozens of children.
    Mixed,
    /// Chains about as long as there are nodes, with one or two children.
    Deep,
}

impl Shape {
    /// Every shape, shallowest first.
    pub const ALL: [Self; 3] = [Self::Bushy, Self::Mixed, Self::Deep];
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Bushy => "bushy",
            Self::Mixed => "mixed",
            Self::Deep => "deep",
        })
    }
}

/// Writes a well-formed XML document of exactly `nodes` element and text
/// nodes below the document node.
///
/// There is no white space between tags, so no text node beyond those
/// counted. A document needs a root element: zero `nodes` counts as one.
#[must_use]
pub fn xml_tree(shape: Shape, nodes: usize, seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut plan = Plan::new(shape, nodes.max(1) - 1, usize::MAX, &mut rng);
    let mut out = String::with_capacity(nodes.saturating_mul(24));
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tree");
    let mut open = vec!["tree"];
    let mut unfinished = true;
    while let Some(step) = plan.next(&mut rng) {
        if unfinished && step != Step::Close {
            out.push('>');
        }
        match step {
            Step::Open => open.push(open_xml(&mut out, &mut rng)),
            Step::Text => short_text(&mut out, &mut rng),
            Step::Close => close_xml(&mut out, open.pop(), unfinished),
        }
        unfinished = step == Step::Open;
    }
    close_xml(&mut out, open.pop(), unfinished);
    out.push('\n');
    out
}

/// Writes an HTML page of exactly `nodes` element and text nodes below the
/// document node, which an HTML parser takes over as it stands: nothing is
/// implied, moved or closed early.
///
/// `html`, `head`, `title` with its text, and `body` are among the nodes
/// counted, so fewer than five `nodes` count as five. No element lies more
/// than 400 levels below `body`; a chain that gets there starts again from
/// `body`.
#[must_use]
pub fn html_tree(shape: Shape, nodes: usize, seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let below_body = nodes.max(HTML_FRAME_NODES) - HTML_FRAME_NODES;
    let mut plan = Plan::new(shape, below_body, HTML_DEPTH, &mut rng);
    let mut out = String::with_capacity(nodes.saturating_mul(24));
    out.push_str("<!DOCTYPE html>\n<html><head><title>Tree</title></head><body>");
    let mut open = vec![HtmlParent::BODY];
    while let Some(step) = plan.next(&mut rng) {
        let parent = open.last().copied().unwrap_or(HtmlParent::BODY);
        match step {
            Step::Open => open.push(open_html(parent.content, shape, &mut out, &mut rng)),
            Step::Text if parent.content == Content::Items => out.push_str("<li></li>"),
            Step::Text => short_text(&mut out, &mut rng),
            Step::Close => {
                push_all(&mut out, &["</", parent.tag, ">"]);
                open.pop();
            }
        }
    }
    out.push_str("</body></html>");
    out
}

/// Writes a news page whose article has at least `words` words of running
/// text, and less than one paragraph more.
///
/// Around the article stand a head with metadata, style and script, a
/// navigation bar, a figure, related links, readers' comments and a footer.
#[must_use]
pub fn article(words: usize, seed: u64) -> String {
    let mut page = Page::new(seed, words.saturating_mul(8));
    let title = page.title();
    let section = page.pick(&words::SECTIONS);
    page.article_head(&title, section);
    page.site_header(section);
    page.article_body(&title, words);
    page.related_links(8);
    page.comments(3 + words / 150);
    page.site_footer();
    page.out
}

/// Writes a shop page with a table of `rows` goods: picture, linked name,
/// price, stock and rating.
#[must_use]
pub fn listing(rows: usize, seed: u64) -> String {
    let mut page = Page::new(seed, rows.saturating_mul(420));
    page.listing_head(rows);
    for row in 1..=rows {
        page.listing_row(row);
    }
    page.put(format_args!("</tbody>\n</table>\n</main>\n"));
    page.site_footer();
    page.out
}

/// Writes exactly `bytes` bytes of broken HTML: tags opened and closed in no
/// order, attributes of every quoting, character references, comments, stray
/// `<`, NUL and now and then bytes that are no UTF-8.
#[must_use]
pub fn soup(bytes: usize, seed: u64) -> Vec<u8> {
    let mut rng = Rng::with_seed(seed);
    let mut out = Vec::with_capacity(bytes.saturating_add(128));
    while out.len() < bytes {
        soup_piece(&mut out, &mut rng);
    }
    out.truncate(bytes);
    out
}

/// `html`, `head`, `title`, its text, and `body`.
const HTML_FRAME_NODES: usize = 5;

/// The most levels of elements below `body`.
const HTML_DEPTH: usize = 400;

/// How often, on average, the trunk of a deep tree parts in two.
const FORKS: usize = 2;

/// One move of the pen that writes a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Open,
    Text,
    Close,
}

/// An element being written.
#[derive(Debug)]
struct Frame {
    /// Nodes still to be written below it.
    left: usize,
    /// The most nodes for one child, itself included, in a bushy tree.
    most: usize,
    /// What was last written in it.
    last: Option<Step>,
}

/// Deals a number of nodes out over a tree, depth first.
///
/// Each element is given its number of nodes when it is opened and hands
/// parts of it on to its children, so the total comes out exact.
#[derive(Debug)]
struct Plan {
    shape: Shape,
    nodes: usize,
    depth: usize,
    /// The open elements, the root first. Empty once the root is closed.
    frames: Vec<Frame>,
}

impl Plan {
    /// A plan for `nodes` nodes below a root, on at most `depth` levels.
    fn new(shape: Shape, nodes: usize, depth: usize, rng: &mut Rng) -> Self {
        let root = Frame::new(shape, nodes, rng);
        Self { shape, nodes, depth, frames: vec![root] }
    }

    /// The next step below the root, or `None` when it is time to close it.
    fn next(&mut self, rng: &mut Rng) -> Option<Step> {
        if self.frames.len() > self.depth {
            self.hand_back();
        }
        let top = self.frames.last_mut()?;
        if top.left == 0 {
            self.frames.pop();
            return (!self.frames.is_empty()).then_some(Step::Close);
        }
        let size = top.child_size(self.shape, self.nodes, rng);
        top.left -= size;
        let text = size == 1 && top.last != Some(Step::Text) && rng.u8(..3) > 0;
        let step = if text { Step::Text } else { Step::Open };
        top.last = Some(step);
        if !text {
            self.frames.push(Frame::new(self.shape, size - 1, rng));
        }
        Some(step)
    }

    /// Gives all that is left in the open elements back to the root.
    fn hand_back(&mut self) {
        if let Some((root, rest)) = self.frames.split_first_mut() {
            for frame in rest {
                root.left += std::mem::take(&mut frame.left);
            }
        }
    }
}

impl Frame {
    fn new(shape: Shape, left: usize, rng: &mut Rng) -> Self {
        let most = match shape {
            Shape::Bushy => (left * 2 / rng.usize(100..=500)).max(1),
            Shape::Mixed | Shape::Deep => left,
        };
        Self { left, most, last: None }
    }

    /// How many of the nodes left go to the next child and what is below it.
    fn child_size(&self, shape: Shape, nodes: usize, rng: &mut Rng) -> usize {
        match shape {
            Shape::Bushy => rng.usize(1..=self.most.min(self.left)),
            Shape::Mixed if rng.u8(..4) == 0 => 1,
            Shape::Mixed => rng.usize(1..=(self.left - self.left / 4)),
            Shape::Deep if self.last.is_some() => self.left,
            Shape::Deep if rng.u8(..4) == 0 => rng.usize(1..=self.left.min(3)),
            Shape::Deep if rng.usize(..nodes) < FORKS => rng.usize(self.left / 2..=self.left).max(1),
            Shape::Deep => self.left,
        }
    }
}

/// Writes an XML start tag without its last `>` and returns its name.
fn open_xml(out: &mut String, rng: &mut Rng) -> &'static str {
    let tag = pick(rng, &words::XML_TAGS);
    push_all(out, &["<", tag]);
    attributes(out, rng, &words::XML_ATTRIBUTES);
    tag
}

/// Closes an XML element, as an empty one if its start tag is `unfinished`.
fn close_xml(out: &mut String, tag: Option<&str>, unfinished: bool) {
    if unfinished {
        out.push_str("/>");
    } else if let Some(tag) = tag {
        push_all(out, &["</", tag, ">"]);
    }
}

/// What an HTML element may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Flow,
    Phrasing,
    Items,
}

/// An open HTML element.
#[derive(Debug, Clone, Copy)]
struct HtmlParent {
    tag: &'static str,
    content: Content,
}

impl HtmlParent {
    const BODY: Self = Self { tag: "body", content: Content::Flow };
}

/// Writes the start tag of an element that may stand in `inside`.
fn open_html(inside: Content, shape: Shape, out: &mut String, rng: &mut Rng) -> HtmlParent {
    let (tag, content) = match inside {
        Content::Phrasing => (pick(rng, &words::INLINE_TAGS), Content::Phrasing),
        Content::Items => ("li", Content::Flow),
        Content::Flow => flow_child(shape, rng),
    };
    push_all(out, &["<", tag]);
    attributes(out, rng, &words::HTML_ATTRIBUTES);
    out.push('>');
    HtmlParent { tag, content }
}

/// Picks an element to stand among blocks.
///
/// Below a paragraph there are only inline elements, so a deep tree must not
/// come to one too soon.
fn flow_child(shape: Shape, rng: &mut Rng) -> (&'static str, Content) {
    let paragraph_odds = if shape == Shape::Deep { 128 } else { 3 };
    if rng.u8(..paragraph_odds) == 0 {
        (pick(rng, &words::TEXT_BLOCK_TAGS), Content::Phrasing)
    } else if rng.u8(..6) == 0 {
        (pick(rng, &words::LIST_TAGS), Content::Items)
    } else {
        (pick(rng, &words::FLOW_TAGS), Content::Flow)
    }
}

/// Writes up to three attributes, more often none, with different names.
fn attributes(out: &mut String, rng: &mut Rng, names: &[&'static str]) {
    let count = rng.usize(..8).saturating_sub(4);
    let start = rng.usize(..names.len());
    for name in names.iter().cycle().skip(start).take(count) {
        push_all(out, &[" ", name, "=\"", common_word(rng)]);
        if rng.bool() {
            put(out, format_args!("-{}", rng.u16(..1000)));
        }
        out.push('"');
    }
}

/// Writes one to six words, sometimes with a character reference.
fn short_text(out: &mut String, rng: &mut Rng) {
    out.push_str(common_word(rng));
    for _ in 0..rng.usize(..6) {
        let gap = if rng.u8(..32) == 0 { " &amp; " } else { " " };
        push_all(out, &[gap, common_word(rng)]);
    }
}

/// Draws a word about as often as running text has it: first one of the
/// doubling bands of the vocabulary, then a word in it.
fn common_word(rng: &mut Rng) -> &'static str {
    let bands = words::COMMON.len().ilog2();
    let first = 1_usize << rng.u32(..=bands);
    let end = (first * 2).min(words::COMMON.len() + 1);
    words::COMMON[rng.usize(first..end) - 1]
}

fn pick(rng: &mut Rng, from: &[&'static str]) -> &'static str {
    from[rng.usize(..from.len())]
}

fn push_all(out: &mut String, parts: &[&str]) {
    out.extend(parts.iter().copied());
}

fn put(out: &mut String, text: fmt::Arguments<'_>) {
    fmt::Write::write_fmt(out, text).expect("a String takes every write");
}

/// A page being written, and the dice that decide what comes next.
#[derive(Debug)]
struct Page {
    out: String,
    rng: Rng,
}

impl Page {
    fn new(seed: u64, bytes: usize) -> Self {
        Self { out: String::with_capacity(bytes.saturating_add(8192)), rng: Rng::with_seed(seed) }
    }

    fn put(&mut self, text: fmt::Arguments<'_>) {
        put(&mut self.out, text);
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        pick(&mut self.rng, from)
    }

    fn article_head(&mut self, title: &str, section: &str) {
        let id = self.rng.u32(100_000..1_000_000);
        self.put(format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <title>{title} | The Example Tide</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"description\" content=\"{section}: {title}\">\n\
             <meta property=\"og:type\" content=\"article\">\n\
             <link rel=\"canonical\" href=\"https://news.example.org/story/{id}\">\n\
             <link rel=\"stylesheet\" href=\"/assets/page.css?v={}\">\n",
            id % 97
        ));
        self.out.push_str(ARTICLE_STYLE);
        self.put(format_args!(
            "<script>\nwindow.page = {{\"id\": {id}, \"section\": \"{section}\", \
             \"ads\": false}};\nif (window.page.id < 1 && !window.page.ads) \
             document.write(\"<p>gone</p>\");\n</script>\n</head>\n<body>\n"
        ));
    }

    fn site_header(&mut self, current: &str) {
        self.put(format_args!(
            "<header class=\"site\">\n<a class=\"logo\" href=\"/\">\
             <img src=\"/assets/logo.svg\" alt=\"The Example Tide\" width=\"120\" height=\"32\"></a>\n\
             <nav aria-label=\"Sections\">\n<ul>\n"
        ));
        for section in words::SECTIONS {
            let class = if section == current { " class=\"current\"" } else { "" };
            let path = section.to_ascii_lowercase();
            self.put(format_args!("<li{class}><a href=\"/{path}/\">{section}</a></li>\n"));
        }
        self.put(format_args!("</ul>\n</nav>\n</header>\n<main>\n"));
    }

    fn article_body(&mut self, title: &str, words: usize) {
        let author = self.person();
        let date = self.date();
        self.put(format_args!(
            "<article>\n<h1>{title}</h1>\n<p class=\"byline\">By <a rel=\"author\" href=\"/staff\">\
             {author}</a>, <time datetime=\"{date}\">{date}</time></p>\n"
        ));
        let mut written = 0;
        let mut paragraphs = 0;
        while written < words {
            if paragraphs == 2 {
                self.figure();
            }
            if paragraphs % 5 == 4 {
                let heading = self.title();
                self.put(format_args!("<h2>{heading}</h2>\n"));
            }
            written += self.paragraph();
            paragraphs += 1;
        }
        self.put(format_args!("</article>\n"));
    }

    fn figure(&mut self) {
        let number = self.rng.u32(1000..10_000);
        let caption = self.title();
        let author = self.person();
        self.put(format_args!(
            "<figure>\n<img src=\"/media/{number}.jpg\" srcset=\"/media/{number}-2x.jpg 2x\" \
             alt=\"{caption}\" loading=\"lazy\">\n\
             <figcaption>{caption}. <small>Picture: {author}</small></figcaption>\n</figure>\n"
        ));
    }

    fn related_links(&mut self, count: usize) {
        self.put(format_args!("<aside class=\"related\">\n<h2>Read next</h2>\n<ul>\n"));
        for _ in 0..count {
            let path = self.path();
            let title = self.title();
            self.put(format_args!("<li><a href=\"{path}\">{title}</a></li>\n"));
        }
        self.put(format_args!("</ul>\n</aside>\n"));
    }

    fn comments(&mut self, count: usize) {
        self.put(format_args!("<section id=\"comments\">\n<h2>{count} comments</h2>\n<ol>\n"));
        for number in 1..=count {
            let author = self.person();
            let date = self.date();
            self.put(format_args!(
                "<li id=\"comment-{number}\">\n<p class=\"who\"><b>{author}</b> \
                 <time datetime=\"{date}\">{date}</time></p>\n"
            ));
            self.out.push_str("<p>");
            for _ in 0..self.rng.u8(1..4) {
                self.sentence();
                self.out.push(' ');
            }
            self.put(format_args!("&mdash; {author}</p>\n</li>\n"));
        }
        self.put(format_args!("</ol>\n</section>\n</main>\n"));
    }

    fn site_footer(&mut self) {
        let year = self.rng.u16(2015..2026);
        self.put(format_args!(
            "<footer>\n<p>&copy; {year} Example Tide &amp; Co. \
             <a href=\"/terms\">Terms</a> &middot; <a href=\"/contact\">Contact</a></p>\n\
             </footer>\n</body>\n</html>\n"
        ));
    }

    /// Writes a paragraph and returns its number of words.
    fn paragraph(&mut self) -> usize {
        let mut words = 0;
        self.out.push_str("<p>");
        for sentence in 0..self.rng.usize(2..7) {
            if sentence > 0 {
                self.out.push(' ');
            }
            words += self.sentence();
        }
        self.out.push_str("</p>\n");
        words
    }

    /// Writes a sentence and returns its number of words. One in three has
    /// an inline element around some of its words.
    fn sentence(&mut self) -> usize {
        let words = self.rng.usize(5..23);
        let marked = self.rng.usize(..words * 3);
        let marked_end = marked + self.rng.usize(..3).min(words.saturating_sub(marked + 1));
        let mut tag = "";
        let mut last = "";
        for index in 0..words {
            if index > 0 {
                self.gap();
            }
            if index == marked {
                tag = self.open_inline();
            }
            last = self.word_after(last, index == 0);
            if index == marked_end {
                push_all(&mut self.out, &["</", tag, ">"]);
            }
        }
        let end = self.pick(&[".", ".", ".", ".", ".", ".", "?", "!"]);
        self.out.push_str(end);
        words
    }

    /// Writes what stands between two words.
    fn gap(&mut self) {
        let gap = match self.rng.u8(..64) {
            0..6 => ", ",
            6 => "; ",
            7 => " &ndash; ",
            _ => " ",
        };
        self.out.push_str(gap);
    }

    fn open_inline(&mut self) -> &'static str {
        let tag = self.pick(&["a", "a", "em", "strong"]);
        if tag == "a" {
            let path = self.path();
            self.put(format_args!("<a href=\"{path}\">"));
        } else {
            push_all(&mut self.out, &["<", tag, ">"]);
        }
        tag
    }

    /// Writes a word other than `last` and returns it.
    fn word_after(&mut self, last: &str, first: bool) -> &'static str {
        let mut word = common_word(&mut self.rng);
        while word == last {
            word = common_word(&mut self.rng);
        }
        if first {
            push_capital(&mut self.out, word);
        } else {
            self.out.push_str(word);
        }
        word
    }

    /// A headline of four to eight words.
    fn title(&mut self) -> String {
        let mut title = String::new();
        push_capital(&mut title, common_word(&mut self.rng));
        for _ in 0..self.rng.u8(3..8) {
            push_all(&mut title, &[" ", self.pick(&words::COMMON)]);
        }
        title
    }

    fn path(&mut self) -> String {
        let section = self.pick(&words::SECTIONS).to_ascii_lowercase();
        let (first, second) = (self.pick(&words::COMMON), self.pick(&words::COMMON));
        let year = self.rng.u16(2015..2026);
        format!("/{section}/{year}/{first}-{second}")
    }

    fn person(&mut self) -> String {
        let given = self.pick(&words::GIVEN_NAMES);
        format!("{given} {}", self.pick(&words::FAMILY_NAMES))
    }

    fn date(&mut self) -> String {
        let rng = &mut self.rng;
        let (year, month, day) = (rng.u16(2015..2026), rng.u8(1..=12), rng.u8(1..=28));
        format!("{year}-{month:02}-{day:02}T{:02}:{:02}Z", rng.u8(..24), rng.u8(..60))
    }

    fn listing_head(&mut self, rows: usize) {
        self.put(format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <title>All goods | Example Chandlery</title>\n\
             <link rel=\"stylesheet\" href=\"/shop.css\">\n</head>\n<body>\n\
             <header><a href=\"/\">Example Chandlery</a></header>\n<main>\n\
             <h1>All goods</h1>\n<p class=\"count\">{rows} items</p>\n\
             <table class=\"goods\">\n<thead>\n<tr><th></th><th>Name</th><th>Price</th>\
             <th>Stock</th><th>Rating</th></tr>\n</thead>\n<tbody>\n"
        ));
    }

    fn listing_row(&mut self, row: usize) {
        let quality = self.pick(&words::PRODUCT_QUALITIES);
        let thing = self.pick(&words::PRODUCT_THINGS);
        let sku = self.rng.u32(10_000..100_000);
        let (pounds, pence) = (self.rng.u16(2..400), self.pick(&["00", "49", "50", "95", "99"]));
        let left = self.rng.u8(2..30).to_string();
        let stock = self.pick(&words::STOCK).replace('#', &left);
        let (stars, tenth) = (self.rng.u8(1..5), self.rng.u8(..10));
        let votes = self.rng.u16(1..900);
        self.put(format_args!(
            "<tr id=\"row-{row}\" data-sku=\"{sku}\">\n\
             <td><img src=\"/img/{sku}.jpg\" alt=\"{quality} {thing}\" width=\"64\" height=\"64\"></td>\n\
             <td><a href=\"/goods/{sku}\">{quality} {thing}</a></td>\n\
             <td class=\"price\">&pound;{pounds}.{pence}</td>\n\
             <td class=\"stock\">{stock}</td>\n\
             <td class=\"rating\">{stars}.{tenth} <small>({votes})</small></td>\n</tr>\n"
        ));
    }
}

/// The inline style of an article page.
const ARTICLE_STYLE: &str = "<style>\n\
    body { margin: 0 auto; max-width: 44em; font: 1.1em/1.5 serif }\n\
    header.site > nav li { display: inline-block; padding: 0 .5em }\n\
    .related a::after { content: \"\\00bb\" }\n\
    @media (max-width: 30em) { aside { display: none } }\n\
    </style>\n";

/// Writes a word of ASCII letters with its first in upper case.
fn push_capital(out: &mut String, word: &str) {
    let (first, rest) = word.split_at(1);
    push_all(out, &[&first.to_ascii_uppercase(), rest]);
}

/// Writes one piece of tag soup, at least one byte.
fn soup_piece(out: &mut Vec<u8>, rng: &mut Rng) {
    match rng.u8(..100) {
        0..38 => soup_start_tag(out, rng),
        38..60 => soup_end_tag(out, rng),
        60..84 => soup_words(out, rng),
        84..90 => push_bytes(out, pick(rng, &words::SOUP_ENTITIES)),
        90..96 => push_bytes(out, pick(rng, &words::SOUP_ODDITIES)),
        96 => soup_raw_element(out, rng),
        97 => out.push(0),
        98 => push_bytes(out, pick(rng, &["\r\n", "\r", "\n", "\t", "\u{c}"])),
        _ => out.extend((0..rng.usize(1..5)).map(|_| rng.u8(..))),
    }
}

/// Writes a start tag, sometimes self-closing, sometimes never finished.
fn soup_start_tag(out: &mut Vec<u8>, rng: &mut Rng) {
    out.push(b'<');
    push_bytes(out, pick(rng, &words::SOUP_TAGS));
    for _ in 0..rng.usize(..6).saturating_sub(2) {
        soup_attribute(out, rng);
    }
    push_bytes(
        out,
        match rng.u8(..40) {
            0 => " ",
            1..4 => "/>",
            4 => "\n>",
            5 => " / >",
            _ => ">",
        },
    );
}

/// Writes an attribute with quotes of either kind, none, or only one.
fn soup_attribute(out: &mut Vec<u8>, rng: &mut Rng) {
    let gap = pick(rng, &[" ", " ", " ", "\n", "/", ""]);
    let name = pick(rng, &words::SOUP_ATTRIBUTES);
    let (before, after) = match rng.u8(..48) {
        0..8 => ("", ""),
        8..26 => ("=\"", "\""),
        26..34 => ("='", "'"),
        34..45 => ("=", ""),
        45..47 => (" = \"", "\"\""),
        _ => ("=\"", ""),
    };
    push_bytes(out, gap);
    push_bytes(out, name);
    push_bytes(out, before);
    if !before.is_empty() {
        let value = pick(rng, &["1", "tide", "a b", "x>y", "<i>", "&amp;", "&lt", "\0", "/", ""]);
        push_bytes(out, value);
    }
    push_bytes(out, after);
}

fn soup_end_tag(out: &mut Vec<u8>, rng: &mut Rng) {
    push_bytes(out, "</");
    push_bytes(out, pick(rng, &words::SOUP_TAGS));
    push_bytes(out, pick(rng, &[">", ">", ">", ">", ">", ">", " >", " a=b>", "/>", ""]));
}

fn soup_words(out: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..rng.usize(1..5) {
        push_bytes(out, common_word(rng));
        out.push(b' ');
    }
}

/// Writes an element of raw text with markup inside, closed but for one in
/// sixty-four: what is left open swallows much of the rest.
fn soup_raw_element(out: &mut Vec<u8>, rng: &mut Rng) {
    let tag = pick(rng, &words::SOUP_RAW_TAGS);
    let inside = ["a < b && c", "<!--", "<!--<script></script>-->", "\n\n", "</b>", "&amp;", "<p>"];
    for part in ["<", tag, ">", pick(rng, &inside)] {
        push_bytes(out, part);
    }
    if rng.u8(..64) > 0 {
        for part in ["</", tag, ">"] {
            push_bytes(out, part);
        }
    }
}

fn push_bytes(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a scan of a document without void elements found.
    #[derive(Debug, PartialEq, Eq)]
    struct Scan {
        nodes: usize,
        depth: usize,
    }

    /// Counts elements and texts, and panics if the tags do not match up.
    fn scan(document: &str) -> Scan {
        let mut found = Scan { nodes: 0, depth: 0 };
        let mut open = Vec::new();
        for piece in document.split('<').skip(1) {
            let (tag, text) = piece.split_once('>').expect("every tag ends");
            if tag.starts_with(['?', '!']) {
                continue;
            }
            let name = tag.trim_matches('/').split(' ').next();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), name);
            } else {
                found.nodes += 1;
                open.push(name.expect("a split has a first part"));
                found.depth = found.depth.max(open.len());
            }
            if tag.ends_with('/') {
                open.pop();
            }
            found.nodes += usize::from(!open.is_empty() && !text.is_empty());
        }
        assert!(open.is_empty());
        found
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        for shape in Shape::ALL {
            assert_eq!(xml_tree(shape, 500, 7), xml_tree(shape, 500, 7));
            assert_eq!(html_tree(shape, 500, 7), html_tree(shape, 500, 7));
            assert_ne!(xml_tree(shape, 500, 7), xml_tree(shape, 500, 8));
            assert_ne!(html_tree(shape, 500, 7), html_tree(shape, 500, 8));
        }
        assert_eq!(article(500, 7), article(500, 7));
        assert_ne!(article(500, 7), article(500, 8));
        assert_eq!(listing(50, 7), listing(50, 7));
        assert_ne!(listing(50, 7), listing(50, 8));
        assert_eq!(soup(5000, 7), soup(5000, 7));
        assert_ne!(soup(5000, 7), soup(5000, 8));
    }

    #[test]
    fn trees_have_exactly_the_nodes_asked_for() {
        for shape in Shape::ALL {
            for nodes in [1, 2, 3, 4, 5, 6, 10, 99, 1000, 20_000] {
                for seed in 0..5 {
                    let xml = scan(&xml_tree(shape, nodes, seed));
                    assert_eq!(xml.nodes, nodes, "XML, {shape}, seed {seed}");
                    let html = scan(&html_tree(shape, nodes, seed));
                    assert_eq!(html.nodes, nodes.max(5), "HTML, {shape}, seed {seed}");
                }
            }
        }
        assert_eq!(scan(&xml_tree(Shape::Mixed, 0, 0)).nodes, 1);
    }

    #[test]
    fn shapes_differ_in_depth() {
        for seed in 0..10 {
            let [bushy, mixed, deep] = Shape::ALL.map(|shape| scan(&xml_tree(shape, 50_000, seed)).depth);
            assert!(bushy <= 6, "bushy tree of {bushy} levels, seed {seed}");
            assert!((10..200).contains(&mixed), "mixed tree of {mixed} levels, seed {seed}");
            assert!(deep > 4000, "deep tree of {deep} levels, seed {seed}");
        }
    }

    #[test]
    fn a_hundred_thousand_levels_need_no_stack() {
        let writer = std::thread::Builder::new()
            .stack_size(128 * 1024)
            .spawn(|| scan(&xml_tree(Shape::Deep, 400_000, 1)))
            .expect("a thread can be started");
        let found = writer.join().expect("the writer does not panic");
        assert_eq!(found.nodes, 400_000);
        assert!(found.depth > 100_000, "{found:?}");
    }

    #[test]
    fn html_keeps_to_its_depth() {
        let found = scan(&html_tree(Shape::Deep, 20_000, 3));
        assert_eq!(found.depth, HTML_DEPTH + 2);
    }

    #[test]
    fn an_article_grows_with_its_words() {
        let count = |page: &str| page.matches(' ').count();
        assert!(count(&article(5000, 2)) >= 5000);
        assert!(count(&article(5000, 2)) < 8000);
        assert!(article(0, 2).ends_with("</html>\n"));
    }

    #[test]
    fn a_listing_has_a_row_for_each() {
        assert_eq!(listing(120, 4).matches("<tr id=").count(), 120);
        assert_eq!(listing(0, 4).matches("<tr id=").count(), 0);
    }

    #[test]
    fn soup_has_the_length_asked_for() {
        for bytes in [0, 1, 2, 17, 1000, 65_536] {
            assert_eq!(soup(bytes, 5).len(), bytes);
        }
    }

    #[test]
    fn no_common_word_comes_twice() {
        let distinct: std::collections::HashSet<_> = words::COMMON.iter().collect();
        assert_eq!(distinct.len(), words::COMMON.len());
    }
}
