//! What is done on a page before it is looked at.

use super::{browsing, html, is_there, rendered, text};
use crate::rude::{Act, Rude, good, path};
use crate::{Fake, failure, fetch, page};

const CONSENT: &str = "<!doctype html><p>The news of today<div id=wall style='position:fixed;inset:0;background:white'>\
    <p>Wir verwenden Cookies.</p><button onclick=\"document.title='sold'\">Alle akzeptieren</button>\
    <button onclick=\"this.parentNode.remove();document.title='kept'\"> Alle  ablehnen </button></div>\
    <button onclick=\"document.title='wrong'\">Reject all</button>";

const FORM: &str = "<!doctype html><form action=/welcome method=post><input id=user name=user><input id=password type=password name=password>\
    <select id=size name=size><option value=1>S</option><option value=2>XL</option></select><button id=go>Go</button></form>\
    <script>password.oninput = () => password.setAttribute('value', password.value)</script>";

const ENDLESS: &str = "<!doctype html><style>p{height:400px}</style><main></main><script>\
    let n = 0; const more = () => { for (let i = 0; i < 5; i++) { const p = document.createElement('p'); p.textContent = 'item ' + ++n; document.querySelector('main').append(p) } };\
    more(); addEventListener('scroll', () => { if (scrollY + innerHeight + 10 > document.documentElement.scrollHeight) setTimeout(more, 20) })</script>";

fn site(head: &str) -> Vec<Act> {
    match path(head) {
        "/consent" => html(CONSENT),
        "/form" => html(FORM),
        "/endless" => html(ENDLESS),
        "/late" => html(
            "<p>soon<script>setTimeout(() => { document.body.innerHTML = '<p class=loaded>there' }, 900)</script>",
        ),
        "/welcome" if head.ends_with("user=ann+lee&password=hunter2%21&size=2") => {
            good("303 See Other", "Location: /home\r\nSet-Cookie: in=1\r\n", b"")
        }
        "/home" if head.to_ascii_lowercase().contains("cookie: in=1") => html("<p>Welcome, Ann."),
        _ => good("403 Forbidden", "Content-Type: text/html\r\n", b"<p>Not you."),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialogue_about_cookies_is_dismissed() {
    if !is_there() {
        return;
    }
    let server = Rude::start(site).await;
    let client = browsing(Fake::default());
    let page = text(&page(fetch(&client, &rendered(&server.url("/consent"), &["consent"])).await));
    assert!(page.contains("<title>kept</title>") && !page.contains("Cookies"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_filled_with_a_secret_that_nobody_sees() {
    if !is_there() {
        return;
    }
    let server = Rude::start(site).await;
    let client = browsing(Fake::default());
    let fill = ["type #user ann lee", "secret #password", "select #size XL"];
    let login = rendered(&server.url("/form"), &[&fill[..], &["click #go"]].concat());
    let answer = fetch(&client, &login).await;
    assert_eq!(answer.redirects.last().map(|last| last.to.path().to_owned()).as_deref(), Some("/home"));
    let shown = format!("{login:?} {answer:?} {client:?}");
    assert!(text(&page(answer)).contains("Welcome, Ann."));
    // A page that writes what was typed into its own markup does not get it kept, and an error does not tell it.
    let stays = fetch(&client, &rendered(&server.url("/form"), &fill)).await;
    let body = text(&page(stays));
    assert!(body.contains("value=\"•••\""), "{body}");
    let wrong = rendered(&server.url("/form"), &[&fill[..], &["click #nowhere"]].concat());
    let mut wrong = wrong;
    wrong.render.patience = std::time::Duration::from_secs(1);
    let said = failure(fetch(&client, &wrong).await).to_string();
    assert!(said.contains("step 4 (click #nowhere): there is no such element"), "{said}");
    for text in [shown, body, said, format!("{wrong:?}"), wrong.key()] {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_page_ends_where_it_was_told_to() {
    if !is_there() {
        return;
    }
    let server = Rude::start(site).await;
    let client = browsing(Fake::default());
    let fetched = page(fetch(&client, &rendered(&server.url("/endless"), &["scroll 3"])).await);
    let body = text(&fetched);
    assert!(body.contains("<p>item 20</p>") && !body.contains("<p>item 26</p>"), "{body}");
    let picture = fetched.picture.expect("a picture");
    assert!(picture.height > 8000 && picture.height <= 16_000, "{picture:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_late_is_waited_for() {
    if !is_there() {
        return;
    }
    let server = Rude::start(site).await;
    let client = browsing(Fake::default());
    let mut request = rendered(&server.url("/late"), &[]);
    request.render.wait_for = Some(".loaded".into());
    assert!(text(&page(fetch(&client, &request).await)).contains("there"));
    request.render.wait_for = Some("..".into());
    let said = failure(fetch(&client, &request).await).to_string();
    assert!(said.contains("no CSS selector"), "{said}");
}
