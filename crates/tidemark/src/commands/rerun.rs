//! `tidemark rerun`: what a watch would have told with other zones, interests or another threshold.

use super::{add, print_json};
use crate::cli::RerunCommand;
use crate::named;
use crate::settings::Settings;
use crate::telling::Told;
use crate::terminal::{FAINT, counted, styled};
use anyhow::Result;
use serde::Serialize;
use tidemark_engine::record::Standing;
use tidemark_engine::rerun::{Rerun, rerun};
use tidemark_engine::watch::{Watch, WatchId, Wish};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    watch: WatchId,
    changes: Vec<Rerun>,
    kept: bool,
}

pub(crate) fn run(command: &RerunCommand, settings: &Settings) -> Result<()> {
    let runtime = super::runtime()?;
    let _inside = runtime.enter();
    let engine = settings.engine()?;
    let watch = named::watch(&**engine.store(), &command.watch)?;
    let wish = wish(command, &watch)?;
    let changes = rerun(&engine, watch.page, &wish)?;
    if command.keep {
        engine.store().change_wish(watch.id, &wish)?;
    }
    if command.json.json {
        return print_json(&Report {
            schema: "tidemark/rerun/1",
            watch: watch.id,
            changes,
            kept: command.keep,
        });
    }
    let told = changes.iter().filter(|change| change.verdict.standing == Standing::Told).count();
    let blocks: String = changes.iter().map(|change| block(&watch, change)).collect();
    let kept = if command.keep {
        "; the watch looks this way from now on"
    } else {
        "; --keep makes the watch look this way"
    };
    let sum = format!("{told} of {} would have been told{kept}", counted(changes.len(), "change"));
    super::print(&format!("{blocks}{}\n", styled(FAINT, &sum)))
}

fn block(watch: &Watch, change: &Rerun) -> String {
    let versions = (change.old, change.new);
    Told { watch, at: change.at, versions, verdict: &change.verdict, lines: 12, day: true }.block()
}

/// What the watch wishes, with what was said otherwise.
fn wish(command: &RerunCommand, watch: &Watch) -> Result<Wish> {
    let (zones, interests) = (add::zones(&command.look)?, add::interests(&command.look)?);
    let mut wish = watch.wish.clone();
    if !zones.include.is_empty() || !zones.exclude.is_empty() {
        wish.zones = zones;
    }
    if !interests.is_empty() {
        wish.interests = interests;
    }
    wish.only_interests |= command.look.only_interests;
    wish.threshold = command.threshold.unwrap_or(wish.threshold);
    Ok(wish)
}
