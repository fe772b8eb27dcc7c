//! What a browser brings.

use super::{browsing, html, is_there, rendered, text};
use crate::rude::{Act, Rude, good, path};
use crate::{Fake, fetch, page};
use tidemark_engine::render::{Device, When};

const BUILT: &str = "<!doctype html><title>Shop</title><div id=app></div><script>\
    fetch('/data').then(r => r.json()).then(d => { document.querySelector('#app').innerHTML = '<h1>' + d.name + '</h1><p>' + navigator.language + '</p>' })</script>";

fn shop(head: &str) -> Vec<Act> {
    match path(head) {
        "/" => html(BUILT),
        "/moved" => good("302 Found", "Location: /\r\n", b""),
        "/plain" => {
            html(&format!("<p>{}<script src=/x.js></script>", "many words are here already ".repeat(9)))
        }
        "/data" => good("200 OK", "Content-Type: application/json\r\n", b"{\"name\": \"Kettles\"}"),
        "/gone" => good("404 Not Found", "Content-Type: text/html\r\n", b"<p>It is gone."),
        "/robots.txt" => good("200 OK", "", b"User-agent: *\nDisallow: /private\n"),
        "/away" => good("302 Found", "Location: /private/x\r\n", b""),
        "/file" => good("200 OK", "Content-Type: application/octet-stream\r\n", b"\x01\x02bytes"),
        _ => good("404 Not Found", "", b""),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_scripts_build_is_the_page() {
    if !is_there() {
        return;
    }
    let server = Rude::start(shop).await;
    let client = browsing(Fake::default());
    let mut request = rendered(&server.url("/moved"), &[]);
    request.render.locale = Some("de-DE".into());
    let answer = fetch(&client, &request).await;
    assert_eq!(answer.redirects.len(), 1, "{:?}", answer.redirects);
    assert_eq!(
        (answer.redirects[0].status, answer.redirects[0].to.as_str()),
        (302, server.url("/").as_str())
    );
    assert!(answer.received > 0);
    let page = page(answer);
    let body = text(&page);
    assert_eq!(page.status, 200);
    assert!(body.starts_with("<!DOCTYPE html>\n<html>"), "{body}");
    assert!(body.contains("<h1>Kettles</h1><p>de-DE</p>"), "{body}");
    let picture = page.picture.expect("a picture");
    assert_eq!((picture.width, picture.height), (1280, 800));
    let tags: Vec<&str> = picture.boxes.iter().map(|one| &*one.tag).collect();
    assert_eq!(tags, ["html", "head", "title", "body", "div", "h1", "p", "script"]);
    let heading = picture.boxes[5].area;
    assert!(heading.width > 1000 && heading.height > 10 && heading.y > 0, "{heading:?}");
    let asked: Vec<String> = server.heads().iter().map(|head| path(head).to_owned()).collect();
    assert!(
        asked.contains(&"/data".to_owned()) && asked.iter().all(|path| path != "/robots.txt"),
        "{asked:?}"
    );
    let said = server.heads().into_iter().find(|head| path(head) == "/").expect("a document was asked for");
    assert!(said.contains("Chrome/") && said.contains("Tidemark/"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_shell_is_rendered_where_that_is_left_to_us() {
    if !is_there() {
        return;
    }
    let server = Rude::start(shop).await;
    let client = browsing(Fake::default());
    let mut request = rendered(&server.url("/plain"), &[]);
    request.render.when = When::Auto;
    let plain = page(fetch(&client, &request).await);
    assert!(plain.picture.is_none() && !text(&plain).contains("<html>"));
    request.url = server.url("/").parse().unwrap();
    request.render.device = Device::PHONE;
    let shell = page(fetch(&client, &request).await);
    assert!(text(&shell).contains("Kettles"));
    let picture = shell.picture.expect("a picture");
    assert_eq!(picture.width, 390, "a pixel of the picture is one of CSS");
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_and_files_are_what_they_are() {
    if !is_there() {
        return;
    }
    let server = Rude::start(shop).await;
    let client = browsing(Fake::default());
    let mut request = rendered(&server.url("/gone"), &[]);
    request.render.picture = false;
    let gone = page(fetch(&client, &request).await);
    assert_eq!(gone.status, 404);
    assert!(text(&gone).contains("It is gone.") && gone.picture.is_none());
    request.url = server.url("/file").parse().unwrap();
    let file = page(fetch(&client, &request).await);
    assert_eq!(&file.body[..], b"\x01\x02bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn robots_are_obeyed_also_on_the_way() {
    if !is_there() {
        return;
    }
    let server = Rude::start(shop).await;
    let client = browsing(Fake::default());
    for from in ["/private/x", "/away"] {
        let mut request = rendered(&server.url(from), &[]);
        request.robots = true;
        let failure = crate::failure(fetch(&client, &request).await);
        assert!(failure.to_string().contains("/private"), "{from}: {failure}");
    }
    assert!(server.heads().iter().all(|head| path(head) != "/private/x"));
}
