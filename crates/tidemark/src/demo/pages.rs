//! The pages of the little site.

use super::world::World;
use std::fmt::Write;

/// What is watched: path and name.
pub(super) const PAGES: [(&str, &str); 6] = [
    ("/news", "news page"),
    ("/shop", "price list"),
    ("/feed.xml", "feed"),
    ("/blog", "blog that is redesigned"),
    ("/mirror", "page of two servers that disagree"),
    ("/departures", "page with a clock and tokens"),
];

/// A page and its media type; none if there is no such page.
pub(super) fn page(path: &str, world: &World) -> Option<(String, &'static str)> {
    let html = "text/html; charset=utf-8";
    Some(match path {
        "/news" => (news(world), html),
        "/shop" => (shop(world), html),
        "/feed.xml" => (feed(world), "application/atom+xml"),
        "/blog" => (blog(world), html),
        "/mirror" => (mirror(world), html),
        "/departures" => (departures(world), html),
        entry if entry.starts_with("/story/") => (story(entry), html),
        _ => return None,
    })
}

fn frame(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body><header><a href=/>Harbour Town</a></header>{body}<footer>Printed on recycled electrons.</footer></body></html>\n"
    )
}

fn news(world: &World) -> String {
    let mut list = String::new();
    for (title, text) in world.headlines() {
        let _ = write!(list, "<article><h2>{title}</h2><p>{text}</p></article>");
    }
    frame("Harbour News", &format!("<main><h1>Harbour News</h1>{list}</main>"))
}

fn shop(world: &World) -> String {
    let mut rows = String::new();
    for (name, cents) in world.goods() {
        let _ = write!(rows, "<tr><td>{name}</td><td>{}.{:02} EUR</td></tr>", cents / 100, cents % 100);
    }
    frame(
        "Kettle & Co",
        &format!(
            "<main><h1>Kettle & Co</h1><table><tr><th>Article</th><th>Price</th></tr>{rows}</table></main>"
        ),
    )
}

const STORIES: [&str; 8] = [
    "Regatta results",
    "Council minutes",
    "Lost and found",
    "Tide tables for spring",
    "Choir looks for basses",
    "New bins for glass",
    "Chess evening",
    "Market moves to Friday",
];

fn feed(world: &World) -> String {
    let mut entries = String::new();
    for number in (0..world.entries()).rev() {
        let title = STORIES[number as usize % STORIES.len()];
        let _ = write!(
            entries,
            "<entry><id>urn:story:{number}</id><title>{title}</title><link href=\"/story/{number}\"/><updated>2026-01-01T12:{:02}:00Z</updated></entry>",
            number % 60
        );
    }
    format!(
        "<?xml version=\"1.0\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Town board</title><id>urn:board</id>{entries}</feed>\n"
    )
}

fn story(path: &str) -> String {
    let number = path.rsplit('/').next().and_then(|number| number.parse::<usize>().ok()).unwrap_or(0);
    frame(
        "Story",
        &format!(
            "<main><h1>{}</h1><p>More about this at the town hall.</p></main>",
            STORIES[number % STORIES.len()]
        ),
    )
}

const POSTS: [(&str, &str); 3] = [
    (
        "How we mend nets",
        "A net has two kinds of knots, and both are older than the harbour itself. We show how to tie them with cold hands.",
    ),
    (
        "Bread on board",
        "There is no oven on our boat, so the dough is baked in a pan with a lid, slowly, over the small flame.",
    ),
    (
        "Reading the sky",
        "Red in the morning is a warning that holds two times in three. We kept a book of it for a whole year.",
    ),
];

/// The posts in two designs; only one of them says something else.
fn blog(world: &World) -> String {
    let mut posts = String::new();
    if world.is_redesigned() {
        for (title, text) in POSTS {
            let text = text.replace("two times in three", "three times in four");
            let _ = write!(
                posts,
                "<section class=card><div class=card-head><span class=dot></span><h3>{title}</h3></div><div class=card-body><p>{text}</p></div><div class=card-foot><button>Share</button></div></section>"
            );
        }
        return format!(
            "<!doctype html><html lang=en><head><meta charset=utf-8><title>The Net Loft</title><meta name=viewport content=width=device-width></head><body class=v2><nav><ul><li><a href=/>Home</a></li><li><a href=/about>About</a></li></ul></nav><div class=hero><div class=hero-in><h1>The Net Loft</h1></div></div><div class=grid>{posts}</div></body></html>\n"
        );
    }
    for (title, text) in POSTS {
        let _ = write!(posts, "<tr><td><font size=4><b>{title}</b></font><br>{text}<hr></td></tr>");
    }
    format!(
        "<html><head><title>The Net Loft</title></head><body bgcolor=white><center><h1>The Net Loft</h1></center><table border=0>{posts}</table><a href=/>Home</a> | <a href=/about>About</a></body></html>\n"
    )
}

/// Two servers behind one address do not agree.
fn mirror(world: &World) -> String {
    let said = if world.second_server() {
        "42 berths are free in the marina."
    } else {
        "45 berths are free in the marina."
    };
    frame(
        "Marina",
        &format!("<main><h1>Marina</h1><p>{said}</p><p>The office is open from eight to six.</p></main>"),
    )
}

/// A clock, a token in a script, one in a form, and one line that matters.
fn departures(world: &World) -> String {
    let status = if world.is_late() { "delayed by 25 minutes" } else { "on time" };
    let (clock, token) = (world.clock(), world.token());
    frame(
        "Departures",
        &format!(
            "<main><h1>Departures</h1><p id=clock>It is {clock}</p><ul><li>Ferry to North Island: {status}</li><li>Ferry to Skerry: on time</li></ul>\
         <form><input type=hidden name=csrf value={token}><input name=q></form><script nonce={token}>track('{token}')</script></main>"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_depends_on_the_age_of_the_site_alone() {
        let at = |age, requests| World { age, requests };
        for (path, _) in PAGES {
            assert_eq!(page(path, &at(70, 4)), page(path, &at(70, 4)), "{path}");
        }
        for path in ["/news", "/shop", "/blog"] {
            assert_eq!(page(path, &at(70, 4)), page(path, &at(70, 5)), "{path}");
            assert_ne!(page(path, &at(0, 0)), page(path, &at(130, 0)), "{path}");
        }
        assert_ne!(page("/departures", &at(70, 4)), page("/departures", &at(70, 5)));
        assert_eq!(page("/nowhere", &at(0, 0)), None);
    }
}
