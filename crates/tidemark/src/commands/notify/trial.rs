//! `tidemark notify test`: a message that shows what messages look like.

use super::one;
use crate::cli::ChannelChoice;
use crate::settings::Settings;
use crate::when;
use anyhow::{Result, bail};
use std::sync::Arc;
use tidemark_engine::channel::{Channel, Kind};
use tidemark_engine::message::{Message, Told};
use tidemark_engine::passage::{ChangeKind, Passage, SpanKind, Stretch};
use tidemark_engine::watch::WatchId;
use url::Url;

pub(super) fn run(command: &ChannelChoice, settings: &Settings) -> Result<()> {
    let store = settings.open()?;
    let channel = one(&*store, &command.channel)?;
    let runtime = crate::commands::runtime()?;
    let inside = runtime.enter();
    let post = settings.post(Arc::clone(&store))?;
    drop(inside);
    let Some(sealed) = &channel.target else { bail!("channel {} has no address", channel.id.0) };
    let target = (post.open)(sealed).map_err(anyhow::Error::msg)?;
    let message = message(&channel)?;
    match runtime.block_on(post.courier.deliver(&target, &message)) {
        Ok(()) => crate::commands::print(&format!("a trial message went to {}\n", channel.shown)),
        Err(refusal) => bail!("{} was not reached: {refusal}", channel.shown),
    }
}

fn message(channel: &Channel) -> Result<Message> {
    let now = when::now();
    let stretch = |kind, text: &str| Stretch { kind, text: text.to_owned(), of_interest: false };
    let spans = vec![
        stretch(SpanKind::Same, "The blue kettle costs "),
        stretch(SpanKind::Removed, "29.90"),
        stretch(SpanKind::Added, "24.90"),
        stretch(SpanKind::Same, " EUR."),
    ];
    let place = Some(vec!["Prices".to_owned(), "Kettles".to_owned()]);
    let told = Told {
        watch: WatchId(0),
        name: "An example".to_owned(),
        url: Url::parse("https://example.org/")?,
        kind: Kind::Change,
        at: now,
        said: "1 changed".to_owned(),
        change: None,
        versions: None,
        severity: 0.2,
        interest: 0.0,
        passages: vec![Passage { kind: ChangeKind::Changed, place, spans, link: None, reasons: Vec::new() }],
        more: 0,
        link: None,
    };
    Ok(Message {
        key: format!("trial-{}", now.as_microsecond()),
        made: now,
        subject: "A trial: Tidemark can reach you here".to_owned(),
        text: None,
        items: vec![told],
        more: 0,
        thread: format!("trial-{}", channel.id.0),
        stop: format!("To end these messages: tidemark notify remove {}", channel.id.0),
        via: channel.id,
        channel: channel.terms.name.clone().unwrap_or_else(|| format!("channel {}", channel.id.0)),
    })
}
