//! Where settings come from: file, environment, command line.

use super::Origin;
use super::table::TABLE;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// What was given, as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// `--config`.
    pub(crate) config: Option<PathBuf>,
    /// `--set NAME=VALUE`.
    pub(crate) set: Vec<String>,
    /// `--database`.
    pub(crate) database: Option<String>,
    /// `--allow-private`.
    pub(crate) allow_private: bool,
}

type Named = (String, String, Origin);

impl Given {
    /// The file to read: the one named on the command line, in `$TIDEMARK_CONFIG`, or the usual one.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let named = self.config.clone().or_else(|| variable("TIDEMARK_CONFIG").map(PathBuf::from));
        named.or_else(|| Some(home("XDG_CONFIG_HOME", ".config")?.join("tidemark/config.toml")))
    }

    /// All values, weakest first.
    pub(super) fn all(&self) -> Result<Vec<Named>> {
        let mut all = self.of_file()?;
        all.extend(of_environment());
        for written in &self.set {
            let Some((name, value)) = written.split_once('=') else {
                bail!("--set {written}: write NAME=VALUE, such as --set schedule.least=10m");
            };
            all.push((name.trim().to_owned(), value.to_owned(), Origin::Flag("--set")));
        }
        if let Some(database) = &self.database {
            all.push(("database".to_owned(), database.clone(), Origin::Flag("--database")));
        }
        if self.allow_private {
            all.push((
                "network.allow_private".to_owned(),
                "true".to_owned(),
                Origin::Flag("--allow-private"),
            ));
        }
        Ok(all)
    }

    fn of_file(&self) -> Result<Vec<Named>> {
        let Some(path) = self.file() else { return Ok(Vec::new()) };
        let was_named = self.config.is_some() || variable("TIDEMARK_CONFIG").is_some();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !was_named => return Ok(Vec::new()),
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("cannot read the settings file {}", path.display()));
            }
        };
        let table: toml::Table =
            text.parse().with_context(|| format!("cannot read the settings file {}", path.display()))?;
        let mut found = Vec::new();
        flatten(&table, "", &path, &mut found)?;
        Ok(found)
    }
}

/// What a setting is called in the environment.
pub(crate) fn environment_name(name: &str) -> String {
    format!("TIDEMARK_{}", name.to_ascii_uppercase().replace('.', "_"))
}

/// The usual database.
pub(super) fn default_database() -> String {
    let folder = home("XDG_DATA_HOME", ".local/share");
    folder.map_or_else(
        || "tidemark.db".to_owned(),
        |folder| folder.join("tidemark/tidemark.db").display().to_string(),
    )
}

/// Where the usual settings file is.
pub(super) fn config_folder() -> PathBuf {
    home("XDG_CONFIG_HOME", ".config").map_or_else(PathBuf::new, |folder| folder.join("tidemark"))
}

fn of_environment() -> Vec<Named> {
    let named = TABLE.iter().map(|setting| (setting.name, environment_name(setting.name)));
    let found = named.filter_map(|(name, variable_name)| {
        let value = variable(&variable_name)?;
        Some((name.to_owned(), value, Origin::Environment(variable_name)))
    });
    found.collect()
}

/// Tables within tables become names with dots. TOML's own parser bounds how deep they go.
fn flatten(table: &toml::Table, prefix: &str, path: &Path, found: &mut Vec<Named>) -> Result<()> {
    let mut waiting = vec![(prefix.to_owned(), table)];
    while let Some((prefix, table)) = waiting.pop() {
        for (key, value) in table {
            let name = format!("{prefix}{key}");
            match value {
                toml::Value::Table(inner) => waiting.push((format!("{name}."), inner)),
                value => found.push((name.clone(), text(&name, value, path)?, Origin::File(path.to_owned()))),
            }
        }
    }
    Ok(())
}

fn text(name: &str, value: &toml::Value, path: &Path) -> Result<String> {
    Ok(match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(values) => {
            let texts: Vec<String> =
                values.iter().map(|value| text(name, value, path)).collect::<Result<_>>()?;
            texts.join(", ")
        }
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(switch) => switch.to_string(),
        _ => bail!("{}: {name} is neither text nor a number nor true or false", path.display()),
    })
}

/// A variable that is set to something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn home(variable_name: &str, usual: &str) -> Option<PathBuf> {
    variable(variable_name).map(PathBuf::from).or_else(|| Some(PathBuf::from(variable("HOME")?).join(usual)))
}
