//! Mail through a real server, read back by a real parser.

use super::deliver;
use super::sample::{HARM, hostile, message, passage};
use super::smtp::MailServer;
use crate::rude::{Act, Rude};
use crate::{Fake, client, settings};
use mail_parser::{HeaderValue, Message as Letter, MessageParser, MimeHeaders};
use tidemark_engine::courier::Courier;
use tidemark_engine::passage::{ChangeKind, SpanKind};
use tidemark_net::{Couriers, MailSettings};

const LOGIN: &str = "ann%40example.org:p%40ss%20word@";
const ANN: &str = "mailto:ann@example.org";

#[tokio::test]
async fn mail_arrives_encrypted_and_logged_in_over_one_connection() {
    for (mode, scheme) in [("starttls", "smtp"), ("tls", "smtps")] {
        let Some(server) = MailServer::start(mode) else { return };
        let couriers = server.couriers(scheme, LOGIN, "");
        for _ in 0..3 {
            deliver(&couriers, ANN, &message()).await.unwrap_or_else(|refusal| panic!("{mode}: {refusal:?}"));
        }
        let arrived = server.arrived();
        assert_eq!(arrived.len(), 3);
        for (about, _) in &arrived {
            assert_eq!(
                (&about["to"][0], &about["user"]),
                (&"ann@example.org".into(), &"ann@example.org".into())
            );
            assert_eq!((&about["encrypted"], &about["from"]), (&true.into(), &"watch@tide.example".into()));
            assert_eq!(about["connection"], 1, "used again");
        }
    }
}

#[tokio::test]
async fn both_parts_say_what_changed() {
    let Some(server) = MailServer::start("starttls") else { return };
    deliver(&server.couriers("smtp", LOGIN, ""), ANN, &message()).await.unwrap();
    let (_, bytes) = server.arrived().remove(0);
    let letter = MessageParser::default().parse(&bytes).unwrap();
    assert!(letter.content_type().is_some_and(|kind| kind.subtype() == Some("alternative")));
    let plain = letter.body_text(0).unwrap();
    for line in [
        "Kettles\n3 passages changed, 1 of interest\nhttps://shop.example/kettles?a=1&b=2\n",
        "@@ Prices › Kettles @@\n~ The steel kettle costs [-49.90-]{+*39.90*+} € until Sunday.\n  * names 'price', which you typed\n",
        "+ A glass kettle",
        "@@ News @@\n- Closed on Monday.\n… and 4 more\n",
        "the change: https://tidemark.example/changes/41\n",
        "… and 2 more\n\n-- \nTo end these messages: tidemark notify remove 3\n",
    ] {
        assert!(plain.replace("\r\n", "\n").contains(line), "no {line:?} in\n{plain}");
    }
    let html = letter.body_html(0).unwrap();
    for part in [
        ">49.90</del>",
        ">39.90</b></ins>",
        "Prices › Kettles",
        "which you typed",
        "tidemark notify remove 3",
    ] {
        assert!(html.contains(part), "no {part} in\n{html}");
    }
    assert!(html.contains("href=\"https://tidemark.example/changes/41\""));
    assert!(html.contains("href=\"https://shop.example/kettles?a=1&amp;b=2\""));
    // To look at it.
    if let Some(path) = std::env::var_os("TIDEMARK_SHOW_MAIL") {
        std::fs::write(path, html.as_bytes()).unwrap();
    }
    assert!(
        !html.contains("<img") && !html.contains("<script") && !html.contains(" src="),
        "nothing is loaded"
    );
}

#[tokio::test]
async fn headers_hold_what_they_should() {
    let Some(server) = MailServer::start("starttls") else { return };
    let couriers = server.couriers("smtp", LOGIN, "");
    let mut second = message();
    (second.key, second.subject) = ("n-2 \r\nX: y".into(), "Käse 🧀 – neu".into());
    let mut other = message();
    (other.key, other.thread) = ("n-3".into(), "watch 8".into());
    for message in [&message(), &second, &other] {
        deliver(&couriers, ANN, message).await.unwrap();
    }
    let arrived = server.arrived();
    let letters: Vec<Letter<'_>> =
        arrived.iter().map(|(_, bytes)| MessageParser::default().parse(bytes).unwrap()).collect();
    let first = &letters[0];
    assert_eq!(first.message_id(), Some("n-0193a7c2-41@tide.example"));
    assert_eq!(first.date().map(mail_parser::DateTime::to_timestamp), Some(message().made.as_second()));
    assert_eq!(first.from().and_then(|from| from.first()).and_then(|from| from.name()), Some("Tidemark"));
    assert_eq!(first.header_raw("Auto-Submitted").map(str::trim), Some("auto-generated"));
    assert_eq!(
        first.header_raw("List-Unsubscribe").map(str::trim),
        Some("<mailto:watch@tide.example?subject=stop%20ann>")
    );
    assert_eq!(letters[1].subject(), Some("Käse 🧀 – neu"));
    assert!(letters[1].header("X").is_none() && letters[1].message_id().is_some_and(|id| !id.contains(' ')));
    let root = |letter: &Letter<'_>| match (letter.in_reply_to(), letter.references()) {
        (HeaderValue::Text(to), HeaderValue::Text(of)) if to == of => to.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(root(first), root(&letters[1]));
    assert_ne!(root(first), root(&letters[2]));
}

#[tokio::test]
async fn no_page_writes_into_the_headers() {
    let Some(server) = MailServer::start("open") else { return };
    let couriers = server.couriers("smtp", "", "?tls=none");
    let texts = [
        "Sale\r\nBcc: victim@example.org\r\n\r\nbody".to_owned(),
        "a\u{2028}b\u{2029}c\u{85}d\rE\nf\u{0}g".to_owned(),
        "x".repeat(10_000),
        "ü\r\n ".repeat(3000),
        "\u{202e}gnp.exe \u{2066}x".to_owned(),
        "=?utf-8?q?=0d=0aBcc:_x@y?=".to_owned(),
        HARM.to_owned(),
        ".\r\n.\r\nQUIT\r\n".to_owned(),
        String::new(),
    ];
    for text in &texts {
        let mut message = hostile(text);
        (message.channel, message.thread, message.key) = (text.clone(), text.clone(), text.clone());
        deliver(&couriers, ANN, &message).await.unwrap();
    }
    let arrived = server.arrived();
    assert_eq!(arrived.len(), texts.len());
    for (about, bytes) in &arrived {
        assert_eq!(about["to"], serde_json::json!(["ann@example.org"]));
        let letter = MessageParser::default().parse(bytes).unwrap();
        let mut names: Vec<String> =
            letter.headers().iter().map(|header| header.name().to_ascii_lowercase()).collect();
        names.sort();
        let expected = "auto-submitted content-type date from in-reply-to list-unsubscribe message-id mime-version references subject to";
        assert_eq!(names.join(" "), expected);
        assert!(letter.subject().unwrap_or_default().chars().count() <= 200);
        assert_eq!((letter.text_body_count(), letter.html_body_count()), (1, 1));
        let head = bytes.split(|byte| *byte == b'\n').take_while(|line| line.len() > 1);
        head.for_each(|line| {
            assert!(line.is_ascii() && line.len() < 999, "{}", String::from_utf8_lossy(line));
        });
        let html = letter.body_html(0).unwrap();
        assert!(html.len() < 102_000, "{} bytes are cut off by some", html.len());
        assert!(
            !html.contains("<script") && !html.contains("\"javascript:") && !html.contains("<!channel"),
            "{html}"
        );
        assert!(!html.contains('\u{202e}') && !letter.body_text(0).unwrap().contains('\u{202e}'));
    }
}

#[tokio::test]
async fn a_mail_of_any_length_is_not_cut_off_by_others() {
    let Some(server) = MailServer::start("open") else { return };
    let couriers = server.couriers("smtp", "", "?tls=none");
    for (text, count) in
        [("x", 3000), ("&<\"> ünd 🧀 words of a passage ", 2000), (&*"long ".repeat(20_000), 20)]
    {
        let mut long = message();
        let told = |n: usize| {
            passage(
                KINDS[n % 4],
                &[&n.to_string()],
                &[(SpanKind::Added, text, n.is_multiple_of(2))],
                &["why"],
            )
        };
        long.items[0].passages = (0..count).map(told).collect();
        long.items = vec![long.items[0].clone(), long.items[1].clone(), long.items[0].clone()];
        deliver(&couriers, ANN, &long).await.unwrap();
        let (_, bytes) = server.arrived().pop().unwrap();
        let letter = MessageParser::default().parse(&bytes).unwrap();
        let html = letter.body_html(0).unwrap();
        assert!((40_000..100_000).contains(&html.len()), "{} bytes", html.len());
        assert!(html.contains("Timetable") && html.contains("more</div>"));
        assert!(letter.body_text(0).unwrap().len() < 300_000);
    }
}

const KINDS: [ChangeKind; 4] =
    [ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Moved];

#[tokio::test]
async fn answers_of_the_server_are_understood() {
    let Some(server) = MailServer::start("starttls") else { return };
    let couriers = server.couriers("smtp", LOGIN, "");
    for (who, for_good, word) in [
        ("later", false, "451"),
        ("never", true, "550"),
        ("busy", false, "421"),
        ("cut", false, "broke off"),
        ("ann", false, ""),
    ] {
        let sent = deliver(&couriers, &format!("mailto:{who}@example.org"), &message()).await;
        match sent {
            Ok(()) => assert_eq!(who, "ann", "after all that, it goes on"),
            Err(refusal) => {
                assert!(refusal.for_good == for_good && refusal.said.contains(word), "{who}: {refusal:?}");
            }
        }
    }
    assert_eq!(server.arrived().len(), 1);
}

#[tokio::test]
async fn trouble_with_the_settings_says_what_to_check() {
    let Some(server) = MailServer::start("starttls") else { return };
    let wrong = deliver(&server.couriers("smtp", "ann:hunter22@", ""), ANN, &message()).await.unwrap_err();
    assert!(wrong.said.contains("535") && wrong.said.contains("check user and password"), "{wrong:?}");
    assert!(!wrong.said.contains("hunter22") && !wrong.for_good);
    let nobody = deliver(&server.couriers("smtp", "", ""), ANN, &message()).await.unwrap_err();
    assert!(nobody.said.contains("530") && nobody.said.contains("check user and password"), "{nobody:?}");
    assert!(!nobody.for_good);
    let untrusted =
        deliver(&server.couriers_of("smtp", LOGIN, "", Vec::new()), ANN, &message()).await.unwrap_err();
    assert!(untrusted.said.contains("not secure") && untrusted.said.contains("certificate"), "{untrusted:?}");
    let other = deliver(&server.couriers("smtps", LOGIN, ""), ANN, &message()).await.unwrap_err();
    assert!(other.said.contains("smtp:// or smtps://"), "{other:?}");
    assert!(server.arrived().is_empty());
    let Some(plain) = MailServer::start("plain") else { return };
    let open = deliver(&plain.couriers("smtp", LOGIN, ""), ANN, &message()).await.unwrap_err();
    assert!(open.said.contains("STARTTLS") && open.said.contains("tls=none"), "{open:?}");
    deliver(&plain.couriers("smtp", LOGIN, "?tls=none"), ANN, &message()).await.unwrap();
    assert_eq!(plain.arrived()[0].0["encrypted"], false);
}

#[tokio::test]
async fn rude_servers_end_and_smuggle_nothing() {
    let greeting = || Act::Send(b"220 hello\r\n".to_vec());
    for (acts, word) in [
        (vec![], "no connection within"),
        (vec![Act::Reset], "right port"),
        (vec![greeting(), Act::Close], "right port"),
        (vec![Act::Send(b"554 go away\r\n".to_vec()), Act::Hang], "554 go away"),
        (vec![Act::Send(b"220 a\r\n250 injected\r\n".to_vec()), Act::Hang], "in the open"),
        (vec![Act::Send(vec![b'x'; 20_000]), Act::Hang], "does not end"),
    ] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = format!("smtp://{}?tls=starttls", listener.local_addr().unwrap());
        let speaking = tokio::spawn(speak(listener, acts));
        let refusal = deliver(&couriers(&server), ANN, &message()).await.unwrap_err();
        assert!(refusal.said.contains(word) && !refusal.for_good, "{word}: {refusal:?}");
        speaking.abort();
    }
    let echo = b"220 hi\r\n250-mail\r\n250 AUTH PLAIN\r\n500 what is AUTH PLAIN AGFubgBodW50ZXIyMg== of hunter22\r\n";
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = format!("smtp://ann:hunter22@{}", listener.local_addr().unwrap());
    let speaking = tokio::spawn(speak(listener, vec![Act::Send(echo.to_vec()), Act::Hang]));
    let refusal = deliver(&couriers(&server), ANN, &message()).await.unwrap_err();
    assert!(refusal.said.contains("what is AUTH PLAIN … of …; check user"), "{refusal:?}");
    speaking.abort();
    let web = Rude::start(|_| vec![Act::Close]).await;
    assert!(deliver(&couriers(&format!("smtp://{}", web.address)), ANN, &message()).await.is_err());
}

#[tokio::test]
async fn without_a_server_mail_is_refused_at_once() {
    let couriers = Couriers::new(&client(settings(""), Fake::default()), MailSettings::default()).unwrap();
    assert!(couriers.check(ANN).is_err_and(|said| said.contains("mail.server")));
    assert!(deliver(&couriers, ANN, &message()).await.is_err_and(|refusal| refusal.for_good));
    let nobody = MailSettings { server: "smtp://h".parse().ok(), from: None, hello: None };
    let said = Couriers::new(&client(settings(""), Fake::default()), nobody).unwrap_err().to_string();
    assert!(said.contains("mail.from"), "{said}");
}

fn couriers(server: &str) -> Couriers {
    let patience = std::time::Duration::from_millis(600);
    let settings = tidemark_net::Settings { connect: patience, ..settings("") };
    let mail = MailSettings { server: server.parse().ok(), from: Some("t@tide.example".into()), hello: None };
    Couriers::new(&client(settings, Fake::default()), mail).unwrap()
}

/// Speaks without listening.
async fn speak(listener: tokio::net::TcpListener, acts: Vec<Act>) {
    use tokio::io::AsyncWriteExt;
    while let Ok((mut stream, _)) = listener.accept().await {
        for act in acts.clone() {
            match act {
                Act::Send(bytes) => drop(stream.write_all(&bytes).await),
                Act::Close | Act::Reset => return,
                Act::Hang | Act::Drip(..) => {}
            }
        }
        std::future::pending::<()>().await;
    }
}
