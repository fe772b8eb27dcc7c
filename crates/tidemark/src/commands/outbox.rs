//! `tidemark outbox`: what is on its way to readers.

use super::{notify, print_json};
use crate::cli::{OutboxChoice, OutboxCommand, OutboxList};
use crate::settings::Settings;
use crate::terminal::{ADDED, CHANGED, FAINT, REMOVED, counted, printable, styled};
use crate::when;
use anyhow::{Result, bail};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tidemark_engine::channel::{Channel, ChannelId};
use tidemark_engine::notice::{NoticeFilter, NoticeId, NoticeLine, NoticeState};
use tidemark_engine::store::Store;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    notices: Vec<NoticeLine>,
}

pub(crate) fn run(command: &OutboxCommand, settings: &Settings) -> Result<()> {
    let store = settings.open()?;
    match command {
        OutboxCommand::List(command) => list(command, &*store),
        OutboxCommand::Retry(choice) => retry(choice, &*store),
        OutboxCommand::Drop(choice) => drop_them(choice, &*store),
    }
}

fn list(command: &OutboxList, store: &dyn Store) -> Result<()> {
    let channel = command.channel.as_deref().map(|text| notify::one(store, text)).transpose()?;
    let filter = NoticeFilter {
        channel: channel.map(|channel| channel.id),
        state: command.state,
        limit: (command.limit > 0).then_some(command.limit),
    };
    let notices = store.notices(&filter)?;
    if command.json.json {
        return print_json(&Report { schema: "tidemark/outbox/1", notices });
    }
    if notices.is_empty() {
        return super::print("nothing is on its way\n");
    }
    let channels: BTreeMap<ChannelId, Channel> =
        store.channels()?.into_iter().map(|channel| (channel.id, channel)).collect();
    super::print(
        &notices.iter().map(|notice| line(notice, channels.get(&notice.channel))).collect::<String>(),
    )
}

fn line(notice: &NoticeLine, channel: Option<&Channel>) -> String {
    let (style, state) = match notice.state {
        NoticeState::Open => (FAINT, format!("waits until {}", when::full(notice.due))),
        NoticeState::Sealed if notice.tries == 0 => (CHANGED, "on its way".to_owned()),
        NoticeState::Sealed => (
            CHANGED,
            format!("tried {}, again {}", counted(notice.tries as usize, "time"), when::full(notice.due)),
        ),
        NoticeState::Delivered => (ADDED, format!("delivered {}", when::full(notice.due))),
        NoticeState::Dead => (REMOVED, format!("given up {}", when::full(notice.due))),
    };
    let shown = channel.map_or("", |channel| &channel.shown);
    let things = counted(notice.items as usize, "thing");
    let mut text =
        format!("{:>6}  {}  {things} to {}\n", notice.id.0, styled(style, &state), printable(shown));
    if let Some(trouble) = &notice.trouble {
        let _ = writeln!(text, "        {}", styled(FAINT, &printable(trouble)));
    }
    text
}

fn retry(choice: &OutboxChoice, store: &dyn Store) -> Result<()> {
    let chosen = chosen(choice, store)?;
    for id in &chosen {
        if !store.retry_notice(*id, when::now())? {
            bail!("there is no notice {} that could be tried again; 'tidemark outbox list' lists all", id.0);
        }
    }
    super::print(&format!("{} due now; 'tidemark run' delivers\n", counted(chosen.len(), "notice")))
}

fn drop_them(choice: &OutboxChoice, store: &dyn Store) -> Result<()> {
    let chosen = chosen(choice, store)?;
    for id in &chosen {
        if !store.drop_notice(*id)? {
            bail!("there is no notice {}; 'tidemark outbox list' lists all", id.0);
        }
    }
    super::print(&format!("{} dropped\n", counted(chosen.len(), "notice")))
}

fn chosen(choice: &OutboxChoice, store: &dyn Store) -> Result<Vec<NoticeId>> {
    if !choice.dead {
        return Ok(choice.notices.iter().copied().map(NoticeId).collect());
    }
    let filter = NoticeFilter { state: Some(NoticeState::Dead), ..NoticeFilter::default() };
    Ok(store.notices(&filter)?.into_iter().map(|notice| notice.id).collect())
}
