//! Webhooks: signed, documented, and through the guard.

use super::fakes::Services;
use super::sample::message;
use super::{couriers, couriers_allowed, deliver};
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::path::Path;

#[tokio::test]
async fn what_is_sent_can_be_checked_by_who_knows_the_key() {
    let services = Services::start().await;
    let couriers = couriers(&services.base());
    let target = format!("http://ann:pass@{}/hook/x?a=1#secret=a%20key", services.address);
    for _ in 0..2 {
        deliver(&couriers, &target, &message()).await.unwrap();
    }
    for seen in services.seen() {
        let header = |name: &str| seen.headers[name].to_str().unwrap().to_owned();
        assert_eq!(seen.path, "/hook/x?a=1");
        assert_eq!(
            (header("idempotency-key"), header("authorization")),
            (message().key, "Basic YW5uOnBhc3M=".into())
        );
        let time = header("tidemark-timestamp");
        let age = jiff::Timestamp::now().as_second() - time.parse::<i64>().unwrap();
        assert!((0..3600).contains(&age), "{age}");
        let mut mac = Hmac::<Sha256>::new_from_slice(b"a key").unwrap();
        mac.update([time.as_bytes(), b".", &seen.body].concat().as_slice());
        let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(header("tidemark-signature"), format!("v1={hex}"));
    }
}

#[tokio::test]
async fn without_a_key_nothing_is_signed() {
    let services = Services::start().await;
    deliver(&couriers(&services.base()), &format!("http://{}/hook/x", services.address), &message())
        .await
        .unwrap();
    assert!(!services.seen()[0].headers.contains_key("tidemark-signature"));
}

#[tokio::test]
async fn the_document_shows_what_is_sent() {
    let services = Services::start().await;
    deliver(&couriers(&services.base()), &format!("http://{}/hook/x", services.address), &message())
        .await
        .unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/webhooks.md");
    let text = std::fs::read_to_string(path).unwrap();
    let example =
        text.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let example: Value = serde_json::from_str(example).unwrap();
    let sent = services.last();
    assert_eq!(sent["schema"], "tidemark/notice/1");
    assert_eq!(
        example,
        sent,
        "write this into docs/webhooks.md:\n{}",
        serde_json::to_string_pretty(&sent).unwrap()
    );
    let mut own = message();
    own.text = Some("mine".into());
    deliver(&couriers(&services.base()), &format!("http://{}/hook/x", services.address), &own).await.unwrap();
    assert_eq!(services.last()["text"], json!("mine"));
}

#[tokio::test]
async fn the_guard_stands_before_every_service() {
    let services = Services::start().await;
    let couriers = couriers_allowed("", &services.base());
    for (name, target) in services.targets("goodTOKEN") {
        let refusal = deliver(&couriers, &target, &message()).await.unwrap_err();
        assert!(refusal.for_good, "{name}: {refusal:?}");
        assert!(refusal.said.contains("refused to connect to 127.0.0.1: it is"), "{name}: {refusal:?}");
    }
    assert!(services.seen().is_empty());
}

#[tokio::test]
async fn who_is_not_there_may_be_there_later() {
    let closed = { std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap() };
    let refusal =
        deliver(&couriers("http://x/"), &format!("http://{closed}/hook"), &message()).await.unwrap_err();
    assert!(!refusal.for_good && refusal.said.contains("could not be reached"), "{refusal:?}");
}
