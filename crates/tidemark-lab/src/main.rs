//! Runs the evaluations of the laboratory.

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use tidemark_core::profile::Reach;
use tidemark_lab::{
    across, claims, corpus, cost, dictionary, growth, linear, memory, plant, profiles, redesign, revert,
    schedule, scripts, segments, size, storage, wordnet,
};

#[derive(Parser)]
#[command(name = "tidemark-lab", about = "Evaluations of Tidemark over real and generated pages")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Makes the dictionary of the packed native form from the corpus
    Dictionary {
        /// Where to write it
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Whether every page comes back byte for byte; fails if one does not
    Revert,
    /// Sizes of packed digests beside zstd -19 and brotli 11, and how fast they are read
    Size {
        /// One line a page
        #[arg(long)]
        pages: bool,
        /// Also with dictionaries made without the sites they are tried on
        #[arg(long)]
        cross_validate: bool,
        /// Rounds of measuring the speed
        #[arg(long, default_value_t = 15)]
        rounds: usize,
    },
    /// Time per node over trees of a thousand to a million nodes
    Linear {
        /// Where to draw it
        #[arg(long)]
        svg: Option<PathBuf>,
        /// Rounds of measuring
        #[arg(long, default_value_t = 9)]
        rounds: usize,
    },
    /// Time of a comparison per node, over pages of a thousand to a million nodes and over pages made to be hard
    Growth {
        /// Where to draw it
        #[arg(long)]
        svg: Option<PathBuf>,
        /// Only hard pages whose name has this in it
        #[arg(long, value_name = "NAME")]
        only: Option<String>,
        /// Rounds of measuring
        #[arg(long, default_value_t = 3)]
        rounds: usize,
    },
    /// Plants edits in pages and holds what the difference says against what was planted
    Plant {
        /// Edits of each kind in a page
        #[arg(long, default_value_t = 5)]
        count: usize,
        /// Another seed, other edits
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Of how many of the worst pages to tell more
        #[arg(long, default_value_t = 10)]
        examples: usize,
    },
    /// Length of edit scripts beside those of xmldiff, over neighbours of the histories
    Scripts {
        /// Largest page, in nodes
        #[arg(long, default_value_t = 600)]
        largest: usize,
        /// Pairs of each history
        #[arg(long, default_value_t = 8)]
        of_each: usize,
        /// Seconds after which xmldiff is stopped
        #[arg(long, default_value_t = 20)]
        limit: u32,
    },
    /// Whether blocks keep their columns, changes lie in changed segments, and what hashes rule out
    Segments {
        /// Generated histories of each kind
        #[arg(long, default_value_t = 20)]
        histories: u64,
        /// Another seed, other histories
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Precision and recall of readers' profiles over changes judged by hand, before and after expansion
    Profiles {
        /// As JSON
        #[arg(long)]
        json: bool,
        /// Also tells what is marked wrongly and what is missed; a star where typed terms alone do the same
        #[arg(long)]
        show_errors: bool,
        /// Which changes
        #[arg(long, value_enum, default_value_t)]
        part: profiles::Part,
        /// Another reach: senses, steps down, steps up, most words
        #[arg(long, num_args = 4, value_names = ["SENSES", "DOWN", "UP", "MOST"])]
        reach: Option<Vec<usize>>,
        /// Least interest of a change that is marked
        #[arg(long, default_value_t = 0.0)]
        least: f64,
    },
    /// Packs WordNet, as reader profiles use it, from Princeton's files
    Wordnet {
        /// Directory of the files
        #[arg(long, default_value = "/usr/share/wordnet")]
        from: PathBuf,
        /// Where to write it
        #[arg(long, default_value = "crates/tidemark-core/src/profile/wordnet/wordnet.bin")]
        out: PathBuf,
    },
    /// Detectors of redesigns over streams of documents: table 2 of the paper again
    Redesign {
        /// Lengths of the history
        #[arg(long, value_delimiter = ',', default_value = "5,10,20")]
        history: Vec<usize>,
        /// Generated streams of each scenario
        #[arg(long, default_value_t = 0, value_name = "N")]
        generated: usize,
        /// The first seed of generated streams
        #[arg(long, default_value_t = 1000)]
        seed: u64,
        /// Instead, what the defaults were chosen by: shingles of several lengths and kinds, also chosen without the stream they are tried on
        #[arg(long)]
        sweep: bool,
    },
    /// Content and zones across redesigns and ordinary edits, with known truth
    Across {
        /// Generated pages of each kind
        #[arg(long, default_value_t = 60)]
        pages: u64,
        /// The first seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many wrong or missed zones to tell of
        #[arg(long, default_value_t = 0)]
        examples: usize,
    },
    /// Delay between changes and their discovery: our schedule beside fixed intervals and the optimum, at an equal number of fetches
    Schedule {
        /// How many pages
        #[arg(long, default_value_t = 10_000)]
        pages: usize,
        /// Days in all; the first third is the warm-up
        #[arg(long, default_value_t = 90.0)]
        days: f64,
        /// Visits per page and day
        #[arg(long, default_value_t = 2.0)]
        visits: f64,
        /// Another seed, other pages
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Folder with the manifest of real histories; the corpus unless named
        #[arg(long)]
        histories: Option<PathBuf>,
    },
    /// What histories take in the database, beside other compression and git, and how fast every version is read back
    Storage {
        /// A folder with a folder of versions for each page, instead of the corpus
        #[arg(long, value_name = "DIR")]
        histories: Option<PathBuf>,
        /// Versions of a generated page of 200 kB
        #[arg(long, default_value_t = 200)]
        long: u32,
    },
    /// What claims of due pages cost, by how many pages there are
    Claims {
        /// A database other than a new SQLite file; it must be empty
        #[arg(long, value_name = "URL")]
        database: Option<String>,
        /// How many pages
        #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000,1000000")]
        pages: Vec<usize>,
    },
    /// CPU, memory and speed of a run over a site on loopback, beside changedetection.io
    Cost {
        /// The program, built for release
        #[arg(long, default_value = "target/release/tidemark")]
        program: PathBuf,
        /// The command that starts changedetection.io
        #[arg(long, value_name = "COMMAND")]
        peer: Option<PathBuf>,
        /// Pages of the site
        #[arg(long, default_value_t = 200)]
        pages: usize,
        /// Watches of the large database
        #[arg(long, default_value_t = 100_000)]
        watches: usize,
    },
    /// Peak memory of encoding pages of ten megabytes
    Memory,
    /// Encodes one page and prints its nodes and peak memory
    #[command(name = MEMORY_OF, hide = true)]
    MemoryOf { page: PathBuf },
}

const MEMORY_OF: &str = "memory-of";

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Dictionary { output } => {
            let (documents, _) = corpus::pages()?;
            let dictionary = dictionary::build(&documents)?;
            std::fs::write(&output, &dictionary)
                .with_context(|| format!("cannot write {}", output.display()))?;
            eprintln!("{} bytes to {}", dictionary.len(), output.display());
            Ok(())
        }
        Command::Revert => revert::evaluate(),
        Command::Size { pages, cross_validate, rounds } => size::evaluate(pages, cross_validate, rounds),
        Command::Linear { svg, rounds } => linear::evaluate(svg.as_deref(), rounds),
        Command::Growth { svg, only, rounds } => growth::evaluate(svg.as_deref(), only.as_deref(), rounds),
        Command::Plant { count, seed, examples } => plant::evaluate(count, seed, examples),
        Command::Scripts { largest, of_each, limit } => scripts::evaluate(largest, of_each, limit),
        Command::Segments { histories, seed } => segments::evaluate(histories, seed),
        Command::Profiles { json, show_errors, part, reach, least } => {
            let setting = profiles::Setting { reach: reached(reach.as_deref()), least };
            profiles::evaluate(part, &setting, json, show_errors)
        }
        Command::Wordnet { from, out } => wordnet::generate(&from, &out),
        Command::Redesign { sweep: true, .. } => redesign::sweep(),
        Command::Redesign { history, generated, seed, .. } => redesign::evaluate(&history, generated, seed),
        Command::Across { pages, seed, examples } => across::evaluate(pages, seed, examples),
        Command::Schedule { pages, days, visits, seed, histories } => {
            let setting = schedule::Setting { pages, days, visits, seed };
            schedule::evaluate(&setting, histories.as_deref())
        }
        Command::Storage { histories, long } => storage::evaluate(histories.as_deref(), long),
        Command::Claims { database, pages } => claims::evaluate(database.as_deref(), &pages),
        Command::Cost { program, peer, pages, watches } => {
            cost::run(&cost::Question { program: &program, peer: peer.as_deref(), pages, watches })
        }
        Command::Memory => memory::evaluate(MEMORY_OF),
        Command::MemoryOf { page } => memory::measure(&page),
    }
}

/// The reach that was asked for, or the default one.
fn reached(asked: Option<&[usize]>) -> Reach {
    match asked {
        Some(&[senses, down, up, most]) => Reach { senses, down, up, most },
        _ => Reach::default(),
    }
}
