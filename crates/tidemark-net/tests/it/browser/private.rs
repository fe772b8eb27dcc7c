//! What belongs to the origin of a request stays there, also when a browser asks.

use super::{browsing, html, is_there, rendered, text};
use crate::rude::{Act, Rude, good, path};
use crate::{Fake, failure, fetch, page};
use tidemark_engine::fetch::Failure;
use tidemark_engine::request::{Body, Credentials, Method};

fn private(url: &str) -> tidemark_engine::request::Request {
    let mut request = rendered(url, &[]);
    request.headers.push(("X-Key".into(), "k3y".into()));
    request.cookies.push(("session".into(), "s3ss".into()));
    request.credentials = Some(Credentials::Bearer("t0ken".into()));
    request
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_cookies_and_credentials_go_to_their_origin_only() {
    if !is_there() {
        return;
    }
    let other = Rude::start(|_: &str| {
        good("200 OK", "Access-Control-Allow-Origin: *\r\nContent-Type: text/html\r\n", b"<p>other")
    })
    .await;
    let there = other.url("/x");
    let own = Rude::start(move |head: &str| -> Vec<Act> {
        match path(head) {
            "/" => html(&format!("<img src=/own.png><img src={there}><img src=/redirect><iframe src=/redirect></iframe><script>fetch('{there}')</script><p>own")),
            _ => good("302 Found", &format!("Location: {there}\r\n"), b""),
        }
    })
    .await;
    // Cookies know no ports: another name tells the two apart.
    let names = Fake::default().with("own.test", &[&["127.0.0.1"]]);
    let client = browsing(names);
    let url = format!("http://own.test:{}/", own.address.port());
    assert!(text(&page(fetch(&client, &private(&url)).await)).contains("own"));
    let ours = own.heads();
    assert!(ours.iter().any(|head| path(head) == "/own.png"));
    for head in &ours {
        let head = head.to_ascii_lowercase();
        assert!(
            ["x-key: k3y", "session=s3ss", "authorization: bearer t0ken"]
                .iter()
                .all(|said| head.contains(said)),
            "{head}"
        );
    }
    assert!(other.heads().len() >= 3, "{:?}", other.heads());
    for head in other.heads() {
        assert!(["k3y", "s3ss", "t0ken"].iter().all(|secret| !head.contains(secret)), "{head}");
    }
    // And when the page itself moves there.
    let moved = format!("http://own.test:{}/redirect", own.address.port());
    assert!(text(&page(fetch(&client, &private(&moved)).await)).contains("other"));
    assert!(
        other.heads().iter().all(|head| ["k3y", "s3ss", "t0ken"].iter().all(|secret| !head.contains(secret)))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_posted_is_posted_once_and_here() {
    if !is_there() {
        return;
    }
    let other = Rude::start(|_: &str| html("other")).await;
    let there = other.url("/x");
    let own = Rude::start(move |head: &str| -> Vec<Act> {
        match (head.starts_with("POST"), path(head)) {
            (true, "/ask") if head.ends_with("q=kettles") => html("<p>found<img src=/dot.png>"),
            (true, "/away") => good("307 Temporary Redirect", &format!("Location: {there}\r\n"), b""),
            (posted, at) => html(&format!("wrong {posted} {at}")),
        }
    })
    .await;
    let client = browsing(Fake::default());
    let mut request = rendered(&own.url("/ask"), &[]);
    request.method = Method::Post;
    request.body = Some(Body { media: "application/x-www-form-urlencoded".into(), text: "q=kettles".into() });
    assert!(text(&page(fetch(&client, &request).await)).contains("<p>found"));
    assert_eq!(own.heads().iter().filter(|head| head.starts_with("POST")).count(), 1);
    request.url = own.url("/away").parse().unwrap();
    assert!(matches!(failure(fetch(&client, &request).await), Failure::Refused(_)));
    assert_eq!(other.connections(), 0);
}
