//! `tidemark records`: the rows of a list page, and what became of them.

use super::print_json;
use crate::cli::RecordsCommand;
use crate::input;
use crate::terminal::{ADDED, CHANGED, FAINT, REMOVED, STRONG, counted, printable, styled};
use anyhow::{Context, Result};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use tidemark_core::digest::PageDigest;
use tidemark_core::digest::locate::Locator;
use tidemark_core::records::{FieldChange, Records, RecordsDiff, Row, compare};

pub(crate) fn run(command: &RecordsCommand) -> Result<ExitCode> {
    let Some(new_path) = &command.new else {
        let page = input::digest(&command.page, &command.reading)?;
        let records = find(&page, &input::name(&command.page))?;
        tell(command, &page, &records)?;
        return Ok(ExitCode::SUCCESS);
    };
    let (old, new) = input::versions(&command.page, new_path, &command.reading)?;
    let old_records = find(&old, &input::name(&command.page))?;
    let new_records =
        Records::find_again(&old, &old_records, &new).with_context(|| no_list(&input::name(new_path)))?;
    let diff = compare(&old_records, &new_records);
    let report = Report::new(command, &input::name(new_path), &old_records, &new_records, &diff);
    if command.json.json {
        print_json(&report)?;
    } else {
        report.print()?;
    }
    Ok(ExitCode::from(u8::from(report.changed)))
}

fn find(page: &PageDigest, name: &str) -> Result<Records> {
    Records::find(page).with_context(|| no_list(name))
}

fn no_list(name: &str) -> String {
    format!("{name} has no list of rows; 'tidemark diff' tells what changed in any page")
}

#[derive(Serialize)]
struct Listing {
    schema: &'static str,
    page: String,
    root: String,
    separator: String,
    columns: Vec<String>,
    rows: Vec<RowRow>,
}

#[derive(Serialize)]
struct RowRow {
    row: usize,
    key: Option<String>,
    fields: Vec<FieldRow>,
}

#[derive(Serialize)]
struct FieldRow {
    node: u32,
    path: String,
    name: Option<String>,
    text: String,
}

impl RowRow {
    fn new(at: usize, row: &Row) -> Self {
        let field = |field: &tidemark_core::records::Field| FieldRow {
            node: field.node.0,
            path: field.path.clone(),
            name: field.name.clone(),
            text: field.text.clone(),
        };
        Self { row: at + 1, key: row.key.clone(), fields: row.fields.iter().map(field).collect() }
    }
}

impl RowRow {
    /// What the row says, on one line. Addresses are left to JSON.
    fn line(&self) -> String {
        let texts =
            self.fields.iter().filter(|field| !field.path.contains('@')).map(|field| field.text.as_str());
        printable(&texts.collect::<Vec<_>>().join(" · "))
    }
}

fn tell(command: &RecordsCommand, page: &PageDigest, records: &Records) -> Result<()> {
    let root = Locator::new(page).css(records.root).unwrap_or_default();
    if command.json.json {
        return print_json(&Listing {
            schema: "tidemark/records/1",
            page: input::name(&command.page),
            root,
            separator: records.separator.clone(),
            columns: records.columns.clone(),
            rows: records.rows.iter().enumerate().map(|(at, row)| RowRow::new(at, row)).collect(),
        });
    }
    let mut out = anstream::stdout().lock();
    let about = format!(
        "{} below {root}, each begins with {}",
        counted(records.rows.len(), "row"),
        records.separator
    );
    writeln!(out, "{}", styled(FAINT, &printable(&about)))?;
    if !records.columns.is_empty() {
        writeln!(out, "      {}", styled(STRONG, &printable(&records.columns.join(" · "))))?;
    }
    for (at, row) in records.rows.iter().enumerate() {
        let row = RowRow::new(at, row);
        writeln!(out, "{:>5} {}", row.row, row.line())?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    old: String,
    new: String,
    changed: bool,
    exact: bool,
    rows: [usize; 2],
    added: Vec<RowRow>,
    removed: Vec<RowRow>,
    changes: Vec<ChangeRow>,
    moved: Vec<MoveRow>,
}

#[derive(Serialize)]
struct ChangeRow {
    old_row: usize,
    new_row: usize,
    key: Option<String>,
    #[serde(skip)]
    name: String,
    fields: Vec<FieldChangeRow>,
}

#[derive(Serialize)]
struct FieldChangeRow {
    field: usize,
    name: Option<String>,
    path: String,
    from: Option<String>,
    to: Option<String>,
}

#[derive(Serialize)]
struct MoveRow {
    old_row: usize,
    new_row: usize,
    #[serde(skip)]
    name: String,
}

impl Report {
    fn new(
        command: &RecordsCommand,
        new_name: &str,
        old: &Records,
        new: &Records,
        diff: &RecordsDiff,
    ) -> Self {
        let changes = diff.changed.iter().map(|change| ChangeRow {
            old_row: change.old_row + 1,
            new_row: change.new_row + 1,
            key: new.rows[change.new_row].key.clone(),
            name: name(&new.rows[change.new_row]),
            fields: change.fields.iter().map(FieldChangeRow::new).collect(),
        });
        let moved = diff.reordered.iter().map(|moved| MoveRow {
            old_row: moved.old_row + 1,
            new_row: moved.new_row + 1,
            name: name(&new.rows[moved.new_row]),
        });
        let rows = |list: &[usize], records: &Records| -> Vec<RowRow> {
            list.iter().map(|&at| RowRow::new(at, &records.rows[at])).collect()
        };
        let moved: Vec<MoveRow> = moved.collect();
        Self {
            schema: "tidemark/records-diff/1",
            old: input::name(&command.page),
            new: new_name.to_owned(),
            changed: !(diff.added.is_empty()
                && diff.removed.is_empty()
                && diff.changed.is_empty()
                && moved.is_empty()),
            exact: !diff.coarse,
            rows: [old.rows.len(), new.rows.len()],
            added: rows(&diff.added, new),
            removed: rows(&diff.removed, old),
            changes: changes.collect(),
            moved,
        }
    }

    fn print(&self) -> Result<()> {
        let mut out = anstream::stdout().lock();
        for row in &self.removed {
            writeln!(out, "{} row {} removed: {}", styled(REMOVED, "-"), row.row, row.line())?;
        }
        for row in &self.added {
            writeln!(out, "{} row {} added: {}", styled(ADDED, "+"), row.row, row.line())?;
        }
        for change in &self.changes {
            for field in &change.fields {
                let called = field.name.clone().unwrap_or_else(|| format!("field {}", field.field));
                let value = |value: &Option<String>| {
                    value.as_ref().map_or("nothing".to_owned(), |text| format!("\"{}\"", printable(text)))
                };
                let (from, to) = (value(&field.from), value(&field.to));
                let (row, name) = (change.new_row, printable(&change.name));
                let called = printable(&called);
                writeln!(
                    out,
                    "{} row {row} '{name}': {called} changed from {from} to {to}",
                    styled(CHANGED, "~")
                )?;
            }
        }
        for moved in &self.moved {
            let name = printable(&moved.name);
            writeln!(
                out,
                "{} row {} '{name}': was row {}",
                styled(CHANGED, ">"),
                moved.new_row,
                moved.old_row
            )?;
        }
        let [old, new] = self.rows;
        Ok(writeln!(out, "{}", styled(FAINT, &format!("{} before, {new} now", counted(old, "row"))))?)
    }
}

/// What to call a row: its first text, in short.
fn name(row: &Row) -> String {
    let first = row.fields.iter().find(|field| !field.path.contains('@') && !field.text.is_empty());
    first.map(|field| field.text.chars().take(40).collect()).or_else(|| row.key.clone()).unwrap_or_default()
}

impl FieldChangeRow {
    fn new(change: &FieldChange) -> Self {
        Self {
            field: change.index + 1,
            name: change.name.clone(),
            path: change.path.clone(),
            from: change.from.clone(),
            to: change.to.clone(),
        }
    }
}
