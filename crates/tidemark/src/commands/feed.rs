//! `tidemark feed diff`: what became of the items of a feed.

use super::{SpanRow, print_json};
use crate::cli::FeedDiff as Command;
use crate::input;
use crate::terminal::{ADDED, CHANGED, FAINT, REMOVED, counted, printable, styled};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use tidemark_core::feed::{Feed, Item, ItemField, compare};
use tidemark_core::page::Reading;
use tidemark_core::render::Line;
use tidemark_core::render::text::marked;

pub(crate) fn run(command: &Command) -> Result<ExitCode> {
    if input::is_standard(&command.old) && input::is_standard(&command.new) {
        bail!("standard input can be one of the two feeds, not both");
    }
    let (old, new) = (read(command, &command.old)?, read(command, &command.new)?);
    let report = Report::new(command, &old, &new);
    if command.json.json {
        print_json(&report)?;
    } else {
        report.print()?;
    }
    Ok(ExitCode::from(u8::from(report.changed)))
}

fn read(command: &Command, path: &Path) -> Result<Feed> {
    let limits = command.reading.limits.limits();
    let bytes = input::bytes(path, &limits)?;
    let reading =
        Reading { charset: command.reading.charset.clone(), format: command.reading.grammar, limits };
    Feed::read(&bytes, &reading).with_context(|| format!("cannot read {}", input::name(path)))
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    old: String,
    new: String,
    changed: bool,
    exact: bool,
    unchanged: usize,
    added: Vec<ItemRow>,
    removed: Vec<ItemRow>,
    modified: Vec<ChangeRow>,
}

#[derive(Serialize)]
struct ItemRow {
    id: Option<String>,
    link: Option<String>,
    title: String,
}

#[derive(Serialize)]
struct ChangeRow {
    #[serde(flatten)]
    item: ItemRow,
    coefficient: f64,
    fields: Vec<FieldRow>,
}

#[derive(Serialize)]
struct FieldRow {
    field: &'static str,
    spans: Vec<SpanRow>,
    #[serde(skip)]
    line: Line,
}

impl ItemRow {
    fn new(item: &Item) -> Self {
        Self { id: item.id.clone(), link: item.link.clone(), title: item.title.text.clone() }
    }

    /// What to call it.
    fn name(&self) -> String {
        let named = [Some(self.title.as_str()), self.link.as_deref(), self.id.as_deref()];
        printable(
            named.into_iter().flatten().find(|name| !name.is_empty()).unwrap_or("an item without a name"),
        )
    }
}

impl FieldRow {
    fn new(field: ItemField, old: &Item, new: &Item) -> Self {
        let line = Line::between(&text(field, old), &text(field, new));
        Self { field: field.name(), spans: SpanRow::list(&line), line }
    }
}

fn text(field: ItemField, item: &Item) -> String {
    match field {
        ItemField::Id => item.id.clone().unwrap_or_default(),
        ItemField::Link => item.link.clone().unwrap_or_default(),
        ItemField::Title => item.title.text.clone(),
        ItemField::Description => item.description.text.clone(),
        ItemField::Content => item.content.text.clone(),
        ItemField::Published => item.published.clone().unwrap_or_default(),
        ItemField::Updated => item.updated.clone().unwrap_or_default(),
        ItemField::Authors => item.authors.join(", "),
        ItemField::Categories => item.categories.join(", "),
        ItemField::Enclosures => item.enclosures.join(" "),
    }
}

impl Report {
    fn new(command: &Command, old: &Feed, new: &Feed) -> Self {
        let diff = compare(old, new);
        let modified = diff.modified.iter().map(|change| ChangeRow {
            item: ItemRow::new(&new.items[change.new]),
            coefficient: change.coefficient.value(),
            fields: change
                .fields
                .iter()
                .map(|&field| FieldRow::new(field, &old.items[change.old], &new.items[change.new]))
                .collect(),
        });
        Self {
            schema: "tidemark/feed-diff/1",
            old: input::name(&command.old),
            new: input::name(&command.new),
            changed: !diff.is_empty(),
            exact: !diff.coarse,
            unchanged: diff.unchanged.len(),
            added: diff.added.iter().map(|&at| ItemRow::new(&new.items[at])).collect(),
            removed: diff.removed.iter().map(|&at| ItemRow::new(&old.items[at])).collect(),
            modified: modified.collect(),
        }
    }

    fn print(&self) -> Result<()> {
        let mut out = anstream::stdout().lock();
        for item in &self.added {
            writeln!(out, "{} {}", styled(ADDED, "+"), item.name())?;
        }
        for change in &self.modified {
            writeln!(out, "{} {}", styled(CHANGED, "~"), change.item.name())?;
            for field in &change.fields {
                let line = if field.line.is_changed() {
                    marked(&field.line.in_short(8), true)
                } else {
                    styled(FAINT, "other markup, same words")
                };
                writeln!(out, "    {}: {line}", field.field)?;
            }
        }
        for item in &self.removed {
            writeln!(out, "{} {}", styled(REMOVED, "-"), item.name())?;
        }
        let sum = format!(
            "{} added, {} modified, {} removed, {} unchanged",
            counted(self.added.len(), "item"),
            self.modified.len(),
            self.removed.len(),
            self.unchanged
        );
        Ok(writeln!(out, "{}", styled(FAINT, &sum))?)
    }
}
