//! How mail looks. Styles stand in the tags, where mail programs keep them; the sheet in the head only adds darkness and narrow screens for those that
//! read it, by class names that say what a thing is.

use crate::courier::wording::{Look, Role};
use tidemark_engine::passage::ChangeKind;

/// For programs that read it: dark colours, less room on a narrow screen.
pub(super) const SHEET: &str = "\
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.page{padding:0!important}.card{padding:20px 16px!important;border-radius:0!important;border-left:0!important;border-right:0!important}.foot{padding:16px!important}}
@media (prefers-color-scheme:dark){
body,.page{background:#14171a!important}
.card{background:#1d2125!important;border-color:#30363c!important}
.subject,.title,.words{color:#e8eaed!important}
.said,.place,.note,.foot,.brand{color:#9aa3ad!important}
.link,.title a{color:#7cb7ff!important}
.rule{border-color:#30363c!important}
.added{background:#16281d!important;border-color:#3fa364!important}
.removed{background:#2e1a1b!important;border-color:#d0605e!important}
.changed{background:#22272c!important;border-color:#8b98a5!important}
.moved{background:#18263a!important;border-color:#5b94d6!important}
.ins{color:#8ce0a8!important;background:#1b3d28!important}
.del{color:#f2a19d!important;background:#45211f!important}
.hot{background:#5a4608!important;color:#ffe69a!important}
.warm{border-color:#e2bd55!important}
.added .label{color:#6fcf92!important}.removed .label{color:#f08f8a!important}.moved .label{color:#86b6ee!important}
.reason{color:#e2bd55!important}
}";

pub(super) const BODY: &str = "margin:0;padding:0;background:#f3f5f7;-webkit-text-size-adjust:100%";
pub(super) const PAGE: &str = "background:#f3f5f7;padding:24px 12px";
pub(super) const SHELL: &str = "max-width:640px;margin:0 auto";
pub(super) const CARD: &str =
    "background:#ffffff;border:1px solid #e2e6ea;border-radius:10px;padding:28px 32px";
pub(super) const HIDDEN: &str =
    "display:none;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:transparent";
pub(super) const BRAND: &str =
    "font:600 12px/16px FONT;letter-spacing:.08em;text-transform:uppercase;color:#66707a;padding:0 0 6px";
pub(super) const SUBJECT: &str = "margin:0;font:600 21px/28px FONT;color:#1b2024;word-break:break-word";
pub(super) const GAP: &str = "padding:20px 0 0;font-size:0;line-height:0";
pub(super) const SMALL_GAP: &str = "height:6px;font-size:0;line-height:0";
pub(super) const ALONE: &str = "padding:8px 14px";
pub(super) const LABELLED: &str = "padding:2px 14px 8px";
pub(super) const RULE: &str = "border-top:1px solid #e2e6ea;font-size:0;line-height:0;height:1px";
pub(super) const FOOT: &str = "font:400 12px/18px FONT;color:#66707a;padding:16px 32px;word-break:break-word";
pub(super) const LINK: &str = "color:#0b5cad;text-decoration:underline";
const TITLE_LINK: &str = "color:#0b5cad;text-decoration:none";

/// The fonts that systems have.
const FONT: &str = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/// Writes the fonts into a style.
pub(super) fn style(text: &str) -> String {
    text.replace("FONT", FONT)
}

/// The class and the style of a line.
pub(super) const fn line(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Title => {
            ("title", "font:600 17px/24px FONT;color:#1b2024;padding:20px 0 0;word-break:break-word")
        }
        Role::Said => {
            ("said", "font:400 14px/20px FONT;color:#66707a;padding:2px 0 8px;word-break:break-word")
        }
        Role::Place => {
            ("place", "font:400 13px/18px FONT;color:#66707a;padding:12px 0 0;word-break:break-word")
        }
        Role::Passage(_) => {
            ("words", "font:400 15px/23px FONT;color:#1b2024;padding:8px 14px;word-break:break-word")
        }
        Role::Reason => {
            ("reason", "font:400 13px/18px FONT;color:#8a5a00;padding:2px 0 4px 17px;word-break:break-word")
        }
        Role::Note => ("note", "font:400 15px/23px FONT;color:#3d454c;padding:8px 0 0;word-break:break-word"),
    }
}

/// The class and the style of what stands around a passage.
pub(super) const fn frame(kind: ChangeKind) -> (&'static str, &'static str) {
    match kind {
        ChangeKind::Added => ("added", "border-left:3px solid #2e9455;background:#f0f9f3"),
        ChangeKind::Removed => ("removed", "border-left:3px solid #c94a45;background:#fdf3f2"),
        ChangeKind::Changed => ("changed", "border-left:3px solid #9aa5b0;background:#f6f8f9"),
        ChangeKind::Moved => ("moved", "border-left:3px solid #3f7fca;background:#f1f6fc"),
    }
}

/// The tag, the class and the style of words with a look.
pub(super) const fn words(look: Look) -> Option<(&'static str, &'static str, &'static str)> {
    match look {
        Look::Removed => Some((
            "del",
            "del",
            "color:#a3231d;background:#fbe1df;border-radius:3px;padding:0 2px;text-decoration:line-through",
        )),
        Look::Added => Some((
            "ins",
            "ins",
            "color:#0b5f33;background:#d5f0df;border-radius:3px;padding:0 2px;text-decoration:underline",
        )),
        Look::Went => Some(("del", "", "text-decoration:line-through")),
        Look::Plain | Look::Came => None,
    }
}

/// The word above a passage that came, went or moved as a whole: colour alone is not seen by all.
pub(super) const fn label(kind: ChangeKind) -> Option<(&'static str, &'static str)> {
    match kind {
        ChangeKind::Added => Some(("Added", "color:#1f7a45")),
        ChangeKind::Removed => Some(("Removed", "color:#a8322d")),
        ChangeKind::Moved => Some(("Moved", "color:#2c66ab")),
        ChangeKind::Changed => None,
    }
}

pub(super) const LABEL: &str = "font:600 12px/16px FONT;padding:8px 14px 0;";

/// Words of interest that came or went keep the colour of that.
pub(super) const WARM: &str = "font-weight:600;border-bottom:2px solid #d39e00";

/// The style of words that are of interest.
pub(super) const HOT: &str =
    "background:#fff0b3;color:#3d2f00;font-weight:600;border-radius:3px;padding:0 2px";

/// The style of a link by where it stands.
pub(super) const fn link(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Title => ("", TITLE_LINK),
        Role::Passage(_) => ("", "color:inherit;text-decoration:underline"),
        _ => ("link", LINK),
    }
}
