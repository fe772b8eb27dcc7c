//! `tidemark notify`: channels.

mod trial;

use super::print_json;
use crate::cli::{ChannelChoice, NotifyAdd, NotifyCommand, NotifyList};
use crate::named;
use crate::settings::Settings;
use crate::terminal::{ADDED, FAINT, REMOVED, STRONG, printable, styled};
use crate::when;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fmt::Write as _;
use tidemark_engine::channel::{Channel, ChannelId, ChannelTerms, Gather, NewChannel, Rhythm, Template};
use tidemark_engine::store::Store;
use tidemark_engine::template;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    channels: Vec<Channel>,
}

pub(crate) fn run(command: &NotifyCommand, settings: &Settings) -> Result<()> {
    match command {
        NotifyCommand::Add(command) => add(command, settings),
        NotifyCommand::List(command) => list(command, settings),
        NotifyCommand::Test(command) => trial::run(command, settings),
        NotifyCommand::Pause(command) => pause(command, settings, true),
        NotifyCommand::Resume(command) => pause(command, settings, false),
        NotifyCommand::Remove(command) => remove(command, settings),
    }
}

fn add(command: &NotifyAdd, settings: &Settings) -> Result<()> {
    let address = address(command)?;
    let runtime = super::runtime()?;
    let _inside = runtime.enter();
    let store = settings.open()?;
    let terms = terms(command, &*store)?;
    let post = settings.post(std::sync::Arc::clone(&store))?;
    let shown = post
        .courier
        .check(&address)
        .map_err(|reason| anyhow::anyhow!("the address cannot be used: {reason}"))?;
    if let Some(other) = find(&*store, terms.name.as_deref().unwrap_or_default())? {
        bail!(
            "channel {} is called '{}' already; choose another --name",
            other.id.0,
            other.terms.name.unwrap_or_default()
        );
    }
    let new = NewChannel { terms, target: settings.seal(&address)?, shown };
    let channel = store.add_channel(&new, when::now())?;
    if command.json.json {
        return print_json(&Report { schema: "tidemark/notify/1", channels: vec![channel] });
    }
    let next = format!(
        "'tidemark notify test {0}' sends a trial message; 'tidemark run' delivers what changes.",
        channel.id.0
    );
    super::print(&format!(
        "{} is told now, as channel {}\n{}\n",
        printable(&channel.shown),
        channel.id.0,
        styled(FAINT, &next)
    ))
}

fn address(command: &NotifyAdd) -> Result<String> {
    if command.address != "-" {
        return Ok(command.address.trim().to_owned());
    }
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).context("the address cannot be read from standard input")?;
    Ok(line.trim().to_owned())
}

fn terms(command: &NotifyAdd, store: &dyn Store) -> Result<ChannelTerms> {
    let body = command.body.as_deref().map(body).transpose()?;
    for (flag, text) in [("--subject", &command.subject), ("--body", &body)] {
        if let Some(text) = text {
            template::check(text).map_err(|reason| anyhow::anyhow!("{flag}: {reason}"))?;
        }
    }
    let template = (command.subject.is_some() || body.is_some())
        .then(|| Template { subject: command.subject.clone(), body });
    let name = command.name.as_ref().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    if let Some(name) = name.as_ref().filter(|name| name.parse::<i64>().is_ok()) {
        bail!("a channel cannot be called '{name}': numbers mean something else");
    }
    Ok(ChannelTerms {
        name,
        watches: named::all_of(store, &command.watch)?.iter().map(|watch| watch.id).collect(),
        tags: command.tag.iter().map(|tag| tag.trim().to_owned()).collect(),
        kinds: command.kind.iter().copied().collect(),
        severity: command.severity,
        only_interests: command.only_interests,
        rhythm: command.when.clone(),
        gather: command.gather,
        quiet: command.quiet.clone(),
        template,
        ..ChannelTerms::default()
    })
}

fn body(text: &str) -> Result<String> {
    match text.strip_prefix('@') {
        Some(file) => {
            std::fs::read_to_string(file).with_context(|| format!("cannot read the template {file}"))
        }
        None => Ok(text.to_owned()),
    }
}

fn list(command: &NotifyList, settings: &Settings) -> Result<()> {
    let channels = settings.open()?.channels()?;
    if command.json.json {
        return print_json(&Report { schema: "tidemark/notify/1", channels });
    }
    if channels.is_empty() {
        return super::print("nobody is told; 'tidemark notify add ADDRESS' begins\n");
    }
    super::print(&channels.iter().map(line).collect::<String>())
}

fn line(channel: &Channel) -> String {
    let terms = &channel.terms;
    let name = terms.name.as_ref().map(|name| format!("{name}  ")).unwrap_or_default();
    let mut text =
        format!("{:>4}  {}{}\n", channel.id.0, styled(STRONG, &printable(&name)), printable(&channel.shown));
    let _ = writeln!(text, "      {}", styled(FAINT, &printable(&what(terms))));
    let state = &channel.state;
    if let Some(trouble) = &state.trouble {
        let _ = writeln!(text, "      {} {}", styled(REMOVED, "trouble:"), printable(trouble));
    } else if let Some(at) = state.delivered {
        let _ = writeln!(text, "      {} {}", styled(ADDED, "last delivered"), when::full(at));
    }
    text
}

/// What is told, and when, in a line.
fn what(terms: &ChannelTerms) -> String {
    let mut parts = Vec::new();
    if terms.paused {
        parts.push("paused".to_owned());
    }
    let gathered = match terms.gather {
        _ if terms.rhythm == Rhythm::AtOnce => "",
        Gather::Reader => "",
        Gather::Tag => ", by tag",
        Gather::Watch => ", by watch",
    };
    parts.push(format!("{}{gathered}", terms.rhythm));
    parts.extend(terms.tags.iter().map(|tag| format!("tag {tag}")));
    parts.extend(terms.watches.iter().map(|watch| format!("watch {}", watch.0)));
    parts.extend(terms.kinds.iter().map(|kind| kind.name().to_owned()));
    if terms.severity > 0.0 {
        parts.push(format!("severity from {}", terms.severity));
    }
    if terms.only_interests {
        parts.push("only what is of interest".to_owned());
    }
    parts.extend(terms.quiet.as_ref().map(|quiet| format!("quiet {quiet}")));
    parts.join(" · ")
}

fn pause(command: &ChannelChoice, settings: &Settings, paused: bool) -> Result<()> {
    let store = settings.open()?;
    let channel = one(&*store, &command.channel)?;
    let terms = ChannelTerms { paused, ..channel.terms.clone() };
    store.change_channel(channel.id, &terms)?;
    let state = if paused { "rests: nothing new is told through it" } else { "tells again" };
    super::print(&format!("{} {state}\n", printable(&channel.shown)))
}

fn remove(command: &ChannelChoice, settings: &Settings) -> Result<()> {
    let store = settings.open()?;
    let channel = one(&*store, &command.channel)?;
    store.remove_channel(channel.id)?;
    super::print(&format!("{} is not told any longer\n", printable(&channel.shown)))
}

/// The channel that a text names.
pub(super) fn one(store: &dyn Store, text: &str) -> Result<Channel> {
    let found = find(store, text)?;
    found.with_context(|| format!("there is no channel '{text}'; 'tidemark notify list' lists all"))
}

fn find(store: &dyn Store, text: &str) -> Result<Option<Channel>> {
    let id = text.parse().ok().map(ChannelId);
    let is_it = |channel: &Channel| Some(channel.id) == id || channel.terms.name.as_deref() == Some(text);
    Ok(store.channels()?.into_iter().find(is_it))
}
