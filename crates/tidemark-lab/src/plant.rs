//! Edits with known truth, planted in real and generated pages: are they found, is nothing else reported, are moves seen as moves?
//!
//! A page takes part if it can be written as HTML and comes back as exactly the same tree. Each kind of edit is planted by itself, and then
//! all kinds together.

mod bulk;
mod judge;
mod kind;
mod planter;
mod tree;
mod words;
mod write;

pub use bulk::change;
pub use judge::Verdict;
pub use kind::Kind;
pub use planter::Planted;

pub(crate) use judge::hanging;

use crate::corpus::{self, Document, Origin};
use crate::table::{Table, grouped, share};
use crate::{generate, work};
use anyhow::Result;
use fastrand::Rng;
use planter::Planter;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::Reading;
use tree::Tree;

/// A page that edits can be planted in.
#[derive(Debug)]
pub struct Ground {
    /// Its name.
    pub name: String,
    /// The page as it is written here.
    pub page: String,
    digest: PageDigest,
}

/// A page after edits were planted in it.
#[derive(Debug)]
pub struct Grown {
    /// The page.
    pub page: String,
    /// What was done to it.
    pub planted: Vec<Planted>,
    digest: PageDigest,
    tree: Tree,
}

impl Ground {
    /// Reads a page; nothing if it does not come back from being written.
    pub fn new(name: &str, bytes: &[u8]) -> Option<Self> {
        let digest = PageDigest::encode(bytes, &Reading::default()).ok()?;
        let (page, digest) = planter::parsed(&Tree::of(&digest))?;
        Some(Self { name: name.to_owned(), page, digest })
    }

    /// Plants so many edits of each of these kinds, as far as there is room for them.
    pub fn plant(&self, kinds: &[Kind], count: usize, seed: u64) -> Option<Grown> {
        let mut planter = Planter::new(&self.digest, Rng::with_seed(seed));
        let wanted = (0..count).flat_map(|_| kinds);
        let edits: Vec<Planted> = wanted.filter_map(|&kind| planter.plant(kind)).collect();
        let (page, digest) = planter::parsed(&planter.tree)?;
        Some(Grown { page, planted: edits, digest, tree: planter.tree })
    }

    /// The page.
    pub fn digest(&self) -> &PageDigest {
        &self.digest
    }

    /// Compares the page with what became of it.
    pub fn judge(&self, grown: &Grown) -> Verdict {
        Verdict::on(&self.digest, &grown.digest, &grown.tree, &grown.planted)
    }
}

impl Grown {
    /// The page.
    pub fn digest(&self) -> &PageDigest {
        &self.digest
    }

    /// Where a node of the old page is on this one; nothing if it went.
    pub fn place_of(&self, old: NodeId) -> Option<NodeId> {
        let place = self.tree.in_order().iter().position(|&number| number == old.0 as usize)?;
        Some(NodeId(place as u32))
    }

    /// The nodes that an edit concerns, on the old page of so many nodes and on this one.
    pub fn nodes_of(&self, edit: &Planted, old: usize) -> (Vec<NodeId>, Vec<NodeId>) {
        let was = edit.touched.iter().filter(|&&number| number < old).map(|&number| NodeId(number as u32));
        let order = self.tree.in_order();
        let is = (0..).zip(&order).filter(|(_, number)| edit.touched.contains(number));
        (was.collect(), is.map(|(place, _)| NodeId(place)).collect())
    }
}

/// Articles of the corpus and generated pages; and how many cannot take part.
pub fn grounds() -> Result<(Vec<Ground>, usize)> {
    let (mut documents, origin) = corpus::pages()?;
    if origin == Origin::Corpus {
        documents.retain(|document| document.group() == "articles");
        documents.extend(generated());
    }
    let grounds = work::through(&documents, "reading", |page| Ground::new(&page.name, &page.bytes));
    let all = grounds.len();
    let grounds: Vec<Ground> = grounds.into_iter().flatten().collect();
    let others = all - grounds.len();
    Ok((grounds, others))
}

/// Generated pages: articles, listings and trees.
pub fn generated() -> Vec<Document> {
    let trees =
        (0..10).map(|seed| (format!("tree/{seed}"), generate::html_tree(generate::Shape::Mixed, 800, seed)));
    let trees = trees.map(|(name, page)| Document::new(name, page.into_bytes()));
    corpus::generated().into_iter().step_by(3).chain(trees).collect()
}

/// Plants, compares, and prints what came out; with the worst of it.
pub fn evaluate(count: usize, seed: u64, examples: usize) -> Result<()> {
    let (grounds, others) = grounds()?;
    println!("{} pages; {others} more do not come back from being written", grounds.len());
    let mut table = Table::new([
        "planted", "edits", "missed", "reported", "touching", "moves", "as moves", "nodes", "beside",
        "broken",
    ]);
    let mut worst = Vec::new();
    let runs = Kind::ALL.into_iter().map(|kind| (kind.to_string(), vec![kind]));
    for (name, kinds) in runs.chain([("all kinds".to_owned(), Kind::ALL.to_vec())]) {
        let verdicts = work::through(&grounds, "planting", |ground| {
            ground.plant(&kinds, count, seed).map(|grown| ground.judge(&grown)).unwrap_or_default()
        });
        let mut all = Verdict::default();
        for (ground, verdict) in grounds.iter().zip(verdicts) {
            worst.push((
                verdict.missed.len(),
                verdict.beside.len(),
                format!("{name} in {}", ground.name),
                verdict.clone(),
            ));
            all.add(verdict);
        }
        table.row(row(name, &all));
    }
    print!("\n{table}");
    println!(
        "\ntargets: none missed, at least 0.990 touching, at least 0.950 of the moves as moves, none broken"
    );
    worst.sort_by_key(|(missed, beside, ..)| std::cmp::Reverse((*missed, *beside)));
    for (missed, beside, place, verdict) in worst.iter().take(examples).filter(|worst| worst.0 + worst.1 > 0)
    {
        println!("\n{place}: {missed} missed, {beside} of {} beside", verdict.reported);
        verdict.missed.iter().for_each(|edit| println!("  missed: {}", edit.kind));
        verdict.beside.iter().take(6).for_each(|edit| println!("  beside: {edit}"));
    }
    Ok(())
}

fn row(name: String, all: &Verdict) -> [String; 10] {
    [
        name,
        grouped(all.planted),
        grouped(all.missed.len()),
        grouped(all.reported),
        format!("{:.4}", all.precision()),
        grouped(all.moves),
        share(all.seen_as_moves, all.moves),
        grouped(all.nodes),
        grouped(all.nodes_beside),
        grouped(all.broken),
    ]
}
