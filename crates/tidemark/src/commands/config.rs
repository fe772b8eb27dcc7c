//! `tidemark config`: the settings in effect, and where they are from.

use super::print_json;
use crate::cli::ConfigCommand;
use crate::settings::{Effective, environment_name};
use crate::terminal::{FAINT, styled};
use anyhow::Result;
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: Option<String>,
    settings: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    value: String,
    origin: String,
    variable: String,
    form: &'static str,
    help: &'static str,
}

pub(crate) fn run(command: &ConfigCommand, effective: &Effective) -> Result<()> {
    if command.json.json {
        let row = |(setting, value, origin): (
            &'static crate::settings::table::Setting,
            String,
            &crate::settings::Origin,
        )| Row {
            name: setting.name,
            value,
            origin: origin.to_string(),
            variable: environment_name(setting.name),
            form: setting.form.name(),
            help: setting.help,
        };
        let file = effective.file.as_ref().map(|file| file.display().to_string());
        return print_json(&Report {
            schema: "tidemark/config/1",
            file,
            settings: effective.rows().map(row).collect(),
        });
    }
    let mut text = String::new();
    for (setting, value, origin) in effective.rows() {
        let written = if setting.form.is_bare() && !value.is_empty() {
            value
        } else {
            // Text in quotes is written alike in JSON and TOML.
            serde_json::to_string(&value)?
        };
        writeln!(text, "{} = {written}  {}", setting.name, styled(FAINT, &format!("# {origin}")))?;
    }
    super::print(&text)
}
