use super::*;
use bytes::Bytes;
use std::future::{poll_fn, ready};
use tidemark_engine::fetch::{Fetched, Redirect, Timing, Validators};
use tokio::time::{advance, pause};

fn answer(outcome: Outcome) -> Answer {
    let timing = Timing::default();
    Answer { outcome, redirects: Vec::new(), timing, received: 0, retry_after: None, crawl_delay: None }
}

fn page(status: u16, text: &'static str) -> Answer {
    let body = Bytes::from_static(text.as_bytes());
    let validators = Validators::default();
    answer(Outcome::Page(Fetched {
        status,
        body,
        content_type: None,
        validators,
        modified: None,
        picture: None,
    }))
}

async fn ask(robots: &Robots, answer: Answer) -> Result<Option<Duration>, Failure> {
    robots.check(&Url::parse("https://example.org/x").unwrap(), ready(answer)).await
}

fn unused() -> impl Future<Output = Answer> {
    poll_fn(|_| panic!("the file is known"))
}

const NO: &str = "User-agent: *\nDisallow: /x\nCrawl-delay: 3";

#[tokio::test(start_paused = true)]
async fn a_file_is_asked_for_once_a_day() {
    let robots = Robots::default();
    let refused = Failure::Robots { host: "example.org".into(), rule: "Disallow: /x".into() };
    assert_eq!(ask(&robots, page(200, NO)).await, Err(refused));
    let other = Url::parse("https://example.org/y").unwrap();
    assert_eq!(robots.check(&other, unused()).await, Ok(Some(Duration::from_secs(3))));
    advance(FRESH).await;
    assert_eq!(ask(&robots, page(200, "")).await, Ok(None));
}

#[tokio::test]
async fn a_file_that_is_not_there_forbids_nothing() {
    for status in [301, 400, 401, 403, 404, 410, 451] {
        assert_eq!(ask(&Robots::default(), page(status, NO)).await, Ok(None), "{status}");
    }
    let circle = answer(Outcome::Failed(Failure::Redirects(10)));
    assert_eq!(ask(&Robots::default(), circle).await, Ok(None));
}

#[tokio::test]
async fn a_file_that_cannot_be_had_forbids_all_for_a_day() {
    pause();
    for bad in
        [page(500, ""), page(503, ""), page(429, ""), answer(Outcome::Failed(Failure::Cut("x".into())))]
    {
        let robots = Robots::default();
        assert!(matches!(ask(&robots, bad.clone()).await, Err(Failure::Robots { .. })));
        advance(RETRY).await;
        assert!(matches!(ask(&robots, bad.clone()).await, Err(Failure::Robots { .. })));
        advance(PATIENCE).await;
        assert_eq!(ask(&robots, bad).await, Ok(None));
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_known_holds_while_the_file_cannot_be_had() {
    let robots = Robots::default();
    assert_eq!(ask(&robots, page(200, "")).await, Ok(None));
    advance(FRESH).await;
    assert_eq!(ask(&robots, page(500, "")).await, Ok(None));
    advance(RETRY).await;
    assert_eq!(ask(&robots, page(502, "")).await, Ok(None));
    advance(RETRY).await;
    assert!(ask(&robots, page(200, NO)).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_host_that_is_not_there_is_told_as_such() {
    let gone = Failure::Connect("refused".into());
    let robots = Robots::default();
    assert_eq!(ask(&robots, answer(Outcome::Failed(gone.clone()))).await, Err(gone.clone()));
    assert_eq!(ask(&robots, page(200, "")).await, Err(gone.clone()), "told to all who wait");
    advance(MOMENT).await;
    let to = Url::parse("https://elsewhere.org/").unwrap();
    let away =
        Answer { redirects: vec![Redirect { status: 301, to }], ..answer(Outcome::Failed(gone.clone())) };
    assert!(matches!(ask(&robots, away).await, Err(Failure::Robots { .. })), "the host itself is there");
    advance(RETRY).await;
    assert_eq!(ask(&robots, page(200, "")).await, Ok(None));
    advance(FRESH).await;
    assert_eq!(ask(&robots, answer(Outcome::Failed(gone.clone()))).await, Err(gone));
    advance(MOMENT).await;
    assert_eq!(ask(&robots, page(500, "")).await, Ok(None), "what was known stays known");
}

#[tokio::test]
async fn hosts_are_remembered_within_bounds() {
    let robots = Robots::default();
    for host in 0..HOSTS + 10 {
        let url = Url::parse(&format!("https://h{host}.example/")).unwrap();
        robots.check(&url, ready(page(200, NO))).await.unwrap();
    }
    let count = robots.hosts.lock().unwrap().len();
    assert!(count <= HOSTS, "{count}");
    let last = Url::parse(&format!("https://h{}.example/", HOSTS + 9)).unwrap();
    assert!(robots.check(&last, unused()).await.is_ok());
}
