//! The command line: names, flags and help texts. They are a contract; README shows the help as it is.

mod extract;
mod moving;
mod notify;
mod redesign;
mod rendering;
mod request;
mod running;
mod segments;
mod watching;

pub(crate) use extract::Extract;
pub(crate) use moving::{Backup, Discover, Export, Import, Move, Restore};
pub(crate) use notify::{
    ChannelChoice, NotifyAdd, NotifyCommand, NotifyList, OutboxChoice, OutboxCommand, OutboxList,
};
pub(crate) use redesign::RedesignCommand;
pub(crate) use rendering::{PictureCommand, RenderOptions, RenderWhen};
pub(crate) use request::{HttpMethod, RequestOptions};
pub(crate) use running::{Check, ConfigCommand, Demo, Doctor, Run, SettingOptions};
pub(crate) use segments::{Order, SegmentCommand, SegmentFormat, TrackCommand};
pub(crate) use watching::{
    Add, Cat, ChangesCommand, Chosen, History, List, LookOptions, Remove, RerunCommand, ShowWatch,
    WishOptions, usual_reading,
};

use anstyle::{AnsiColor, Style};
use clap::builder::Styles;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use std::path::PathBuf;
use tidemark_core::digest::Facet;
use tidemark_core::page::{Format, Limits};
use tidemark_core::profile::Reach;
use tidemark_core::similarity::{Method, Weights};

/// Watches web pages and feeds, and tells exactly what changed.
#[derive(Debug, Parser)]
#[command(name = "tidemark", version, max_term_width = 100, styles = STYLES, arg_required_else_help = true)]
#[command(after_long_help = "Every command takes --json; the fields are described in docs/json.md. \
A page may be HTML, XML, a feed, or a digest (.tmd) written by 'tidemark digest encode'; '-' is standard input.\n\n\
A watch is named by its number, its name, its address or tag:NAME; one of its versions as WATCH@VERSION: a number, first, last, -1 or a time.\n\n\
Exit status: 0 if all went well (for diff: the pages are the same), 1 if diff found a difference, 2 on trouble.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours; NO_COLOR switches them off too
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,

    #[command(flatten)]
    pub(crate) settings: SettingOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// See it work: watches a little site on this machine for half a minute, offline
    Demo(Demo),
    /// Watch pages
    Add(Box<Add>),
    /// Look at watched pages as often as they change, until stopped
    Run(Run),
    /// Look at watched pages now
    Check(Check),
    /// List watches
    List(List),
    /// Tell all that is known of a watch
    #[command(name = "show")]
    ShowWatch(ShowWatch),
    /// List what changed on watched pages
    Changes(ChangesCommand),
    /// List the versions of a watched page
    History(History),
    /// Print a version of a watched page, byte for byte
    Cat(Cat),
    /// Write the picture of a version that a browser showed, with where it changed marked
    Picture(PictureCommand),
    /// Tell what a watch would have told with other zones or interests
    Rerun(RerunCommand),
    /// Let watches rest
    Pause(Chosen),
    /// Wake watches
    Resume(Chosen),
    /// Stop watching, and forget the history
    Remove(Remove),
    /// Say where to be told, of what, and when
    #[command(subcommand)]
    Notify(NotifyCommand),
    /// What is on its way to readers
    #[command(subcommand)]
    Outbox(OutboxCommand),
    /// Take in watches, histories and exports of others (docs/moving.md).
    ///
    /// Watches from OPML, bookmarks, lists of addresses, sitemaps, urlwatch, webchanges and changedetection.io; versions from web archives and folders;
    /// a whole database from a folder that 'tidemark export' wrote. What cannot be carried over is told.
    Import(Import),
    /// Write everything into a folder: versions as a web archive, all else as lines of JSON
    Export(Export),
    /// Copy the database into a new file, also while 'tidemark run' works on it
    Backup(Backup),
    /// Read a backup from beginning to end, and copy it into the empty database
    Restore(Restore),
    /// Copy the database into another one, such as from SQLite to PostgreSQL
    Move(Move),
    /// Look for feeds and pages of a site that may be worth watching
    Discover(Discover),
    /// Look whether all is well: settings, database, clock, disk
    Doctor(Doctor),
    /// Print the settings and where they are from
    Config(ConfigCommand),
    /// Turn pages into digests and back, or look inside one
    #[command(subcommand)]
    Digest(DigestCommand),
    /// Tell what changed between two versions of a page.
    ///
    /// Told is what a reader of the page sees, block by block and word by word, under the headings it stands under.
    /// Versions of a watched page are named WATCH@VERSION; WATCH alone stands for its last two. A file of that name comes first.
    /// Spelling that means the same (quotes, capitals, entities, missing end tags) is no difference. Two folders are
    /// compared file by file.
    Diff(Diff),
    /// Make the new page from the old one and a script.
    ///
    /// The script is one that 'tidemark diff --format script' wrote. The page comes out byte for byte; a script that was
    /// made for another page, or was damaged, is refused.
    Patch(Patch),
    /// Tell how alike two pages are.
    ///
    /// By facet, from 0 to 1: the share of runs of four neighbours that the pages have in common, of words for content, of
    /// tag names, of attributes, of numbers of children. By subtrees, from -1 to 1: each part of the old page beside the part of the new
    /// page that is most like it, by paths, attributes and words. Both say how much; whether pages differ is told by 'tidemark diff'.
    Similarity(Similarity),
    /// List the rows of a page that is a list, or tell what became of them.
    ///
    /// With one page its rows and fields; with two, which rows were added, removed, changed (field by field) or moved.
    Records(RecordsCommand),
    /// See what a reader's interests are and what they match (docs/profiles.md)
    #[command(subcommand)]
    Profile(ProfileCommand),
    /// Show the parts of a page that keep their identity through time.
    ///
    /// One line a segment: its number, its place, its size and its first words; or the page itself with its segments outlined.
    Segment(SegmentCommand),
    /// Follow the segments of a page through many versions.
    ///
    /// One line a segment: what became of it with each version, how often it changes, how often it went back to what it was, and since when
    /// it is as it is. Below, the measures of the track: segments a version, segments modified a change, and what their signatures rule out.
    Track(TrackCommand),
    /// Tell when a site was redesigned.
    ///
    /// The documents of a site, in the order they were published, go by one after the other. One line a redesign: the first document of the
    /// new template, who found it, how many documents it took, and how certain it is.
    Redesign(RedesignCommand),
    /// Look at feeds: RSS, Atom, JSON Feed
    #[command(subcommand)]
    Feed(FeedCommand),
    /// Read a document for another tidemark, within limits
    #[command(subcommand, hide = true)]
    Extract(Extract),
    /// Print a completion script for a shell
    #[command(long_about = COMPLETIONS_ABOUT)]
    Completions {
        /// The shell
        shell: Shell,
    },
}

const COMPLETIONS_ABOUT: &str = "Print a completion script for a shell.\n\n\
For bash: tidemark completions bash > ~/.local/share/bash-completion/completions/tidemark";

#[derive(Debug, Subcommand)]
pub(crate) enum DigestCommand {
    /// Write the digest of a page.
    ///
    /// A digest is the page as arrays in depth-first order. It loads without parsing and gives the page back byte for byte.
    Encode(Encode),
    /// Give back the page of a digest, byte for byte.
    Revert(Revert),
    /// Show the tree of a page with its counts, sizes and hashes.
    Show(Show),
}

#[derive(Debug, Args)]
pub(crate) struct Encode {
    /// The page; '-' for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) page: PathBuf,
    /// Where to write the digest; '-' for standard output [default: PAGE.tmd]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Compress the digest: smallest file, slower to load
    #[arg(long)]
    pub(crate) packed: bool,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Revert {
    /// The digest; '-' for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Where to write the page [default: standard output]
    #[arg(short, long, value_name = "PAGE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// A page or a digest; '-' for standard input
    #[arg(value_name = "FILE|PAGE", value_hint = ValueHint::FilePath)]
    pub(crate) page: PathBuf,
    /// How many nodes of the tree to show; 0 for all
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 same, 1 different, 2 trouble.")]
pub(crate) struct Diff {
    /// The old version: page, digest, folder, '-', or WATCH@VERSION
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) old: PathBuf,
    /// The new version: page, digest, folder, '-', or WATCH@VERSION
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) new: Option<PathBuf>,
    /// Facets to compare, with commas between them [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = facet)]
    pub(crate) facets: Vec<Facet>,
    /// A part of the page to look at: a CSS selector, an XPath, or text:FROM...TO (docs/zones.md); may be given often
    #[arg(long, value_name = "ZONE")]
    pub(crate) zone: Vec<String>,
    /// A part of the page not to look at, written like --zone
    #[arg(long, value_name = "ZONE")]
    pub(crate) except: Vec<String>,
    /// How to tell it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: OutputFormat,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Tell also what a reader does not see: scripts, comments, most attributes, empty space
    #[arg(long)]
    pub(crate) all: bool,
    /// Words to show around what changed
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) context: usize,
    /// How many changes to list in text; 0 for all
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) reader: ReaderOptions,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Patch {
    /// The old version: page, digest, or '-'
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) old: PathBuf,
    /// The script; '-' for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) script: PathBuf,
    /// Where to write the page [default: standard output]
    #[arg(short, long, value_name = "PAGE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Similarity {
    /// The old version: page, digest, or '-'
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) old: PathBuf,
    /// The new version: page, digest, or '-'
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) new: PathBuf,
    /// One facet only: structure, tags, attributes or content
    #[arg(long, value_name = "FACET", value_parser = facet, conflicts_with = "tag")]
    pub(crate) facet: Option<Facet>,
    /// The words below the elements of one tag only, such as p or td
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Option<String>,
    /// What path, attributes and words count when subtrees are compared; together 1 [default: 0.4,0.3,0.3]
    #[arg(long, value_name = "P,A,W", value_parser = weights)]
    pub(crate) weights: Option<Weights>,
    /// A file of lines 'name weight', 0 to 100: what each attribute counts; '*' for all others
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) attribute_weights: Option<PathBuf>,
    /// How the most similar subtrees are found: fast, reference (the same by the paper's equations, slow) or original (an older method)
    #[arg(long, value_name = "METHOD", value_parser = method, default_value = "fast")]
    pub(crate) method: Method,
    /// The level of the subtrees; 3 are the children of the body
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) level: u32,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 if there is a list (with two pages: if it is the same), 1 if it changed, 2 on trouble."
)]
pub(crate) struct RecordsCommand {
    /// The page, or its old version; '-' for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) page: PathBuf,
    /// The new version
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) new: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FeedCommand {
    /// Tell what became of the items of a feed.
    ///
    /// Items are known again by their ids, and where there are none by their words. Edited items are told word by word.
    Diff(FeedDiff),
}

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 same, 1 different, 2 trouble.")]
pub(crate) struct FeedDiff {
    /// The old version; '-' for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) old: PathBuf,
    /// The new version; '-' for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) new: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

const INTERESTS: &str = "Interests";

#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// List the terms of a profile, with their weights and where they are from.
    Show(ProfileShow),
    /// List the related words that stand for the terms of a profile too.
    Expand(ProfileExpand),
    /// Find what in a page a reader is interested in.
    ///
    /// The page is looked at line by line. Text without any markup is taken as it is.
    Match(ProfileMatch),
}

#[derive(Debug, Args)]
pub(crate) struct ProfileShow {
    /// The profile: a term a line (docs/profiles.md); '-' for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) profile: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) interests: InterestOptions,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct ProfileExpand {
    /// The profile: a term a line (docs/profiles.md); '-' for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) profile: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) interests: InterestOptions,
    #[command(flatten)]
    pub(crate) expansion: ExpansionOptions,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 if something matches, 1 if nothing does, 2 on trouble.")]
pub(crate) struct ProfileMatch {
    /// The page; '-' for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) page: PathBuf,
    /// The profile: a term a line (docs/profiles.md)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = INTERESTS)]
    pub(crate) profile: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) interests: InterestOptions,
    #[command(flatten)]
    pub(crate) expansion: ExpansionOptions,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

/// For whom something is told.
#[derive(Debug, Args)]
pub(crate) struct ReaderOptions {
    /// What the reader is interested in: changes that speak of it come first, are marked, counted and explained (docs/profiles.md)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = INTERESTS)]
    pub(crate) profile: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) interests: InterestOptions,
    #[command(flatten)]
    pub(crate) expansion: ExpansionOptions,
}

/// Interests beside those of a profile.
#[derive(Debug, Args)]
#[command(next_help_heading = INTERESTS)]
pub(crate) struct InterestOptions {
    /// A FOAF file with interests: RDF/XML, Turtle or JSON-LD; may be given often
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) foaf: Vec<PathBuf>,
    /// A term, written like a line of a profile, such as 'interest rate *0.5'; may be given often
    #[arg(long, value_name = "TERM", allow_hyphen_values = true)]
    pub(crate) term: Vec<String>,
    /// The language of --term, such as de
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    pub(crate) term_language: String,
    /// A page that the reader likes, as a file: its key terms are interests; may be given often
    #[arg(long = "page", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) pages: Vec<PathBuf>,
    /// Most key terms of each such page
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) key_terms: usize,
}

/// How far terms are expanded.
#[derive(Debug, Args)]
#[command(next_help_heading = INTERESTS)]
pub(crate) struct ExpansionOptions {
    /// Match only the terms themselves and their inflected forms, no related words
    #[arg(long)]
    pub(crate) no_expand: bool,
    /// How far related words go: senses of a term, steps down to kinds of it, steps up to what it is a kind of [default: 2,3,1]
    #[arg(long, value_name = "S,D,U", value_parser = reach, conflicts_with = "no_expand")]
    pub(crate) reach: Option<Reach>,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct JsonOption {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReadingOptions {
    /// The charset that the server named, such as windows-1252
    #[arg(long, value_name = "CHARSET", value_parser = charset)]
    pub(crate) charset: Option<String>,
    /// The grammar of the page [default: by its name and its first bytes]
    #[arg(long = "type", value_name = "TYPE", value_parser = grammar)]
    pub(crate) grammar: Option<Format>,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitOptions {
    /// Largest page to read, in bytes
    #[arg(long, value_name = "N", default_value_t = Limits::default().bytes)]
    pub(crate) max_bytes: usize,
    /// Most nodes a page may have
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes)]
    pub(crate) max_nodes: usize,
}

impl LimitOptions {
    pub(crate) fn limits(self) -> Limits {
        Limits { bytes: self.max_bytes, nodes: self.max_nodes, ..Limits::default() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people
    Text,
    /// For programs, see docs/json.md
    Json,
    /// The new page with its changes marked, as one file
    Html,
    /// The edits alone, for 'tidemark patch'
    Script,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Sets the choice for everything that is printed from here on.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

const STYLES: Styles = Styles::styled()
    .header(Style::new().bold())
    .usage(Style::new().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Green.on_default());

fn facet(name: &str) -> Result<Facet, String> {
    Facet::from_name(name).ok_or_else(|| "use structure, tags, attributes or content".to_owned())
}

fn method(name: &str) -> Result<Method, String> {
    Method::from_name(name).ok_or_else(|| "use fast, reference or original".to_owned())
}

fn weights(written: &str) -> Result<Weights, String> {
    let numbers: Vec<f64> = written.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    match numbers[..] {
        [path, attributes, words] if written.split(',').count() == 3 => {
            Weights::new(path, attributes, words).map_err(|error| error.to_string())
        }
        _ => Err("write three numbers with commas between them, such as 0.2,0.3,0.5".to_owned()),
    }
}

fn reach(written: &str) -> Result<Reach, String> {
    let numbers: Vec<usize> = written.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    match numbers[..] {
        [senses, down, up] if written.split(',').count() == 3 => {
            Ok(Reach { senses, down, up, ..Reach::default() })
        }
        _ => Err("write three whole numbers with commas between them, such as 2,3,1".to_owned()),
    }
}

fn grammar(name: &str) -> Result<Format, String> {
    Format::from_name(name).ok_or_else(|| "use html or xml".to_owned())
}

fn charset(label: &str) -> Result<String, String> {
    let known = encoding_rs::Encoding::for_label(label.as_bytes()).is_some();
    known
        .then(|| label.to_owned())
        .ok_or_else(|| "no such charset; use a label such as utf-8 or shift_jis".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Reach, reach};
    use clap::CommandFactory;

    #[test]
    fn the_help_tells_the_true_reach() {
        assert_eq!(reach("2,3,1"), Ok(Reach::default()), "change the help of --reach as well");
    }

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
