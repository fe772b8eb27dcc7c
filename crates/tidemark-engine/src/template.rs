//! Texts of a reader's own. Logic-light: values, conditions and loops over what is told; no files, no network, no clock; so many steps and so many bytes.
//!
//! The language is Jinja's, by minijinja without a loader: nothing can be included. What goes wrong while writing is said in place of the text, so that a
//! notice is never lost for its template.

use crate::channel::Template;
use crate::message::Message;
use minijinja::{Environment, UndefinedBehavior};
use std::io::{self, Write};

/// Steps of one template, and the most bytes it may write.
const FUEL: u64 = 200_000;
const MOST_BYTES: usize = 64 << 10;
/// The longest template.
const LONGEST: usize = 16 << 10;

/// The message with the reader's own texts in it.
pub(crate) fn applied(mut message: Message, template: Option<&Template>) -> Message {
    let Some(template) = template else { return message };
    let body = template.body.as_deref().map(|body| written(body, &message));
    if let Some(Ok(subject)) = template.subject.as_deref().map(|subject| written(subject, &message)) {
        let line = subject.split_whitespace().collect::<Vec<_>>().join(" ");
        let line: String = tidemark_core::render::text::clean(&line).chars().take(200).collect();
        message.subject = if line.is_empty() { message.subject } else { line };
    }
    message.text = body.map(|body| {
        body.unwrap_or_else(|reason| {
            format!("{}\n\n(The template of this channel could not be used: {reason})", message.subject)
        })
    });
    message
}

/// Whether a template can be read; the reason if not.
pub fn check(text: &str) -> Result<(), String> {
    if text.len() > LONGEST {
        return Err(format!("a template may have {LONGEST} bytes; this one has {}", text.len()));
    }
    let environment = environment();
    environment.template_from_str(text).map(drop).map_err(|error| said(&error))
}

fn written(text: &str, message: &Message) -> Result<String, String> {
    check(text)?;
    let environment = environment();
    let template = environment.template_from_str(text).map_err(|error| said(&error))?;
    let mut page = Bounded(Vec::new());
    let result = template.render_captured_to(minijinja::value::Serde(message), &mut page);
    let full = page.0.len() >= MOST_BYTES;
    match result {
        Ok(_) => Ok(text_of(page.0)),
        Err(_) if full => Ok(text_of(page.0) + "…"),
        Err(error) => Err(said(&error)),
    }
}

fn environment<'a>() -> Environment<'a> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(20);
    environment.add_filter("upper", |text: String| text.to_uppercase());
    environment.add_filter("lower", |text: String| text.to_lowercase());
    environment.add_filter("trim", |text: String| text.trim().to_owned());
    environment.add_filter("join", minijinja::filters::join);
    environment.add_filter("length", minijinja::filters::length);
    environment.add_filter("first", minijinja::filters::first);
    environment.add_filter("default", minijinja::filters::default);
    environment
}

fn said(error: &minijinja::Error) -> String {
    let line = error.line().map(|line| format!(" in line {line}")).unwrap_or_default();
    format!("{}{line}: {}", error.kind(), error.detail().unwrap_or("it cannot be read"))
}

fn text_of(mut bytes: Vec<u8>) -> String {
    bytes.truncate(MOST_BYTES);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Takes so many bytes and no more.
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() >= MOST_BYTES {
            return Err(io::Error::other("the text is too long"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::Kind;
    use crate::message::Told;
    use crate::watch::WatchId;

    fn message() -> Message {
        let told = Told {
            watch: WatchId(3),
            name: "Kettles".to_owned(),
            url: "https://shop.test/".parse().unwrap(),
            kind: Kind::Change,
            at: jiff::Timestamp::UNIX_EPOCH,
            said: "1 changed".to_owned(),
            change: None,
            versions: None,
            severity: 0.5,
            interest: 0.0,
            passages: Vec::new(),
            more: 0,
            link: None,
        };
        Message {
            key: "k-1".to_owned(),
            made: jiff::Timestamp::UNIX_EPOCH,
            subject: "Kettles: 1 changed".to_owned(),
            text: None,
            items: vec![told],
            more: 0,
            thread: "watch-3".to_owned(),
            stop: String::new(),
            via: crate::channel::ChannelId(1),
            channel: "mine".to_owned(),
        }
    }

    fn with_body(body: &str) -> String {
        let template = Template { subject: None, body: Some(body.to_owned()) };
        applied(message(), Some(&template)).text.unwrap()
    }

    #[test]
    fn values_and_loops_work() {
        let text = with_body(
            "{% for item in items %}{{ item.name|upper }} ({{ item.watch }}): {{ item.said }}{% endfor %}",
        );
        assert_eq!(text, "KETTLES (3): 1 changed");
        assert_eq!(with_body("{{ nothing.at.all }}!"), "!");
    }

    #[test]
    fn a_template_ends_and_is_bounded() {
        let endless =
            "{% for a in items|first|default('x') %}{% endfor %}{% for x in 'a'*9999999 %}x{% endfor %}";
        assert!(with_body(endless).len() < MOST_BYTES + 500);
        let long = format!(
            "{{% for i in items %}}{{% for j in '{}' %}}{{{{ subject }}}}{{% endfor %}}{{% endfor %}}",
            "x".repeat(9000)
        );
        assert!(with_body(&long).len() <= MOST_BYTES + 500);
    }

    #[test]
    fn nothing_can_be_reached_from_it() {
        for body in [
            "{% include '/etc/passwd' %}",
            "{{ env }}{% import 'x' as y %}",
            "{{ range(10) }}",
            "{{ debug() }}",
        ] {
            let text = with_body(body);
            assert!(text.contains("could not be used"), "{body}: {text}");
        }
    }

    #[test]
    fn a_subject_is_one_line() {
        let template = Template { subject: Some("a\r\nBcc: b@c\n{{ subject }}".to_owned()), body: None };
        let message = applied(message(), Some(&template));
        assert_eq!(message.subject, "a Bcc: b@c Kettles: 1 changed");
        assert_eq!(message.text, None);
    }
}
