//! How a page is rendered, from the options of the command line. Secrets are sealed here, before anything is stored or shown.

use crate::cli::{RenderOptions, RenderWhen};
use crate::settings::Settings;
use crate::terminal;
use anyhow::{Context, Result, bail};
use tidemark_engine::render::{Render, Step, When};
use tidemark_engine::secret::Sealed;

/// Reads the options; what belongs to a browser makes one needed.
pub(super) fn render(options: &RenderOptions, settings: &Settings) -> Result<Render> {
    let usual = Render::default();
    let steps = options.step.iter().map(|step| read(step, settings)).collect::<Result<Vec<_>>>()?;
    let asks = !steps.is_empty()
        || options.wait_for.is_some()
        || options.device.is_some()
        || options.locale.is_some();
    let asks = asks || options.picture || options.patience.is_some();
    let when = options.render.map_or(if asks { When::Always } else { When::Never }, RenderWhen::when);
    if when == When::Never && asks {
        bail!("--render never, and a browser asked for by another option: leave one of them out");
    }
    Ok(Render {
        when,
        wait_for: options.wait_for.clone(),
        patience: options.patience.unwrap_or(usual.patience),
        steps,
        device: options.device.unwrap_or_default(),
        locale: options.locale.clone(),
        picture: !options.no_picture || when == When::Never,
    })
}

fn read(text: &str, settings: &Settings) -> Result<Step> {
    Step::parse(text, |field, variable| seal(field, variable, settings)).context("--step")
}

/// The secret for a field: from a variable, else asked for on the terminal.
fn seal(field: &str, variable: Option<&str>, settings: &Settings) -> Result<Sealed, String> {
    let secret = match variable {
        Some(name) => std::env::var(name).map_err(|_| format!("the variable {name} is not set"))?,
        None => terminal::secret(&format!("Secret for {field}: ")).map_err(|error| error.to_string())?,
    };
    if secret.is_empty() {
        return Err("it is empty".to_owned());
    }
    settings.seal(&secret).map_err(|error| format!("{error:#}"))
}
