//! What is found from a page: feeds, sitemaps, pages, with reasons.

use crate::web::{Said, Web};
use tidemark_engine::discover::{Discovery, discover};
use tidemark_engine::request::Request;

const HOME: &str = "https://site.example/";
const FEED: &str =
    "<rss version='2.0'><channel><title>Tide news</title><item><title>One</title></item></channel></rss>";

fn say(web: &Web, url: &str, media: &str, body: &str) {
    web.say(url, Said { status: 200, body: body.into(), content_type: media.into(), ..Said::default() });
}

fn look(web: &Web, most: usize) -> Discovery {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(discover(web, &Request::get(HOME).unwrap(), most)).unwrap()
}

#[test]
fn feeds_that_a_page_names_and_pages_by_rank() {
    let web = Web::default();
    web.html(HOME, "<head><link rel='alternate' type='application/rss+xml' href='/news.rss'><link rel=alternate type='application/atom+xml' href=/gone.atom></head>
        <a href='/about'>About us</a><a href='/a/b/c'>Deep</a><a href='https://other.example/'>Other</a><a href='/pic.png'>p</a><a href='mailto:x@y'>m</a>");
    say(&web, "https://site.example/news.rss", "application/rss+xml", FEED);
    say(
        &web,
        "https://site.example/robots.txt",
        "text/plain",
        "User-agent: *\nDisallow: /x\nSitemap: https://site.example/maps.xml\n",
    );
    say(
        &web,
        "https://site.example/maps.xml",
        "text/xml",
        "<sitemapindex><sitemap><loc>https://site.example/one.xml</loc></sitemap></sitemapindex>",
    );
    say(
        &web,
        "https://site.example/one.xml",
        "text/xml",
        "<urlset><url><loc>https://site.example/old</loc><lastmod>2020-01-01</lastmod></url><url><loc>https://site.example/new</loc><lastmod>2026-01-01</lastmod></url><url><loc>https://evil.example/</loc></url><url><loc>https://site.example/about</loc></url></urlset>",
    );
    let found = look(&web, 10);
    assert_eq!(found.feeds.len(), 1);
    assert_eq!(
        (found.feeds[0].title.as_deref(), found.feeds[0].why.as_str()),
        (Some("Tide news"), "the page names it as its feed; it has 1 entries")
    );
    let pages: Vec<&str> = found.pages.iter().map(|page| page.url.path()).collect();
    assert_eq!(pages, ["/about", "/a/b/c", "/new", "/old"]);
    assert_eq!(found.pages[0].why, "linked from the page, one step below the top");
    assert_eq!(found.pages[2].why, "in the sitemap, one step below the top, changed 2026-01-01");
    assert_eq!(found.sitemaps.len(), 2);
    assert!(found.problems.iter().any(|problem| problem.contains("gone.atom")), "{:?}", found.problems);
    assert_eq!(look(&web, 1).pages.len(), 1);
}

#[test]
fn feeds_at_well_known_places() {
    let web = Web::default();
    web.html(HOME, "<p>nothing here");
    say(
        &web,
        "https://site.example/atom.xml",
        "application/xml",
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>A</title></feed>",
    );
    web.html("https://site.example/feed", "<p>a page that only says 200");
    let found = look(&web, 10);
    assert_eq!(found.feeds.iter().map(|feed| feed.url.path()).collect::<Vec<_>>(), ["/atom.xml"]);
    assert!(found.pages.is_empty() && found.sitemaps.is_empty());
}

#[test]
fn a_site_that_names_itself_for_ever() {
    let web = Web::default();
    web.html(HOME, &"<link rel=alternate type='application/rss+xml' href='/f'>".repeat(1000));
    say(
        &web,
        "https://site.example/sitemap.xml",
        "text/xml",
        &format!(
            "<sitemapindex>{}</sitemapindex>",
            "<sitemap><loc>https://site.example/sitemap.xml</loc></sitemap>".repeat(500)
        ),
    );
    look(&web, 10);
    assert!(web.asked("https://site.example/sitemap.xml") <= 6 && web.asked("https://site.example/f") <= 8);
}
