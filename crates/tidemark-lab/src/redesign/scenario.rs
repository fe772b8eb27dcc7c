//! Streams with known truth: what a site does while it is watched.

use super::document::{Plan, document, stray};
use super::template::Template;
use fastrand::Rng;

/// A stream of documents, and which of them are the first of a new design.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// Its name.
    pub name: String,
    /// The documents as bytes, in order.
    pub documents: Vec<Vec<u8>>,
    /// First documents of new designs.
    pub redesigns: Vec<u64>,
}

/// What a site does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// One kind of page, nothing happens.
    Steady,
    /// Kinds of pages in turn.
    Kinds,
    /// Kinds of pages in blocks, some of them late.
    Blocks,
    /// Pages grow.
    Growing,
    /// Strange pages, alone and in small groups.
    Strays,
    /// Small edits of the template, banners, editions in another language.
    Edits,
    /// Two designs that alternate from the start.
    Alternating,
    /// A redesign.
    Redesign,
    /// A redesign of a site with kinds and strays.
    Mixed,
    /// Redesigns soon after one another.
    Close,
    /// New bodies in the old frame.
    Body,
    /// A redesign that is taken back.
    RollBack,
    /// Old and new side by side for a while.
    Gradual,
    /// A redesign of pages that grow, with edits before and after.
    GrowingRedesign,
}

impl Scenario {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Steady,
        Self::Kinds,
        Self::Blocks,
        Self::Growing,
        Self::Strays,
        Self::Edits,
        Self::Alternating,
        Self::Redesign,
        Self::Mixed,
        Self::Close,
        Self::Body,
        Self::RollBack,
        Self::Gradual,
        Self::GrowingRedesign,
    ];

    /// A stream of this scenario.
    pub fn stream(self, seed: u64) -> Labelled {
        let rng = &mut Rng::with_seed(seed.wrapping_mul(1009).wrapping_add(self as u64));
        let site = Site::new(self, rng);
        let documents = (0..site.length).map(|at| site.page(at, rng).into_bytes()).collect();
        let redesigns = site.redesigns.iter().map(|&at| at as u64).collect();
        Labelled { name: format!("{self:?}-{seed}"), documents, redesigns }
    }

    fn kinds(self, rng: &mut Rng) -> usize {
        match self {
            Self::Kinds | Self::Blocks | Self::Mixed => rng.usize(2..5),
            _ => 1,
        }
    }

    fn has_redesign(self) -> bool {
        self as usize >= Self::Redesign as usize
    }

    /// Strange pages in a hundred.
    fn strays(self) -> u8 {
        match self {
            Self::Strays => 8,
            Self::Mixed => 4,
            _ => 0,
        }
    }
}

/// A site and its history.
struct Site {
    scenario: Scenario,
    length: usize,
    /// Designs in order; design n begins at redesign n - 1.
    designs: Vec<Template>,
    /// The same after a small edit, which comes and goes.
    edited: Vec<Template>,
    redesigns: Vec<usize>,
    /// Documents during which old and new stand side by side.
    side_by_side: usize,
    /// Strange pages, and which of them are of one maker.
    strays: Vec<(usize, u64)>,
    usual_size: usize,
}

impl Site {
    fn new(scenario: Scenario, rng: &mut Rng) -> Self {
        let length = rng.usize(90..130);
        let redesigns = redesigns(scenario, length, rng);
        let designs = designs(scenario, redesigns.len(), rng);
        let edited = designs.iter().map(|design| design.edited(rng)).collect();
        let side_by_side = if scenario == Scenario::Gradual { rng.usize(8..24) } else { 0 };
        let mut strays = strays(scenario, length, rng);
        strays.retain(|(at, _)| !redesigns.contains(at));
        let usual_size = rng.usize(4..24);
        Self { scenario, length, designs, edited, redesigns, side_by_side, strays, usual_size }
    }

    fn page(&self, at: usize, rng: &mut Rng) -> String {
        if let Some(&(_, group)) = self.strays.iter().find(|&&(stray, _)| stray == at) {
            return stray(group, rng);
        }
        let design = self.design(at, rng);
        let has_edits =
            matches!(self.scenario, Scenario::Edits | Scenario::GrowingRedesign | Scenario::Mixed);
        let template = if has_edits && at % 40 >= 20 { &self.edited[design] } else { &self.designs[design] };
        document(template, self.plan(at, template, rng), rng)
    }

    /// Which design a document has.
    fn design(&self, at: usize, rng: &mut Rng) -> usize {
        if self.scenario == Scenario::Alternating {
            return rng.usize(..2);
        }
        let design = self.redesigns.iter().filter(|&&redesign| redesign <= at).count();
        let since = design.checked_sub(1).map_or(at, |before| at - self.redesigns[before]);
        let is_still_old = since > 0 && since < self.side_by_side && rng.usize(..self.side_by_side) >= since;
        if design > 0 && is_still_old { design - 1 } else { design }
    }

    fn plan(&self, at: usize, template: &Template, rng: &mut Rng) -> Plan {
        let kinds = template.kinds.len();
        let kind = match self.scenario {
            // A block of a kind is some ten documents long, and later blocks know more kinds.
            Scenario::Blocks => at / 10 * 7 % kinds.min(1 + at / 20),
            _ if rng.u8(..3) == 0 => rng.usize(..kinds),
            _ => 0,
        };
        let grows = matches!(self.scenario, Scenario::Growing | Scenario::GrowingRedesign);
        let size = if grows { 2 + at * self.usual_size / 20 } else { rng.usize(1..=self.usual_size * 2) };
        let is_edits = self.scenario == Scenario::Edits;
        Plan { kind, size, banner: is_edits && at / 15 % 3 == 1, foreign: is_edits && rng.u8(..4) == 0 }
    }
}

fn redesigns(scenario: Scenario, length: usize, rng: &mut Rng) -> Vec<usize> {
    let first = rng.usize(28..length / 2);
    match scenario {
        Scenario::Close => {
            let second = first + rng.usize(8..24);
            vec![first, second, second + rng.usize(8..24)]
        }
        Scenario::RollBack => vec![first, first + rng.usize(8..30)],
        _ if scenario.has_redesign() => vec![first],
        _ => Vec::new(),
    }
}

fn designs(scenario: Scenario, redesigns: usize, rng: &mut Rng) -> Vec<Template> {
    let first = Template::new(scenario.kinds(rng), rng);
    let mut designs = vec![first.clone()];
    match scenario {
        Scenario::Body => designs.push(first.with_new_bodies(rng)),
        Scenario::RollBack => designs.extend([first.redesigned(rng), first]),
        Scenario::Alternating => designs.push(first.redesigned(rng)),
        _ => (0..redesigns).for_each(|before| designs.push(designs[before].redesigned(rng))),
    }
    designs
}

/// Strange pages: some alone, some two or three of one maker in a row.
fn strays(scenario: Scenario, length: usize, rng: &mut Rng) -> Vec<(usize, u64)> {
    let mut strays = Vec::new();
    for at in 6..length {
        if rng.u8(..100) < scenario.strays() {
            let group = rng.u64(..);
            let count = if rng.u8(..3) == 0 { rng.usize(2..4) } else { 1 };
            strays.extend((at..at + count).map(|at| (at, group)));
        }
    }
    strays
}
