//! Files of other programs, each small and written here: what is proposed, what is told.

use std::time::Duration;
use tidemark_engine::intake::{Form, Intake, Proposed, read};
use tidemark_engine::request::Method;

fn taken(text: &str, form: Form) -> Intake {
    assert_eq!(Form::of(text.as_bytes()), form, "{text}");
    read(text.as_bytes(), None).unwrap()
}

fn one<'a>(intake: &'a Intake, url: &str) -> &'a Proposed {
    let found = intake.proposed.iter().find(|proposed| proposed.new.request.url.as_str() == url);
    found.unwrap_or_else(|| panic!("{url} is not in {intake:?}"))
}

fn tags(proposed: &Proposed) -> Vec<&str> {
    proposed.new.wish.tags.iter().map(String::as_str).collect()
}

fn zones(proposed: &Proposed) -> (Vec<String>, Vec<String>) {
    let zones = &proposed.new.wish.zones;
    (
        zones.include.iter().map(ToString::to_string).collect(),
        zones.exclude.iter().map(ToString::to_string).collect(),
    )
}

#[test]
fn outlines() {
    let text = r#"<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
        <outline text="Sea"><outline title="Harbours &amp; more">
          <outline type="rss" text="Tides" xmlUrl="https://tides.example/feed?a=1&amp;b=2" htmlUrl="https://tides.example/"/></outline>
          <outline text="nothing"/></outline>
        <outline text="Top" xmlUrl="top.example/rss" category="/News,weather"/>
        <outline text="Bad" xmlUrl="feed:whatever"/></body></opml>"#;
    let intake = taken(text, Form::Opml);
    let tides = one(&intake, "https://tides.example/feed?a=1&b=2");
    assert_eq!(tides.new.wish.name.as_deref(), Some("Tides"));
    assert_eq!(tags(tides), ["Harbours & more", "Sea"]);
    assert_eq!(tags(one(&intake, "https://top.example/rss")), ["News", "weather"]);
    let told: Vec<&str> = intake.problems.iter().map(|problem| problem.entry.as_str()).collect();
    assert_eq!((intake.proposed.len(), told), (2, vec!["nothing", "feed:whatever"]));
}

#[test]
fn bookmarks() {
    let text = r#"<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8"><TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
  <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Toolbar</H3>
  <DL><p>
    <DT><A HREF="https://one.example/" ADD_DATE="1">One</A>
    <DT><H3>Ships</H3>
    <DL><p>
      <DT><A HREF="https://two.example/x#part" TAGS="blue,old ones">Two &amp; a half</A>
      <DD>a description
    </DL><p>
  </DL><p>
  <DT><A HREF="javascript:alert(1)">Script</A>
  <DT><A HREF="place:sort=8">Most visited</A>
</DL>"#;
    let intake = taken(text, Form::Bookmarks);
    assert_eq!(tags(one(&intake, "https://one.example/")), [""; 0]);
    let two = one(&intake, "https://two.example/x");
    assert_eq!(two.new.wish.name.as_deref(), Some("Two & a half"));
    assert_eq!(tags(two), ["Ships", "blue", "old ones"]);
    assert_eq!((intake.proposed.len(), intake.problems.len()), (2, 2));
}

#[test]
fn lists() {
    let intake = taken(
        "\u{feff}# mine\n\nhttps://a.example/  The first one\nb.example/x # named\n  \nnot an address\nhttps://c.example/ 42\nftp://d.example/\n",
        Form::List,
    );
    assert_eq!(one(&intake, "https://a.example/").new.wish.name.as_deref(), Some("The first one"));
    assert_eq!(one(&intake, "https://b.example/x").new.wish.name.as_deref(), Some("named"));
    let third = one(&intake, "https://c.example/");
    assert!(third.new.wish.name.is_none() && third.notes[0].contains("cannot be called '42'"));
    assert_eq!(intake.problems.len(), 2);
}

#[test]
fn sitemaps() {
    let text = r#"<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://i.example/">
        <url><loc> https://a.example/x?p=1&amp;q=2 </loc><lastmod>2026-01-02</lastmod><image:image><image:loc>https://a.example/p.png</image:loc></image:image></url>
        <url><loc>/relative</loc></url></urlset>"#;
    let intake = taken(text, Form::Sitemap);
    one(&intake, "https://a.example/x?p=1&q=2");
    assert_eq!(intake.proposed.len() + intake.problems.len(), 2, "{intake:?}");
    let index = "<sitemapindex><sitemap><loc>https://a.example/s1.xml.gz</loc></sitemap></sitemapindex>";
    assert_eq!(taken(index, Form::Sitemap).further[0].as_str(), "https://a.example/s1.xml.gz");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, text.as_bytes()).unwrap();
    assert_eq!(read(&packed.finish().unwrap(), None).unwrap(), intake);
}

#[test]
fn jobs_of_urlwatch() {
    let text = r#"
name: "Tide tables"
url: https://tides.example/list
filter:
  - css:
      selector: "main table"
      exclude: ".ad"
  - html2text
  - grep: high
headers:
  X-Token: abc
cookies: {session: "1"}
ssl_no_verify: true
---
url: https://api.example/data
method: POST
data: {q: a b, n: 1}
filter: [{jsonpath: "$.items[*].price"}]
---
url: https://old.example/
filter: css:h1,html2text
---
url: https://shape.example/
filter:
  - xpath: //div[@id='x']
  - element-by-id: price
  - element-by-class: big
---
name: local
command: rm -rf /
---
navigate: https://app.example/
---
url: "ftp://nope.example/"
---
just text
"#;
    let intake = taken(text, Form::Urlwatch);
    let tides = one(&intake, "https://tides.example/list");
    assert_eq!(zones(tides), (vec!["css:main table".to_owned()], vec!["css:.ad".to_owned()]));
    assert_eq!(tides.new.request.headers, [("X-Token".to_owned(), "abc".to_owned())]);
    assert_eq!(tides.new.request.cookies, [("session".to_owned(), "1".to_owned())]);
    assert!(
        tides.notes.iter().any(|note| note.contains("'grep'"))
            && tides.notes.iter().any(|note| note.contains("certificates"))
    );
    let data = &one(&intake, "https://api.example/data").new;
    assert_eq!(
        (data.request.method, data.request.body.as_ref().unwrap().text.as_str()),
        (Method::Post, "n=1&q=a+b")
    );
    assert_eq!(data.wish.zones.include[0].to_string(), "json:$.items[*].price");
    assert_eq!(zones(one(&intake, "https://old.example/")).0, ["css:h1"]);
    assert_eq!(
        zones(one(&intake, "https://shape.example/")).0,
        ["xpath://div[@id='x']", "css:[id=\"price\"]", "css:[class~=\"big\"]"]
    );
    assert!(one(&intake, "https://app.example/").notes[0].contains("browser"));
    let reasons: Vec<&str> = intake.problems.iter().map(|problem| problem.reason.as_str()).collect();
    assert!(
        reasons[0].contains("runs a command")
            && reasons[1].contains("neither http")
            && reasons[2].contains("no job"),
        "{reasons:?}"
    );
}

#[test]
fn jobs_of_webchanges() {
    let text = "url: https://a.example/\nuse_browser: true\nparams: {q: tides}\nnote: mine\ndiffer: unified\n---\nurl: https://b.example/\ndata: {a: [1, 2]}\ndata_as_json: true\nno_redirects: true\n";
    let intake = taken(text, Form::Webchanges);
    let first = one(&intake, "https://a.example/?q=tides");
    assert!(
        first.notes.iter().any(|note| note.contains("browser"))
            && first.notes.iter().any(|note| note.contains("'differ'"))
    );
    let second = one(&intake, "https://b.example/");
    let body = second.new.request.body.as_ref().unwrap();
    assert_eq!((body.text.as_str(), body.media.as_str()), ("{\"a\":[1,2]}", "application/json"));
    assert!(second.notes[0].contains("no_redirects"));
}

const WATCHING: &str = r#"{"watching": {"u1": {"url": "https://a.example/", "title": "A", "tags": ["t1"], "tag": "old, older",
    "include_filters": ["main", "xpath://p", "json:$.a", "jq:.x"], "subtractive_selectors": ["nav"], "headers": {"X-A": "1"},
    "method": "POST", "body": "{\"q\": 1}", "time_between_check": {"weeks": null, "days": null, "hours": 2, "minutes": 30, "seconds": null},
    "fetch_backend": "html_webdriver", "notification_urls": ["mailto://x"], "paused": true},
  "u2": {"url": "https://b.example/{{ date }}"}, "u3": {"title": "none"}, "u4": {"url": "https://c.example/", "method": "PUT"},
  "u5": {"url": "https://d.example/", "time_between_check": {"hours": 3}, "time_between_check_use_default": true}},
  "settings": {"application": {"tags": {"t1": {"title": "Shops"}}}}}"#;

#[test]
fn backups_of_changedetection() {
    let intake = taken(WATCHING, Form::Changedetection);
    let first = one(&intake, "https://a.example/");
    assert_eq!(tags(first), ["Shops", "old", "older"]);
    assert_eq!(
        zones(first),
        (
            vec!["css:main".to_owned(), "xpath://p".to_owned(), "json:$.a".to_owned()],
            vec!["css:nav".to_owned()]
        )
    );
    assert_eq!(first.new.wish.bounds.unwrap().least(), Duration::from_mins(150));
    assert_eq!(first.new.request.method, Method::Post);
    for word in ["jq", "browser", "notify", "paused"] {
        assert!(first.notes.iter().any(|note| note.contains(word)), "{word}: {:?}", first.notes);
    }
    assert!(one(&intake, "https://d.example/").new.wish.bounds.is_none());
    assert_eq!((intake.proposed.len(), intake.problems.len()), (2, 3));
    let zipped = zip(&[
        ("url-watches.json", WATCHING.as_bytes()),
        ("u1/history.txt", b"1,x"),
        ("u1/x.html.br", b".."),
    ]);
    assert_eq!(read(&zipped, None).unwrap(), intake);
    let newer = zip(&[
        ("u9/watch.json", br#"{"url": "https://e.example/", "tags": ["t9"]}"#),
        ("t9/tag.json", br#"{"uuid": "t9", "title": "Newer"}"#),
        ("changedetection.json", br#"{"settings": {}}"#),
    ]);
    assert_eq!(tags(one(&read(&newer, None).unwrap(), "https://e.example/")), ["Newer"]);
}

pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut archive, content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}
