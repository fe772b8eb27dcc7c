//! Chats and pushes: what arrives, what is refused, what is cut.

use super::fakes::Services;
use super::sample::{HARM, hostile, message, passage};
use super::{couriers, deliver};
use std::time::Duration;
use tidemark_engine::courier::Courier;
use tidemark_engine::passage::{ChangeKind, SpanKind};

#[tokio::test]
async fn every_service_takes_an_everyday_message() {
    let services = Services::start().await;
    let couriers = couriers(&services.base());
    for (name, target) in services.targets("goodTOKEN") {
        deliver(&couriers, &target, &message()).await.unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        let body = services.last().to_string();
        for word in ["Kettles", "39.90", "49.90", "Prices", "Timetable", "and 2 more"] {
            let shown = body.replace("\\\\.", ".").replace('\u{2060}', "");
            let whole = name == "the webhook" && word == "and 2 more";
            assert!(whole || shown.contains(word), "{name} has no {word}: {body}");
        }
        assert!(couriers.check(&target).is_ok_and(|shown| !shown.contains("TOKEN")), "{name}");
    }
    assert_eq!(services.seen().len(), 9);
}

#[tokio::test]
async fn no_page_breaks_a_message_or_smuggles_anything_into_it() {
    let services = Services::start().await;
    let couriers = couriers(&services.base());
    let nasty = [
        "\r\nBcc: x@y\r\n\r\n<script>",
        "\u{202e}\u{2028}\u{0}\u{feff}",
        "𝄞👩\u{200d}🚀\u{301}",
        "&",
        "<",
        "\\",
        "](<http://evil.example>)",
        "",
    ];
    let texts = nasty.into_iter().map(str::to_owned).chain([
        HARM.to_owned(),
        HARM.repeat(50),
        "&<>\"".repeat(3000),
        "𝄞".repeat(9000),
        "*".repeat(9000),
    ]);
    for text in texts {
        for (name, target) in services.targets("goodTOKEN") {
            let sent = deliver(&couriers, &target, &hostile(&text)).await;
            let start: String = text.chars().take(30).collect();
            sent.unwrap_or_else(|refusal| panic!("{name} with {start:?}: {refusal:?}"));
            let mut own = hostile(&text);
            own.text = Some(format!("{text}\n\n{text}"));
            deliver(&couriers, &target, &own)
                .await
                .unwrap_or_else(|refusal| panic!("{name}, own text {start:?}: {refusal:?}"));
        }
    }
}

#[tokio::test]
async fn what_is_too_long_ends_at_a_whole_passage_and_says_so() {
    let services = Services::start().await;
    let couriers = couriers(&services.base());
    let mut long = message();
    let words = "These are forty characters & a few more.";
    let told =
        |n: usize| passage(ChangeKind::Added, &[], &[(SpanKind::Added, &format!("{n} {words}"), false)], &[]);
    long.items[0].passages = (0..1000).map(told).collect();
    for (name, target) in services.targets("goodTOKEN").into_iter().skip(1) {
        deliver(&couriers, &target, &long).await.unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        let body =
            services.last().to_string().replace("&amp;", "&").replace("\\\\", "").replace('\u{2060}', "");
        let whole = body.matches(words).count();
        // Matrix has it twice: as text and as HTML.
        let times = if name == "Matrix" { 2 } else { 1 };
        assert_eq!(body.matches("These are").count(), whole, "{name} cuts inside of a passage");
        assert!(whole >= 10, "{name}: {whole}");
        assert!(body.contains("Timetable"), "{name} tells of every item first");
        if times == 1 {
            let left = 1000 - whole + 4 + 2;
            assert!(body.contains(&format!("and {left} more")), "{name}: {whole} told, {left} left: {body}");
        }
    }
}

#[tokio::test]
async fn a_text_of_ones_own_stands_in_place_of_the_items() {
    let services = Services::start().await;
    let couriers = couriers(&services.base());
    let mut own = message();
    own.text =
        Some("Look here:\n\nhttps://shop.example/kettles?a=1&b=2 now\nnot https://evil.example/".into());
    for (name, target) in services.targets("goodTOKEN").into_iter().skip(1) {
        deliver(&couriers, &target, &own).await.unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        let body = services.last().to_string();
        assert!(body.contains("Look here") && !body.contains("glass kettle"), "{name}: {body}");
        assert!(body.contains("shop.example/kettles?a=1"), "{name}: {body}");
    }
}

#[tokio::test]
async fn answers_are_understood_and_no_token_is_repeated() {
    let services = Services::start().await;
    let couriers = couriers(&services.base());
    for (token, for_good, word) in [
        ("limitedTOKEN", false, "less often"),
        ("deniedTOKEN", true, "status 403"),
        ("goneTOKEN", true, "status 404"),
        ("brokenTOKEN", false, "status 503"),
        ("movedTOKEN", true, "redirect to other.example"),
    ] {
        for (name, target) in services.targets(token) {
            let refusal = deliver(&couriers, &target, &message()).await.unwrap_err();
            assert_eq!(refusal.for_good, for_good, "{name}: {refusal:?}");
            assert!(refusal.said.contains(name) && refusal.said.contains(word), "{name}: {refusal:?}");
            assert!(
                !refusal.said.contains("TOKEN") && !refusal.said.contains("<html"),
                "{name}: {refusal:?}"
            );
            let wait = match token {
                "limitedTOKEN" => Some(Duration::from_secs(31)),
                "brokenTOKEN" => Some(Duration::from_secs(5)),
                _ => None,
            };
            assert_eq!(refusal.wait, wait, "{name}");
        }
    }
    assert_eq!(services.seen().len(), 45, "no redirect is followed, nothing is sent twice");
}

#[tokio::test]
async fn a_message_that_comes_twice_is_one_event_in_a_room() {
    let services = Services::start().await;
    let couriers = couriers(&services.base());
    let (_, target) = services.targets("goodTOKEN").remove(5);
    for _ in 0..2 {
        deliver(&couriers, &target, &message()).await.unwrap();
    }
    assert_eq!((services.seen().len(), services.events()), (2, 1));
}

#[tokio::test]
async fn words_of_interest_and_changes_are_marked() {
    let services = Services::start().await;
    let couriers = couriers(&services.base());
    let mut written = Vec::new();
    for (_, target) in services.targets("goodTOKEN") {
        deliver(&couriers, &target, &message()).await.unwrap();
        written.push(services.last());
    }
    let [_, slack, teams, discord, telegram, matrix, ntfy, gotify, pushover] = written.try_into().unwrap();
    let all = slack["blocks"].to_string();
    assert!(all.contains(r#"{"style":{"bold":true,"code":true},"text":"39.90","type":"text"}"#), "{all}");
    assert!(all.contains(r#"{"style":{"strike":true},"text":"49.90","type":"text"}"#));
    let all = teams.to_string();
    assert!(all.contains(r#""strikethrough":true,"text":"49.90""#) && all.contains(r#""highlight":true"#));
    let text = discord["embeds"][0]["description"].as_str().unwrap();
    assert!(text.contains("costs ~~49\\.90~~__**39\\.90**__ €"), "{text}");
    assert!(text.starts_with("[**Kettles**](<https://shop.example/kettles?a=1&b=2>)\n"), "{text}");
    let text = &telegram["text"].as_str().unwrap().replace('\u{2060}', "");
    assert!(
        text.contains("± The steel kettle costs <s>49.90</s><b><u>39.90</u></b> € until Sunday."),
        "{text}"
    );
    assert!(
        text.contains("<a href=\"https://shop.example/kettles?a=1&amp;b=2\"><b>Kettles</b></a>"),
        "{text}"
    );
    assert!(text.contains("− <s>Closed on Monday.</s>"), "{text}");
    assert!(matrix["formatted_body"].as_str().unwrap().contains("<del>49.90</del><b><u>39.90</u></b>"));
    assert_eq!(ntfy["click"], "https://tidemark.example/changes/41");
    for body in [&ntfy, &gotify] {
        let text = &body["message"].as_str().unwrap().replace('\u{2060}', "");
        assert!(
            text.contains(
                "§ Prices › Kettles\n± The steel kettle costs [-49.90-]{+39.90+} € until Sunday.\n★ names"
            ),
            "{text}"
        );
    }
    assert!(pushover["message"].as_str().unwrap().contains("<font color=\"#b3261e\">[-49.90-]</font>"));
}
