//! Settings: from the program, a file, the environment and the command line, in rising order of strength.
//!
//! One table ([`table`]) names them all; the file, the environment, `--set`, `tidemark config` and docs/settings.md are made from it.

mod form;
mod sources;
pub(crate) mod table;
mod vault;

pub(crate) use sources::{Given, environment_name};

use crate::extract::Children;
use anyhow::{Context, Result, bail};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use table::{Setting, TABLE};
use tidemark_core::revisit::Bounds;
use tidemark_engine::clock::System;
use tidemark_engine::store::Store;
use tidemark_engine::{Engine, Settings as EngineSettings};
use tidemark_net::{Allow, Client, MailSettings, Settings as NetSettings};
use url::Url;

/// All settings, ready to be used.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) database: String,
    pub(crate) connections: usize,
    pub(crate) least: Duration,
    pub(crate) most: Duration,
    pub(crate) allow: Allow,
    pub(crate) allow_private: bool,
    pub(crate) roots: String,
    pub(crate) key_file: String,
    pub(crate) engine: EngineSettings,
    pub(crate) net: NetSettings,
    pub(crate) mail: MailSettings,
    pub(crate) notices: NoticeSettings,
}

/// How notices are delivered.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoticeSettings {
    /// Where changes are shown, for links.
    pub(crate) base: Option<Url>,
    /// The folder of programs that may be run.
    pub(crate) hooks: Option<PathBuf>,
    /// The program `apprise`.
    pub(crate) apprise: Option<PathBuf>,
}

/// Where a setting is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    File(PathBuf),
    Environment(String),
    Flag(&'static str),
}

/// The settings with their origins, in the order of the table.
#[derive(Clone, Debug)]
pub(crate) struct Effective {
    pub(crate) settings: Settings,
    pub(crate) origins: Vec<Origin>,
    /// The file that was read, or would be if it were there.
    pub(crate) file: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        let bounds = Bounds::default();
        Self {
            database: sources::default_database(),
            connections: tidemark_store::Options::default().connections,
            least: bounds.least(),
            most: bounds.most(),
            allow: Allow::default(),
            allow_private: false,
            roots: String::new(),
            key_file: String::new(),
            engine: EngineSettings::default(),
            net: NetSettings::default(),
            mail: MailSettings::default(),
            notices: NoticeSettings::default(),
        }
    }
}

impl Effective {
    /// Puts together what the sources say; the later source wins.
    pub(crate) fn gather(given: &Given) -> Result<Self> {
        let mut gathered = Self {
            settings: Settings::default(),
            origins: vec![Origin::Default; TABLE.len()],
            file: given.file(),
        };
        for (name, value, origin) in given.all()? {
            gathered.set(&name, &value, origin)?;
        }
        gathered.settings.check()?;
        Ok(gathered)
    }

    fn set(&mut self, name: &str, value: &str, origin: Origin) -> Result<()> {
        let Some(at) = TABLE.iter().position(|setting| setting.name == name) else {
            bail!("{origin}: there is no setting '{name}'{}; 'tidemark config' lists all", table::hint(name));
        };
        let setting = &TABLE[at];
        (setting.set)(&mut self.settings, value).map_err(|reason| {
            anyhow::anyhow!("{origin}: {name} cannot be '{}': {reason}", setting.hidden(value))
        })?;
        self.origins[at] = origin;
        Ok(())
    }

    /// Every setting with its value as it may be shown, and its origin.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&'static Setting, String, &Origin)> {
        let shown = |setting: &'static Setting| setting.hidden(&(setting.get)(&self.settings));
        TABLE.iter().zip(&self.origins).map(move |(setting, origin)| (setting, shown(setting), origin))
    }
}

impl Settings {
    /// What no setting can know alone.
    fn check(&mut self) -> Result<()> {
        if self.least > self.most {
            bail!(
                "schedule.least is longer than schedule.most: a page cannot be visited both so rarely and so often"
            );
        }
        self.engine.bounds = Bounds::new(self.least, self.most);
        self.net.concurrency = self.engine.concurrency;
        self.net.allow = self.allow.clone();
        if self.allow_private {
            self.net.allow = self.net.allow.clone().and(Allow::private());
        }
        Ok(())
    }

    /// Opens the database; the folder of a file is made.
    pub(crate) fn open(&self) -> Result<Arc<dyn Store>> {
        if let Some(folder) = self.database_file().and_then(|file| file.parent().map(PathBuf::from)) {
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make the folder {} for the database", folder.display()))?;
        }
        let options = tidemark_store::Options { connections: self.connections, ..Default::default() };
        tidemark_store::open_with(&self.database, &options)
            .with_context(|| format!("cannot open the database {}", table::without_password(&self.database)))
    }

    /// The file of the database, if it is one.
    pub(crate) fn database_file(&self) -> Option<PathBuf> {
        let is_server = self.database.contains("://");
        (!is_server).then(|| PathBuf::from(self.database.strip_prefix("sqlite:").unwrap_or(&self.database)))
    }

    /// The client. Needs a runtime.
    pub(crate) fn client(&self) -> Result<Client> {
        let mut net = self.net.clone();
        if !self.roots.is_empty() {
            net.roots = std::fs::read(&self.roots)
                .with_context(|| format!("cannot read the certificates {} (network.roots)", self.roots))?;
        }
        if self.has_key() {
            net.browser.vault = Some(self.vault()?);
        }
        Ok(Client::new(net)?)
    }

    /// All parts put together. Needs a runtime.
    pub(crate) fn engine(&self) -> Result<Arc<Engine>> {
        self.bare_engine().map(Arc::new)
    }

    fn bare_engine(&self) -> Result<Engine> {
        let engine = Engine::new(
            self.open()?,
            Arc::new(self.client()?),
            Arc::new(System),
            self.engine.clone(),
            worker(),
        )?;
        Ok(engine.with_extractor(Arc::new(Children::new())))
    }

    /// The same, which also delivers notices. Needs a runtime.
    pub(crate) fn telling_engine(&self) -> Result<Arc<Engine>> {
        let engine = self.bare_engine()?;
        let post = self.post(Arc::clone(engine.store()))?;
        Ok(Arc::new(engine.with_post(post)))
    }
}

/// A name unique to this process.
pub(crate) fn worker() -> String {
    format!("{}-{:08x}", std::process::id(), fastrand::u32(..))
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Environment(name) => write!(f, "${name}"),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}
