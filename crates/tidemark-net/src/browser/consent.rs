//! Dialogues about cookies: found by what their buttons say, in several languages, where something around them speaks of cookies. Those that refuse go first.
//!
//! A rule of our own. A button that something else lies over is none that a hand could press; the page as a whole is not what speaks, or every "OK" would do. Dialogues in the frames of other
//! sites are out of reach.

use super::tab::Tab;
use serde_json::json;
use std::time::Duration;
use tidemark_engine::fetch::Failure;
use tokio::time::Instant;

/// A dialogue is waited for no longer.
const DIALOGUE: Duration = Duration::from_secs(3);

/// What buttons of such dialogues say, those that refuse first. Ours, gathered by looking at sites.
const WORDS: &[&str] = &[
    "reject all",
    "reject",
    "decline",
    "decline all",
    "refuse",
    "refuse all",
    "deny",
    "deny all",
    "only necessary",
    "necessary only",
    "use necessary cookies only",
    "essential only",
    "only essential cookies",
    "accept only essential cookies",
    "continue without accepting",
    "disagree",
    "alle ablehnen",
    "ablehnen",
    "nur notwendige",
    "nur notwendige cookies",
    "nur essenzielle cookies akzeptieren",
    "nur erforderliche",
    "weiter ohne einwilligung",
    "tout refuser",
    "refuser",
    "continuer sans accepter",
    "je refuse",
    "rechazar todo",
    "rechazar todas",
    "rechazar",
    "solo necesarias",
    "rifiuta tutto",
    "rifiuta tutti",
    "rifiuta",
    "continua senza accettare",
    "solo necessari",
    "alles weigeren",
    "weigeren",
    "alleen noodzakelijke",
    "rejeitar tudo",
    "rejeitar todos",
    "rejeitar",
    "recusar",
    "odrzuć wszystkie",
    "odrzuć",
    "avvisa alla",
    "avvisa",
    "afvis alle",
    "avslå alle",
    "hylkää kaikki",
    "odmítnout vše",
    "odmítnout",
    "accept all",
    "accept all cookies",
    "accept cookies",
    "accept",
    "agree",
    "i agree",
    "agree to all",
    "allow all",
    "allow all cookies",
    "got it",
    "ok",
    "alle akzeptieren",
    "akzeptieren",
    "alles akzeptieren",
    "zustimmen",
    "einverstanden",
    "alle cookies akzeptieren",
    "tout accepter",
    "accepter",
    "j'accepte",
    "aceptar todo",
    "aceptar",
    "accetta tutto",
    "accetta",
    "alles accepteren",
    "accepteren",
    "aceitar tudo",
    "aceitar",
    "akceptuję",
    "acceptera alla",
    "accepter alle",
    "přijmout vše",
];

/// Where the best button is: one with such words, seen, in something that speaks of cookies.
const CONSENT: &str = r"function (words) {
    const rank = new Map(words.map((word, at) => [word, at]));
    const about = /cookie|consent|gdpr|dsgvo|privacy|privatsphäre|datenschutz|confidentialité|privacidad|riservatezza|souhlas|evästee/i;
    const roots = [document], buttons = [];
    for (let at = 0; at < roots.length && roots.length < 200; at++) {
        let looked = 0;
        for (const element of roots[at].querySelectorAll('*')) {
            if (++looked > 20000) break;
            if (element.shadowRoot) roots.push(element.shadowRoot);
            if (element.matches('button, a, [role=button], input[type=button], input[type=submit]')) buttons.push(element);
        }
    }
    let best = null;
    for (const button of buttons) {
        const said = (button.innerText || button.value || button.ariaLabel || '').trim().replace(/\s+/g, ' ').toLowerCase();
        const place = rank.get(said);
        const box = button.getBoundingClientRect();
        if (place === undefined || !box.width || !box.height || best && best.place <= place) continue;
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const hit = button.getRootNode().elementFromPoint(x, y);
        if (hit && !button.contains(hit)) continue;
        let around = button, speaks = false;
        for (let up = 0; up < 8 && around && !speaks && around !== document.body && around !== document.documentElement; up++) {
            const text = (around.innerText || '').slice(0, 4000);
            speaks = about.test(text) || about.test(around.id || '') || about.test(String(around.className || ''));
            around = around.parentElement || (around.getRootNode() instanceof ShadowRoot ? around.getRootNode().host : null);
        }
        if (speaks) best = { place, button };
    }
    if (!best) return null;
    best.button.scrollIntoView({ block: 'center', behavior: 'instant' });
    const box = best.button.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}";

impl Tab<'_> {
    /// Dismisses a dialogue, if one comes.
    pub(super) async fn consent(&mut self, limit: Instant) -> Result<(), Failure> {
        let limit = limit.min(Instant::now() + DIALOGUE);
        while Instant::now() < limit {
            let place = self.run(CONSENT, &[json!(WORDS)]).await?;
            if !place.is_null() {
                return self.click(&place).await;
            }
            self.look().await?;
        }
        Ok(())
    }
}
