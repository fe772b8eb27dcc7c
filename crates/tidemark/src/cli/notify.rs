//! Channels and what is on its way through them.

use super::JsonOption;
use clap::{Args, Subcommand};
use tidemark_core::revisit::Hours;
use tidemark_engine::channel::{Gather, Kind, Rhythm};
use tidemark_engine::notice::NoticeState;

#[derive(Debug, Subcommand)]
pub(crate) enum NotifyCommand {
    /// Add a channel: an address that is told what changes from now on
    Add(Box<NotifyAdd>),
    /// List the channels, and how their deliveries go
    List(NotifyList),
    /// Send a trial message through a channel
    Test(ChannelChoice),
    /// Tell nothing new through a channel
    Pause(ChannelChoice),
    /// Tell again
    Resume(ChannelChoice),
    /// Remove a channel, with what is still on its way through it
    Remove(ChannelChoice),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Addresses: mailto:ann@example.org, https://… (webhook), slack://, discord://, teams+https://, telegram://, matrix://, ntfy://, gotify://, \
pushover://, atom:/path/feed.xml, hook:NAME, apprise:URL. docs/notices.md tells how each is written."
)]
pub(crate) struct NotifyAdd {
    /// Where to: an address. With '-' it is read from standard input, so that a token stays out of the shell's history
    #[arg(value_name = "ADDRESS")]
    pub(crate) address: String,
    /// What to call it
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Only of these watches: by number, name, address or tag:NAME
    #[arg(long, value_name = "WATCH")]
    pub(crate) watch: Vec<String>,
    /// Only of watches with this tag; may be given often
    #[arg(long)]
    pub(crate) tag: Vec<String>,
    /// Only of this kind: change, redesigned, unwell, well, zone-lost, zone-found; may be given often
    #[arg(long, value_parser = kind)]
    pub(crate) kind: Vec<Kind>,
    /// Only changes of at least this severity, from 0 to 1
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    pub(crate) severity: f64,
    /// Only changes that speak of an interest of the watch
    #[arg(long)]
    pub(crate) only_interests: bool,
    /// When: at-once, hourly, 'daily 08:00 Europe/Berlin', 'weekly Mon 08:00'
    #[arg(long, default_value = "at-once")]
    pub(crate) when: Rhythm,
    /// What is gathered in one message: all, tag or watch
    #[arg(long, default_value = "all", value_parser = gather)]
    pub(crate) gather: Gather,
    /// Times in which nothing is sent, such as 'Mon-Sun 22:00-07:00 Europe/Berlin'; it waits
    #[arg(long, value_name = "HOURS")]
    pub(crate) quiet: Option<Hours>,
    /// A subject of one's own (docs/notices.md tells what can stand in it)
    #[arg(long, value_name = "TEMPLATE")]
    pub(crate) subject: Option<String>,
    /// A text of one's own; @FILE reads it from a file
    #[arg(long, value_name = "TEMPLATE")]
    pub(crate) body: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct NotifyList {
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct ChannelChoice {
    /// The channel, by number or name
    #[arg(value_name = "CHANNEL")]
    pub(crate) channel: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OutboxCommand {
    /// List notices, the latest first
    List(OutboxList),
    /// Try notices again now, also those that were given up
    Retry(OutboxChoice),
    /// Remove notices undelivered
    Drop(OutboxChoice),
}

#[derive(Debug, Args)]
pub(crate) struct OutboxList {
    /// Only in this state: open, sealed, delivered, dead
    #[arg(long, value_parser = state)]
    pub(crate) state: Option<NoticeState>,
    /// Only through this channel, by number or name
    #[arg(long)]
    pub(crate) channel: Option<String>,
    /// At most so many; 0 for all
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct OutboxChoice {
    /// Notices, by number
    #[arg(value_name = "NOTICE")]
    pub(crate) notices: Vec<i64>,
    /// All that were given up
    #[arg(long)]
    pub(crate) dead: bool,
}

fn kind(text: &str) -> Result<Kind, String> {
    let names = Kind::ALL.map(Kind::name).join(", ");
    Kind::parse(text).ok_or_else(|| format!("there is no kind '{text}': {names}"))
}

fn state(text: &str) -> Result<NoticeState, String> {
    NoticeState::parse(text)
        .ok_or_else(|| format!("there is no state '{text}': open, sealed, delivered or dead"))
}

fn gather(text: &str) -> Result<Gather, String> {
    match text {
        "all" => Ok(Gather::Reader),
        "tag" => Ok(Gather::Tag),
        "watch" => Ok(Gather::Watch),
        _ => Err(format!("'{text}' cannot be gathered by: all, tag or watch")),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a number from 0 to 1".to_owned()),
    }
}
