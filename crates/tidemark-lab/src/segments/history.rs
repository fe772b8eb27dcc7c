//! Histories of pages whose blocks are known: which block of a version is which of the next.
//!
//! Blocks come, go, move, change places, are wrapped and unwrapped, and have their words edited. Nothing in a page tells them apart but what they say:
//! they share their classes, and a few have an `id`.

use crate::generate::common_word;
use fastrand::Rng;
use std::fmt::Write as _;

/// A page in the making.
#[derive(Clone, Debug)]
pub struct Site {
    rng: Rng,
    /// The blocks of each container in order.
    containers: [Vec<Block>; 3],
    next: usize,
}

/// A block with its identity.
#[derive(Clone, Debug)]
struct Block {
    number: usize,
    kind: &'static str,
    tag: &'static str,
    has_id: bool,
    is_wrapped: bool,
    title: String,
    lines: Vec<String>,
}

/// One version, and the numbers of its blocks in the order of the page.
#[derive(Clone, Debug)]
pub struct Version {
    /// The page.
    pub page: String,
    /// Which block stands where: the elements of class `block` in order.
    pub blocks: Vec<usize>,
}

/// Makes so many versions of a page, with so many edits between two of them.
pub fn history(versions: usize, edits: usize, seed: u64) -> Vec<Version> {
    let mut site = Site::new(seed);
    let mut history = vec![site.version()];
    for _ in 1..versions {
        (0..edits).for_each(|_| site.edit());
        history.push(site.version());
    }
    history
}

impl Site {
    /// A page of about twenty blocks.
    pub fn new(seed: u64) -> Self {
        let mut site = Self { rng: Rng::with_seed(seed), containers: Default::default(), next: 0 };
        for (container, blocks) in [2, 12, 5].into_iter().enumerate() {
            for _ in 0..blocks {
                let block = site.block();
                site.containers[container].push(block);
            }
        }
        site
    }

    fn block(&mut self) -> Block {
        let (kind, tag) =
            [("news", "article"), ("note", "div"), ("list", "section"), ("box", "div")][self.rng.usize(..4)];
        self.next += 1;
        let lines = 1 + self.rng.usize(..6);
        Block {
            number: self.next,
            kind,
            tag,
            has_id: self.rng.usize(..4) == 0,
            is_wrapped: false,
            title: self.words(3),
            lines: (0..lines).map(|_| self.line()).collect(),
        }
    }

    fn line(&mut self) -> String {
        let words = 12 + self.rng.usize(..40);
        self.words(words)
    }

    fn words(&mut self, count: usize) -> String {
        (0..count).map(|_| common_word(&mut self.rng)).collect::<Vec<_>>().join(" ")
    }

    /// One edit, anywhere.
    pub fn edit(&mut self) {
        let from = self.rng.usize(..self.containers.len());
        let Some(at) = self.place(from) else { return };
        match self.rng.usize(..10) {
            0 | 1 => {
                let block = self.block();
                self.containers[from].insert(at, block);
            }
            2 | 3 if self.containers[from].len() > 1 => drop(self.containers[from].remove(at)),
            4 => {
                let block = self.containers[from].remove(at);
                let to = self.rng.usize(..self.containers.len());
                let place = self.rng.usize(..=self.containers[to].len());
                self.containers[to].insert(place, block);
            }
            5 => {
                let other = self.place(from).unwrap_or(at);
                self.containers[from].swap(at, other);
            }
            6 => self.containers[from][at].is_wrapped ^= true,
            _ => self.reword(from, at),
        }
    }

    fn reword(&mut self, container: usize, at: usize) {
        let line = self.line();
        let few = self.words(2);
        let block = &mut self.containers[container][at];
        let which = self.rng.usize(..block.lines.len());
        match self.rng.usize(..3) {
            0 => block.lines.push(line),
            1 => block.lines[which].extend([", ", few.as_str()]),
            _ => block.title = few,
        }
    }

    fn place(&mut self, container: usize) -> Option<usize> {
        let blocks = self.containers[container].len();
        (blocks > 0).then(|| self.rng.usize(..blocks))
    }

    /// The page as it is now.
    pub fn version(&self) -> Version {
        let mut page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>The Example Tide</title></head>\n<body>\n<div id=\"page\">\n".to_owned();
        let [top, main, side] = &self.containers;
        for (open, blocks, close) in [
            ("<header class=\"top\">\n", top, "</header>\n<div class=\"columns\">\n"),
            ("<main>\n", main, "</main>\n"),
            ("<aside class=\"side\">\n", side, "</aside>\n</div>\n</div>\n</body>\n</html>\n"),
        ] {
            page.push_str(open);
            blocks.iter().for_each(|block| block.write(&mut page));
            page.push_str(close);
        }
        Version { page, blocks: self.containers.iter().flatten().map(|block| block.number).collect() }
    }
}

impl Block {
    fn write(&self, page: &mut String) {
        if self.is_wrapped {
            page.push_str("<div class=\"wrap\">\n");
        }
        let id = if self.has_id { format!(" id=\"{}-{}\"", self.kind, self.number) } else { String::new() };
        let _ = write!(page, "<{}{id} class=\"block {}\">\n<h3>{}</h3>\n", self.tag, self.kind, self.title);
        if self.kind == "list" {
            let lines: String = self
                .lines
                .iter()
                .map(|line| format!("<li><a href=\"/{}\">{line}</a></li>\n", self.number))
                .collect();
            let _ = write!(page, "<ul>\n{lines}</ul>\n");
        } else {
            self.lines.iter().for_each(|line| {
                let _ = writeln!(page, "<p>{line}</p>");
            });
        }
        let _ = writeln!(page, "</{}>", self.tag);
        if self.is_wrapped {
            page.push_str("</div>\n");
        }
    }
}
