//! Where a message goes, as it is written in a channel: one address, one service. Tokens in it are shown to nobody.

use http::Uri;
use lettre::Address;
use percent_encoding::percent_decode_str;
use std::fmt;
use url::Url;

/// An address that was understood.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Target {
    Mail(Address),
    Webhook { url: Url, secret: Option<String> },
    Slack(Url),
    Teams(Url),
    Discord { id: String, token: String },
    Telegram { token: String, chat: String },
    Matrix { server: Url, token: String, room: String },
    Ntfy { server: Url, token: Option<String>, topic: String },
    Gotify { server: Url, token: String },
    Pushover { token: String, user: String },
}

/// Services with the form of their addresses.
const FORMS: [(&str, &str); 10] = [
    ("mailto", "mailto:ann@example.org"),
    ("https", "https://example.org/hook#secret=KEY"),
    ("slack", "slack://hooks.slack.com/services/T…/B…/…"),
    ("teams", "teams+https://…"),
    ("discord", "discord://ID/TOKEN"),
    ("telegram", "telegram://BOT_TOKEN@CHAT_ID"),
    ("matrix", "matrix://ACCESS_TOKEN@homeserver/!ROOM_ID"),
    ("ntfy", "ntfy://host/topic or ntfy://TOKEN@host/topic"),
    ("gotify", "gotify://host/TOKEN"),
    ("pushover", "pushover://TOKEN@USER_KEY"),
];

impl Target {
    /// Understands an address. What is said of one that is wrong does not repeat it: it may hold a token.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (scheme, rest) = text.split_once(':').ok_or_else(unknown)?;
        let scheme = scheme.to_ascii_lowercase();
        if scheme == "mailto" {
            return mail(rest);
        }
        let rest = rest.strip_prefix("//").ok_or_else(|| wrong(&scheme))?;
        let (service, web) = scheme.split_once('+').unwrap_or((&scheme, "https"));
        if !matches!(web, "http" | "https") {
            return Err(unknown());
        }
        Self::of(service, web, rest).ok_or_else(|| wrong(service))
    }

    /// As it may be shown.
    pub(crate) fn masked(&self) -> String {
        let host = |url: &Url| tidemark_engine::request::host_of(url);
        match self {
            Self::Mail(address) => format!("mailto:{address}"),
            Self::Webhook { url, .. } => format!("{}://{}/…", url.scheme(), host(url)),
            Self::Slack(url) => format!("slack://{}/…", host(url)),
            Self::Teams(url) => format!("teams://{}/…", host(url)),
            Self::Discord { id, .. } => format!("discord://{id}/…"),
            Self::Telegram { chat, .. } => format!("telegram://…@{chat}"),
            Self::Matrix { server, room, .. } => format!("matrix://…@{}/{room}", host(server)),
            Self::Ntfy { server, topic, .. } => format!("ntfy://{}/{}…", host(server), start(topic)),
            Self::Gotify { server, .. } => format!("gotify://{}/…", host(server)),
            Self::Pushover { user, .. } => format!("pushover://…@{}…", start(user)),
        }
    }

    /// What must never be seen in a message to the operator.
    pub(crate) fn secrets(&self) -> Vec<String> {
        match self {
            Self::Mail(_) => Vec::new(),
            Self::Webhook { url, secret } => secret.iter().cloned().chain(parts(url)).collect(),
            Self::Slack(url) | Self::Teams(url) => parts(url),
            Self::Ntfy { token, topic, .. } => token.iter().chain([topic]).cloned().collect(),
            Self::Pushover { token, user } => vec![token.clone(), user.clone()],
            // The number of the bot is no secret; it is found in ids of chats.
            Self::Telegram { token, .. } => {
                let key = token.split(':').nth(1).unwrap_or_default();
                vec![token.clone(), key.to_owned()]
            }
            Self::Discord { token, .. } | Self::Matrix { token, .. } | Self::Gotify { token, .. } => {
                vec![token.clone()]
            }
        }
    }

    fn of(service: &str, web: &str, rest: &str) -> Option<Self> {
        match service {
            "https" | "http" => webhook(&format!("{service}://{rest}")),
            "slack" => Some(Self::Slack(hook(web, rest)?)),
            "teams" => Some(Self::Teams(hook(web, rest)?)),
            "discord" => {
                let (id, token) = rest.split_once('/')?;
                let digits = id.bytes().all(|byte| byte.is_ascii_digit());
                let (id, token) = (digits.then(|| word(id))??, word(token)?);
                Some(Self::Discord { id, token })
            }
            "telegram" => telegram(rest),
            "matrix" => matrix(web, rest),
            "ntfy" => {
                let (token, place) = login(rest);
                let (server, topic) = place.rsplit_once('/')?;
                let token = token.map_or(Some(None), |token| word(token).map(Some))?;
                Some(Self::Ntfy { server: server_at(web, server)?, token, topic: word(topic)? })
            }
            "gotify" => {
                let (server, token) = rest.rsplit_once('/')?;
                Some(Self::Gotify { server: server_at(web, server)?, token: word(token)? })
            }
            "pushover" => {
                let (token, user) = rest.split_once('@')?;
                Some(Self::Pushover { token: word(token)?, user: word(user)? })
            }
            _ => None,
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

fn unknown() -> String {
    let forms: Vec<&str> = FORMS.iter().map(|(_, form)| *form).collect();
    format!("the address is of no service that is known; it may be {}", forms.join(", "))
}

fn wrong(service: &str) -> String {
    let service = if service == "http" { "https" } else { service.split('+').next().unwrap_or_default() };
    let form = FORMS.iter().find(|(name, _)| *name == service).map(|(_, form)| *form);
    form.map_or_else(unknown, |form| format!("the address is not complete or not well formed; write {form}"))
}

/// One address, and nothing else: no second one, no headers.
fn mail(rest: &str) -> Result<Target, String> {
    let plain = percent_decode_str(rest).decode_utf8().unwrap_or_default();
    let odd = plain
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || matches!(c, '?' | ',' | ';' | '<' | '>'));
    let address = (!odd && plain.len() <= 254).then(|| plain.parse::<Address>().ok()).flatten();
    let address = address.and_then(|address| ascii(&address));
    address.map(Target::Mail).ok_or_else(|| {
        "this is no mail address; write one, without a name or further fields: mailto:ann@example.org"
            .to_owned()
    })
}

/// With the name of the host as it goes over the wire: not every server takes others.
pub(super) fn ascii(address: &Address) -> Option<Address> {
    let host = url::Host::parse(address.domain()).ok()?.to_string();
    Address::new(address.user(), host).ok()
}

fn webhook(text: &str) -> Option<Target> {
    let mut url = Url::parse(text).ok().filter(Url::has_host)?;
    let secret = match url.fragment() {
        None => None,
        Some(fragment) => {
            let key = fragment.strip_prefix("secret=").filter(|key| !key.is_empty())?;
            Some(percent_decode_str(key).decode_utf8().ok()?.into_owned())
        }
    };
    url.set_fragment(None);
    Some(Target::Webhook { url, secret })
}

fn hook(web: &str, rest: &str) -> Option<Url> {
    let url = Url::parse(&format!("{web}://{rest}")).ok()?;
    let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (url.has_host() && plain && url.path().len() > 1).then_some(url)
}

fn telegram(rest: &str) -> Option<Target> {
    let (token, chat) = rest.split_once('@')?;
    let (bot, key) = token.split_once(':')?;
    word(key)?;
    let named = chat.strip_prefix('@').unwrap_or_else(|| chat.strip_prefix('-').unwrap_or(chat));
    let numbered = chat.starts_with('@') || named.bytes().all(|byte| byte.is_ascii_digit());
    let sound = !bot.is_empty() && bot.bytes().all(|byte| byte.is_ascii_digit()) && numbered;
    word(named).filter(|_| sound).map(|_| Target::Telegram { token: token.to_owned(), chat: chat.to_owned() })
}

fn matrix(web: &str, rest: &str) -> Option<Target> {
    let (token, place) = login(rest);
    let (server, room) = place.split_once('/')?;
    let room = percent_decode_str(room).decode_utf8().ok()?.into_owned();
    let sound =
        room.len() > 1 && room.starts_with('!') && room.len() < 256 && !room.contains(char::is_control);
    let (server, token) = (server_at(web, server)?, word(token?)?);
    sound.then_some(Target::Matrix { server, token, room })
}

fn login(rest: &str) -> (Option<&str>, &str) {
    let end = rest.find('/').unwrap_or(rest.len());
    rest[..end].rfind('@').map_or((None, rest), |at| (Some(&rest[..at]), &rest[at + 1..]))
}

fn server_at(web: &str, place: &str) -> Option<Url> {
    let url = Url::parse(&format!("{web}://{place}/")).ok()?;
    let plain = url.username().is_empty() && url.query().is_none() && url.fragment().is_none();
    (plain && url.has_host()).then_some(url)
}

/// Letters, digits and the few signs that keys are made of: it goes into paths and headers.
fn word(text: &str) -> Option<String> {
    let sound =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'=' | b'+');
    let sane =
        !text.is_empty() && text.len() <= 512 && text.bytes().all(sound) && text.parse::<Uri>().is_ok();
    (sane && !matches!(text, "." | "..")).then(|| text.to_owned())
}

fn parts(url: &Url) -> Vec<String> {
    let whole =
        [url.password().unwrap_or_default(), url.path().trim_matches('/'), url.query().unwrap_or_default()];
    let pieces = url.path_segments().into_iter().flatten();
    whole.into_iter().chain(pieces).filter(|part| part.len() >= 6).map(str::to_owned).collect()
}

fn start(text: &str) -> &str {
    &text[..text.len().min(3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_service_has_its_form_and_shows_no_token() {
        for (text, shown) in [
            ("mailto:ann@example.org", "mailto:ann@example.org"),
            ("mailto:ann@bücher.example", "mailto:ann@xn--bcher-kva.example"),
            ("MAILTO:ann+news@example.org", "mailto:ann+news@example.org"),
            ("https://u:TOKEN12@example.org:8443/hooks/TOKEN12#secret=TOKEN12", "https://example.org:8443/…"),
            ("slack://hooks.slack.com/services/T1/B1/TOKEN12", "slack://hooks.slack.com/…"),
            ("slack+https://hooks.slack.com/services/T1/B1/TOKEN12", "slack://hooks.slack.com/…"),
            ("teams+https://x.logic.azure.com/workflows/1?sig=TOKEN12", "teams://x.logic.azure.com/…"),
            ("discord://123/TOKEN12", "discord://123/…"),
            ("telegram://123:TOKEN12@-1001", "telegram://…@-1001"),
            ("telegram://123:TOKEN12@@news", "telegram://…@@news"),
            ("matrix://TOKEN12@example.org/!room:example.org", "matrix://…@example.org/!room:example.org"),
            ("ntfy://ntfy.sh/topicTOKEN12", "ntfy://ntfy.sh/top…"),
            ("ntfy+http://TOKEN12@10.0.0.1:80/a/topic", "ntfy://10.0.0.1/top…"),
            ("gotify://push.example/sub/TOKEN12", "gotify://push.example/…"),
            ("pushover://TOKEN12@userTOKEN12", "pushover://…@use…"),
        ] {
            let target = Target::parse(text).unwrap();
            assert_eq!(target.masked(), shown);
            assert!(!format!("{target:?}").contains("TOKEN12"));
            let hidden =
                !text.contains("TOKEN12") || target.secrets().iter().any(|secret| secret.contains("TOKEN12"));
            assert!(hidden, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_without_repeating_it() {
        for text in [
            "",
            "ann@example.org",
            "mailto:",
            "mailto:a@b,c@d",
            "mailto:a@b?bcc=c@d",
            "mailto:a@b%0d%0aBcc:c@d",
            "mailto:Ann <a@b>",
            "https://",
            "https://h/#TOKEN12",
            "https://h/#secret=",
            "ftp://h/TOKEN12",
            "slack://hooks.slack.com",
            "discord://x/TOKEN12",
            "discord://1/TOKEN12/../x",
            "telegram://TOKEN12@1",
            "telegram://1:TOKEN12@",
            "telegram://1:TOKEN12@1/x",
            "matrix://h/!r:h",
            "matrix://TOKEN12@h/#alias:h",
            "ntfy://h/",
            "ntfy://h/a b",
            "gotify://h/",
            "gotify://TOKEN12",
            "pushover://TOKEN12",
            "pushover://TOKEN12@a/b",
            "slack+ftp://h/TOKEN12",
            "telegram:1",
        ] {
            let said = Target::parse(text).unwrap_err();
            assert!(!said.contains("TOKEN12") && said.len() > 40, "{text}: {said}");
        }
    }
}
