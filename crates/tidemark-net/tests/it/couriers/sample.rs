//! Messages to deliver: one as it comes every day, one from a page that means harm.

use tidemark_engine::channel::Kind;
use tidemark_engine::message::{Message, Told};
use tidemark_engine::passage::{ChangeKind, Passage, SpanKind, Stretch};
use tidemark_engine::record::ChangeId;
use tidemark_engine::watch::WatchId;

/// What a page would say to break a message.
pub(crate) const HARM: &str = "<b>x</b> </s></u></a> <!channel> <@U1|x> <https://evil.example|click> @everyone @room @here *b* _i_ ~s~ `c` ```c``` \
    [click](https://evil.example) ||spoiler|| # head > quote & &lt; &amp;lt; \"q\" 'q' <a href=\"javascript:alert(1)\">x</a> /start #tag $USD evil.example \
    www.evil.example https://evil.example {{DATE(2017-02-14T06:00:00Z,SHORT)}} \\* \\ <t:0:R> :smile: -# sub 1. list - list";

/// As it comes every day.
pub(crate) fn message() -> Message {
    Message {
        key: "n-0193a7c2-41".into(),
        made: "2026-11-15T08:30:00Z".parse().unwrap(),
        subject: "Kettles and more: 3 changes".into(),
        text: None,
        items: vec![kettles(), gone()],
        more: 2,
        thread: "watch 7".into(),
        stop: "To end these messages: tidemark notify remove 3".into(),
        via: tidemark_engine::channel::ChannelId(1),
        channel: "ann".into(),
    }
}

fn kettles() -> Told {
    Told {
        watch: WatchId(7),
        name: "Kettles".into(),
        url: "https://shop.example/kettles?a=1&b=2".parse().unwrap(),
        kind: Kind::Change,
        at: "2026-11-15T08:29:58Z".parse().unwrap(),
        said: "3 passages changed, 1 of interest".into(),
        change: Some(ChangeId(41)),
        versions: Some((3, 4)),
        severity: 0.25,
        interest: 0.8,
        passages: vec![
            passage(
                ChangeKind::Changed,
                &["Prices", "Kettles"],
                &[
                    (SpanKind::Same, "The steel kettle costs ", false),
                    (SpanKind::Removed, "49.90", false),
                    (SpanKind::Added, "39.90", true),
                    (SpanKind::Same, " € until Sunday.", false),
                ],
                &["names 'price', which you typed"],
            ),
            passage(
                ChangeKind::Added,
                &["Prices", "Kettles"],
                &[(SpanKind::Added, "A glass kettle with a thermometer is new in the shop.", false)],
                &[],
            ),
            passage(ChangeKind::Removed, &["News"], &[(SpanKind::Removed, "Closed on Monday.", false)], &[]),
        ],
        more: 4,
        link: Some("https://tidemark.example/changes/41".parse().unwrap()),
    }
}

fn gone() -> Told {
    Told {
        watch: WatchId(9),
        name: "Timetable".into(),
        url: "https://bus.example/".parse().unwrap(),
        kind: Kind::Unwell,
        at: "2026-11-15T08:30:00Z".parse().unwrap(),
        said: "the page is gone (status 410)".into(),
        change: None,
        versions: None,
        severity: 1.0,
        interest: 0.0,
        passages: Vec::new(),
        more: 0,
        link: None,
    }
}

/// Every text of it was written by somebody who means harm.
pub(crate) fn hostile(text: &str) -> Message {
    let mut message = message();
    message.subject = text.into();
    message.stop = text.into();
    for told in &mut message.items {
        (told.name, told.said) = (text.into(), text.into());
        for passage in &mut told.passages {
            passage.place = Some(vec![text.into(), text.into()]);
            passage.reasons = vec![text.into()];
            passage.link = Some("javascript:alert(1)".into());
            passage.spans.iter_mut().for_each(|stretch| stretch.text = text.into());
        }
    }
    message
}

pub(crate) fn passage(
    kind: ChangeKind,
    place: &[&str],
    spans: &[(SpanKind, &str, bool)],
    reasons: &[&str],
) -> Passage {
    let stretch = |(kind, text, of_interest): &(SpanKind, &str, bool)| Stretch {
        kind: *kind,
        text: (*text).to_owned(),
        of_interest: *of_interest,
    };
    Passage {
        kind,
        place: Some(place.iter().map(|name| (*name).to_owned()).collect()),
        spans: spans.iter().map(stretch).collect(),
        link: None,
        reasons: reasons.iter().map(|reason| (*reason).to_owned()).collect(),
    }
}
