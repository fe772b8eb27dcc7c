//! Who delivers notices: the network's couriers, and those that need this machine: feeds in files, programs of the operator.

mod atom;
mod child;

use crate::settings::{NoticeSettings, Settings};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tidemark_engine::courier::{Courier, Delivering, Refusal};
use tidemark_engine::message::Message;
use tidemark_engine::post::Post;
use tidemark_engine::secret::Sealed;
use tidemark_engine::store::Store;
use tidemark_net::Couriers;

/// All ways to deliver.
struct Ways {
    net: Couriers,
    store: Arc<dyn Store>,
    settings: NoticeSettings,
}

impl Settings {
    /// All that is needed to deliver. Needs a runtime.
    pub(crate) fn post(&self, store: Arc<dyn Store>) -> Result<Post> {
        let net = Couriers::new(&self.client()?, self.mail.clone())?;
        let courier = Arc::new(Ways { net, store, settings: self.notices.clone() });
        let settings = self.clone();
        let open = move |sealed: &Sealed| {
            let vault = settings.vault().map_err(|error| format!("{error:#}"))?;
            vault.open(sealed).map_err(|error| error.to_string())
        };
        Ok(Post { courier, open: Box::new(open), base: self.notices.base.clone() })
    }
}

impl Courier for Ways {
    fn deliver<'a>(&'a self, target: &'a str, message: &'a Message) -> Delivering<'a> {
        match target.split_once(':') {
            Some(("atom", file)) => {
                Box::pin(async move { atom::write(&self.store, Path::new(file), message).await })
            }
            Some(("hook", name)) => {
                Box::pin(async move { child::run(&self.hook(name)?, &[], &message.json().to_string()).await })
            }
            Some(("apprise", url)) => Box::pin(async move { self.apprise(url, message).await }),
            _ => self.net.deliver(target, message),
        }
    }

    fn check(&self, target: &str) -> Result<String, String> {
        match target.split_once(':') {
            Some(("atom", file)) => atom::check(Path::new(file)).map(|()| target.to_owned()),
            Some(("hook", name)) => {
                self.hook(name).map(|_| target.to_owned()).map_err(|refusal| refusal.said)
            }
            Some(("apprise", url)) => {
                self.apprise_program().map_err(|refusal| refusal.said)?;
                let (scheme, _) = url
                    .split_once("://")
                    .ok_or("write apprise: and an address of apprise, such as apprise:signal://…")?;
                Ok(format!("apprise:{scheme}://…"))
            }
            _ => self.net.check(target),
        }
    }
}

impl Ways {
    /// A program that the operator has put into the folder of hooks.
    fn hook(&self, name: &str) -> Result<PathBuf, Refusal> {
        let folder = self.settings.hooks.as_ref().ok_or_else(|| {
            Refusal::for_good("programs are not run: set notices.hooks to the folder of those that may be")
        })?;
        let plain = !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        let program = folder.join(name);
        if !plain || name.starts_with('.') || !program.is_file() {
            return Err(Refusal::for_good(format!("there is no program '{name}' in {}", folder.display())));
        }
        Ok(program)
    }

    fn apprise_program(&self) -> Result<&Path, Refusal> {
        self.settings.apprise.as_deref().ok_or_else(|| {
            Refusal::for_good("the bridge to apprise is off: set notices.apprise to where the program is")
        })
    }

    /// The address goes in a file, for the arguments of a program can be read by all users of a machine.
    async fn apprise(&self, url: &str, message: &Message) -> Result<(), Refusal> {
        let program = self.apprise_program()?;
        let config = child::private_file(&format!("{url}\n"))?;
        let file = config.path().display().to_string();
        let arguments = ["--input-format=text", "--title", &message.subject, "--config", &file];
        child::run(program, &arguments, &message.plain()).await
    }
}
