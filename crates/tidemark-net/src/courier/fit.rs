//! Making a message fit: what a service takes is limited, and each counts in its own way. Whole blocks are left out, the last ones first, and how many
//! is said; only a block that is too long for itself is cut, between characters and before anything is escaped, so never inside of an escape.
//!
//! The heads of all items come first, for half of the room: of a long list a reader wants to know what is in it. Cost: linear in the blocks that
//! fit; n log n for a piece that is cut.

use super::wording::{Block, Line, Piece, Role, blocks, more};
use tidemark_engine::message::Message;

/// No block takes more than this part of the room.
const SHARE: usize = 3;

/// How a service writes and counts.
pub(crate) trait Dialect {
    /// Writes a piece with its look, escaped.
    fn write(&self, piece: &Piece, out: &mut String);

    /// What stands before a line.
    fn begin(&self, role: Role) -> &'static str {
        sign(role)
    }

    /// How long that is, and all else that a line needs beside its pieces.
    fn frame(&self, role: Role) -> usize {
        self.count(self.begin(role))
    }

    /// How long a text is to the service.
    fn count(&self, text: &str) -> usize {
        text.encode_utf16().count()
    }

    /// How long a piece is to the service.
    fn measure(&self, piece: &Piece) -> usize {
        let mut written = String::new();
        self.write(piece, &mut written);
        self.count(&written)
    }
}

/// What fits, and how much does not.
pub(crate) struct Fitted {
    pub(crate) blocks: Vec<Block>,
    pub(crate) left: usize,
}

/// As much of a message as there is room for.
pub(crate) fn fit(message: &Message, dialect: &impl Dialect, room: usize) -> Fitted {
    let room = room.saturating_sub(dialect.count(&more(usize::MAX).unwrap_or_default()) + 1);
    let most = room / SHARE;
    let blocks: Vec<Block> = blocks(message).into_iter().map(|block| cut(block, dialect, most)).collect();
    let costs: Vec<usize> = blocks.iter().map(|block| cost(block, dialect) + 1).collect();
    let taken = take(&blocks, &costs, room);
    let mut fitted = Fitted { blocks: Vec::new(), left: message.more };
    for (block, taken) in blocks.into_iter().zip(taken) {
        if taken { fitted.blocks.push(block) } else { fitted.left += block.tells }
    }
    fitted
}

/// The whole as one text, with a line for what is left out.
pub(crate) fn text(message: &Message, dialect: &impl Dialect, room: usize) -> String {
    let Fitted { mut blocks, left } = fit(message, dialect, room);
    blocks.extend(more(left).map(|text| Block::note(&text)));
    let mut out = String::new();
    for block in &blocks {
        let between = if block.head { "\n\n" } else { "\n" };
        for (at, part) in block.lines.iter().enumerate() {
            let between = if at == 0 { between } else { "\n" };
            out.push_str(if out.is_empty() { "" } else { between });
            write_line(part, dialect, &mut out);
        }
    }
    // No service takes a message without a word.
    if out.trim().is_empty() { line(&message.subject, dialect, room) } else { out }
}

/// One line of a dialect, no longer than this.
pub(crate) fn line(text: &str, dialect: &impl Dialect, room: usize) -> String {
    let mut out = String::new();
    dialect.write(&shortened(Piece::plain(text), dialect, room), &mut out);
    out
}

/// A mark that needs no look.
pub(crate) fn sign(role: Role) -> &'static str {
    use tidemark_engine::passage::ChangeKind::{Added, Changed, Moved, Removed};
    match role {
        Role::Passage(Added) => "+ ",
        Role::Passage(Removed) => "− ",
        Role::Passage(Changed) => "± ",
        Role::Passage(Moved) => "→ ",
        Role::Reason => "★ ",
        Role::Place => "§ ",
        Role::Title | Role::Said | Role::Note => "",
    }
}

fn write_line(line: &Line, dialect: &impl Dialect, out: &mut String) {
    out.push_str(dialect.begin(line.role));
    line.pieces.iter().for_each(|piece| dialect.write(piece, out));
}

/// Heads first, for half of the room, then what stands below the heads that were taken.
fn take(blocks: &[Block], costs: &[usize], room: usize) -> Vec<bool> {
    let mut taken = vec![false; blocks.len()];
    let (mut used, mut open) = (0, true);
    for at in (0..blocks.len()).filter(|at| blocks[*at].head) {
        open &= used + costs[at] <= room / 2;
        taken[at] = open;
        used += if open { costs[at] } else { 0 };
    }
    let (mut open, mut below) = (true, true);
    for at in 0..blocks.len() {
        if blocks[at].head {
            below = taken[at];
            continue;
        }
        open &= below && used + costs[at] <= room;
        taken[at] = open;
        used += if open { costs[at] } else { 0 };
    }
    taken
}

/// How long a block is, with its line ends.
pub(crate) fn cost(block: &Block, dialect: &impl Dialect) -> usize {
    block.lines.iter().map(|line| line_cost(line, dialect) + 1).sum()
}

fn line_cost(line: &Line, dialect: &impl Dialect) -> usize {
    let pieces: usize = line.pieces.iter().map(|piece| dialect.measure(piece)).sum();
    pieces + dialect.frame(line.role)
}

/// A block that is too long ends where it reaches its share.
fn cut(mut block: Block, dialect: &impl Dialect, most: usize) -> Block {
    let mut left = most;
    for line in &mut block.lines {
        left = left.saturating_sub(dialect.frame(line.role) + 1);
        for piece in &mut line.pieces {
            let whole = dialect.measure(piece) <= left;
            if !whole {
                *piece = shortened(piece.clone(), dialect, left);
            }
            left = if whole { left - dialect.measure(piece) } else { 0 };
        }
    }
    block
        .lines
        .retain(|line| line.pieces.is_empty() || line.pieces.iter().any(|piece| !piece.text.is_empty()));
    block.lines.iter_mut().for_each(|line| line.pieces.retain(|piece| !piece.text.is_empty()));
    block
}

/// A piece with as many of its characters as there is room for; empty if there is none.
fn shortened(mut piece: Piece, dialect: &impl Dialect, room: usize) -> Piece {
    // Each character counts at least one.
    if let Some((at, _)) = piece.text.char_indices().nth(room + 1) {
        piece.text.truncate(at);
    }
    if dialect.measure(&piece) <= room {
        return piece;
    }
    let ends: Vec<usize> = piece.text.char_indices().map(|(at, _)| at).collect();
    let cut =
        |at: usize| Piece { text: format!("{}…", piece.text[..ends[at]].trim_end()), ..piece.clone() };
    let (mut low, mut high) = (0, ends.len().saturating_sub(1));
    while low < high {
        let middle = (low + high).div_ceil(2);
        if dialect.measure(&cut(middle)) <= room { low = middle } else { high = middle - 1 }
    }
    if low == 0 { Piece { text: String::new(), ..piece } } else { cut(low) }
}
