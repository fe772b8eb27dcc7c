//! The one table of settings.

use super::Settings;
use super::form::{Form, number, optional, size, size_text, span_text, switch};
use tidemark_engine::span;
use url::Url;

/// One setting: how it is called, what it is, how it is read and shown.
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) form: Form,
    pub(crate) help: &'static str,
    /// Whether its value is a URL that may hold a password.
    secret: bool,
    pub(super) set: fn(&mut Settings, &str) -> Result<(), String>,
    pub(super) get: fn(&Settings) -> String,
}

/// A setting of a form that has its own way to be read and shown.
macro_rules! setting {
    ($name:literal, $help:literal, Text, $($place:ident).+) => {
        plain($name, $help, Form::Text, |s, text| { s.$($place).+ = text.to_owned(); Ok(()) }, |s| s.$($place).+.clone())
    };
    ($name:literal, $help:literal, Number($least:literal), $($place:ident).+) => {
        plain($name, $help, Form::Number, |s, text| { s.$($place).+ = number(text, &$least)?; Ok(()) }, |s| s.$($place).+.to_string())
    };
    ($name:literal, $help:literal, Switch, $($place:ident).+) => {
        plain($name, $help, Form::Switch, |s, text| { s.$($place).+ = switch(text)?; Ok(()) }, |s| s.$($place).+.to_string())
    };
    ($name:literal, $help:literal, Span, $($place:ident).+) => {
        plain($name, $help, Form::Span, |s, text| { s.$($place).+ = span::parse(text)?; Ok(()) }, |s| span_text(s.$($place).+))
    };
    ($name:literal, $help:literal, MaybeSpan, $($place:ident).+) => {
        plain($name, $help, Form::Span, |s, text| { s.$($place).+ = optional(text, span::parse)?; Ok(()) }, |s| shown(s.$($place).+, span_text))
    };
    ($name:literal, $help:literal, Size($kind:ty), $($place:ident).+) => {
        plain($name, $help, Form::Size, |s, text| { s.$($place).+ = size(text)? as $kind; Ok(()) }, |s| size_text(s.$($place).+ as u64))
    };
}

pub(crate) const TABLE: &[Setting] = &[
    Setting {
        secret: true,
        ..setting!(
            "database",
            "where everything is kept: a file, or postgres://user:password@host/name",
            Text,
            database
        )
    },
    setting!("connections", "connections to PostgreSQL at most", Number(1), connections),
    setting!("schedule.concurrency", "visits under way at a time", Number(1), engine.concurrency),
    setting!(
        "schedule.visits_per_second",
        "visits a second at most, also when many are overdue",
        Number(0.001),
        engine.visits_per_second
    ),
    setting!(
        "schedule.visits_per_page",
        "visits that a page gets on average, a day; those that change often get more of them",
        Number(0.001),
        engine.visits_per_page
    ),
    setting!(
        "schedule.least",
        "shortest time between two visits of a page, where its watches do not say",
        Span,
        least
    ),
    setting!(
        "schedule.most",
        "longest time between two visits of a page, where its watches do not say",
        Span,
        most
    ),
    setting!("schedule.spacing", "pause between two visits to one host", Span, engine.spacing),
    setting!(
        "schedule.lease",
        "after which a page is visited again if a process began and did not end",
        Span,
        engine.lease
    ),
    setting!(
        "schedule.follow_entries",
        "whether new entries of a watched feed are looked at once, to see redesigns",
        Switch,
        engine.follow_entries
    ),
    plain(
        "network.contact",
        "where the people behind this instance are found: a URL or a mail address, told to every site",
        Form::Text,
        |s, text| {
            s.net.contact = optional(text, |text| Ok(text.to_owned()))?;
            Ok(())
        },
        |s| s.net.contact.clone().unwrap_or_default(),
    ),
    Setting {
        secret: true,
        ..plain(
            "network.proxy",
            "a proxy that everything goes through: http:// or socks5://",
            Form::Text,
            |s, text| {
                s.net.proxy = optional(text, url)?;
                Ok(())
            },
            |s| shown(s.net.proxy.clone(), |url| url.to_string()),
        )
    },
    plain(
        "network.allow",
        "addresses that are not public and may be visited all the same: addresses and ranges such as 10.0.0.0/8, with commas",
        Form::Text,
        |s, text| {
            s.allow = text.parse().map_err(|error: tidemark_net::AllowError| error.to_string())?;
            Ok(())
        },
        |s| s.allow.to_string(),
    ),
    setting!(
        "network.allow_private",
        "whether all addresses of one's own machine and network may be visited",
        Switch,
        allow_private
    ),
    setting!("network.roots", "a file of further root certificates (PEM) to trust", Text, roots),
    setting!("network.connect", "how long looking up a name and connecting may take", Span, net.connect),
    setting!("network.first_byte", "how long a server may think", Span, net.first_byte),
    setting!("network.idle", "how long it may pause within its answer", Span, net.idle),
    setting!("network.total", "how long a visit may take in all", Span, net.total),
    setting!("network.wire", "bytes of an answer that are read", Size(u64), net.wire),
    setting!("network.unpacked", "bytes that it may have when unpacked", Size(u64), net.unpacked),
    setting!("network.redirects", "redirects that are followed", Number(0), net.redirects),
    setting!("network.per_host", "visits to one host at a time", Number(1), net.per_host),
    plain(
        "browser.program",
        "the Chromium that renders pages; empty for the first one in the path",
        Form::Text,
        |s, text| {
            s.net.browser.program = optional(text, |text| Ok(text.into()))?;
            Ok(())
        },
        |s| shown(s.net.browser.program.clone(), |path| path.display().to_string()),
    ),
    setting!("browser.concurrency", "browsers at a time, one page each", Number(1), net.browser.concurrency),
    setting!(
        "browser.memory",
        "bytes of memory that a browser may use; beyond, it is killed",
        Size(u64),
        net.browser.memory
    ),
    setting!("browser.pages", "pages after which a browser is replaced", Number(1), net.browser.pages),
    setting!("browser.time", "how long a page may take in a browser, steps and all", Span, net.browser.time),
    setting!(
        "retention.age",
        "versions older than this go, unless they are the first, the last, or the last of a day or month; empty for never",
        MaybeSpan,
        engine.retention.age
    ),
    plain(
        "retention.versions",
        "versions that a page keeps at most; empty for all",
        Form::Number,
        |s, text| {
            s.engine.retention.versions = optional(text, |text| number(text, &2))?;
            Ok(())
        },
        |s| shown(s.engine.retention.versions, |n| n.to_string()),
    ),
    plain(
        "retention.bytes",
        "bytes that the versions of a page take at most, as stored; empty for no limit",
        Form::Size,
        |s, text| {
            s.engine.retention.bytes = optional(text, size)?;
            Ok(())
        },
        |s| shown(s.engine.retention.bytes, size_text),
    ),
    setting!(
        "retention.visits",
        "visits older than this go; empty for never",
        MaybeSpan,
        engine.retention.visits
    ),
    Setting {
        secret: true,
        ..plain(
            "mail.server",
            "the server that takes mail: smtp://user:password@host:587 (STARTTLS), smtps://user:password@host:465",
            Form::Text,
            |s, text| {
                s.mail.server = optional(text, url)?;
                Ok(())
            },
            |s| shown(s.mail.server.clone(), |url| url.to_string()),
        )
    },
    plain(
        "mail.from",
        "who mail is from, such as Tidemark <tidemark@example.org>",
        Form::Text,
        |s, text| {
            s.mail.from = optional(text, |text| Ok(text.to_owned()))?;
            Ok(())
        },
        |s| s.mail.from.clone().unwrap_or_default(),
    ),
    plain(
        "mail.hello",
        "the name of this machine, told to the mail server; its address if there is none",
        Form::Text,
        |s, text| {
            s.mail.hello = optional(text, |text| Ok(text.to_owned()))?;
            Ok(())
        },
        |s| s.mail.hello.clone().unwrap_or_default(),
    ),
    plain(
        "notices.base",
        "where changes are shown on the web, for links in notices, such as https://tidemark.example.org/",
        Form::Text,
        |s, text| {
            s.notices.base = optional(text, url)?;
            Ok(())
        },
        |s| shown(s.notices.base.clone(), |url| url.to_string()),
    ),
    plain(
        "notices.hooks",
        "a folder of programs that hook: channels may run; none are run without it",
        Form::Text,
        |s, text| {
            s.notices.hooks = optional(text, |text| Ok(text.into()))?;
            Ok(())
        },
        |s| shown(s.notices.hooks.clone(), |path| path.display().to_string()),
    ),
    plain(
        "notices.apprise",
        "the program apprise, for apprise: channels; it opens connections of its own, past the guard",
        Form::Text,
        |s, text| {
            s.notices.apprise = optional(text, |text| Ok(text.into()))?;
            Ok(())
        },
        |s| shown(s.notices.apprise.clone(), |path| path.display().to_string()),
    ),
    setting!(
        "secrets.key_file",
        "the key that passwords and tokens are sealed with, made at the first need; empty for tidemark.key beside the database file, or beside the settings",
        Text,
        key_file
    ),
    setting!("engine.cache", "bytes of memory for versions read lately", Size(usize), engine.cache),
];

impl Setting {
    /// A value as it may be shown.
    pub(crate) fn hidden(&self, value: &str) -> String {
        if self.secret { without_password(value) } else { value.to_owned() }
    }
}

/// "; did you mean …?", if a name is near.
pub(super) fn hint(name: &str) -> String {
    let score = |setting: &Setting| {
        let last = setting.name.rsplit('.').next().unwrap_or_default();
        strsim::jaro_winkler(name, setting.name).max(strsim::jaro_winkler(name, last))
    };
    let nearest = TABLE.iter().max_by(|one, other| score(one).total_cmp(&score(other)));
    let near = nearest.filter(|setting| score(setting) > 0.8);
    near.map_or_else(String::new, |setting| format!("; did you mean '{}'?", setting.name))
}

/// A URL whose password is not shown; what cannot be read as one is shown as it is only if it cannot hold any.
pub(crate) fn without_password(text: &str) -> String {
    match Url::parse(text) {
        Ok(mut url) if url.password().is_some() => {
            let _ = url.set_password(Some("***"));
            url.query_pairs().any(|(key, _)| key == "password").then(|| url.set_query(None));
            url.to_string()
        }
        Ok(url) if url.query_pairs().any(|(key, _)| key == "password") => {
            text.split('?').next().unwrap_or_default().to_owned() + "?password=***"
        }
        Err(_) if text.contains('@') && text.contains("://") => "***".to_owned(),
        _ => text.to_owned(),
    }
}

const fn plain(
    name: &'static str,
    help: &'static str,
    form: Form,
    set: fn(&mut Settings, &str) -> Result<(), String>,
    get: fn(&Settings) -> String,
) -> Setting {
    Setting { name, form, help, secret: false, set, get }
}

fn shown<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or_else(String::new, show)
}

fn url(text: &str) -> Result<Url, String> {
    Url::parse(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_default_can_be_written_and_read_back() {
        let defaults = Settings::default();
        for setting in TABLE {
            let mut settings = Settings::default();
            let text = (setting.get)(&defaults);
            assert_eq!((setting.set)(&mut settings, &text), Ok(()), "{}", setting.name);
            assert_eq!((setting.get)(&settings), text, "{}", setting.name);
        }
    }

    #[test]
    fn passwords_are_never_shown() {
        for text in [
            "postgres://ann:secret@db/x",
            "postgres://db/x?user=ann&password=secret",
            "socks5://a:secret@[x/",
            "http://u:secret@proxy:3128/",
        ] {
            assert!(!without_password(text).contains("secret"), "{text}");
        }
        assert_eq!(without_password("/var/lib/t.db"), "/var/lib/t.db");
    }

    #[test]
    fn a_wrong_name_is_set_right() {
        assert_eq!(hint("schedule.concurency"), "; did you mean 'schedule.concurrency'?");
        assert_eq!(hint("proxy"), "; did you mean 'network.proxy'?");
        assert_eq!(hint("qqqq"), "");
    }

    #[test]
    fn lengths_may_be_anything_positive() {
        let mut settings = Settings::default();
        let least = TABLE.iter().find(|setting| setting.name == "schedule.least").unwrap();
        assert_eq!((least.set)(&mut settings, "90s"), Ok(()));
        assert_eq!(settings.least, Duration::from_secs(90));
        assert!((least.set)(&mut settings, "soon").is_err());
    }
}
