//! A news page.

use super::page::Page;
use super::words;

/// Writes a news page whose article has at least `words` words of running
/// text, and less than one paragraph more.
///
/// Around the article stand a head with metadata, style and script, a
/// navigation bar, a figure, related links, readers' comments and a footer.
#[must_use]
pub fn article(words: usize, seed: u64) -> String {
    let mut page = Page::new(seed, words.saturating_mul(8));
    let title = page.title();
    let section = page.pick(&words::SECTIONS);
    page.article_head(&title, section);
    page.site_header(section);
    page.article_body(&title, words);
    page.related_links(8);
    page.comments(3 + words / 150);
    page.site_footer();
    page.out
}

impl Page {
    fn article_head(&mut self, title: &str, section: &str) {
        let id = self.rng.u32(100_000..1_000_000);
        self.put(format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <title>{title} | The Example Tide</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"description\" content=\"{section}: {title}\">\n\
             <meta property=\"og:type\" content=\"article\">\n\
             <link rel=\"canonical\" href=\"https://news.example.org/story/{id}\">\n\
             <link rel=\"stylesheet\" href=\"/assets/page.css?v={}\">\n",
            id % 97
        ));
        self.out.push_str(ARTICLE_STYLE);
        self.put(format_args!(
            "<script>\nwindow.page = {{\"id\": {id}, \"section\": \"{section}\", \
             \"ads\": false}};\nif (window.page.id < 1 && !window.page.ads) \
             document.write(\"<p>gone</p>\");\n</script>\n</head>\n<body>\n"
        ));
    }

    fn site_header(&mut self, current: &str) {
        self.put(format_args!(
            "<header class=\"site\">\n<a class=\"logo\" href=\"/\">\
             <img src=\"/assets/logo.svg\" alt=\"The Example Tide\" width=\"120\" height=\"32\"></a>\n\
             <nav aria-label=\"Sections\">\n<ul>\n"
        ));
        for section in words::SECTIONS {
            let class = if section == current { " class=\"current\"" } else { "" };
            let path = section.to_ascii_lowercase();
            self.put(format_args!("<li{class}><a href=\"/{path}/\">{section}</a></li>\n"));
        }
        self.put(format_args!("</ul>\n</nav>\n</header>\n<main>\n"));
    }

    fn article_body(&mut self, title: &str, words: usize) {
        let author = self.person();
        let date = self.date();
        self.put(format_args!(
            "<article>\n<h1>{title}</h1>\n<p class=\"byline\">By <a rel=\"author\" href=\"/staff\">\
             {author}</a>, <time datetime=\"{date}\">{date}</time></p>\n"
        ));
        let mut written = 0;
        let mut paragraphs = 0;
        while written < words {
            if paragraphs == 2 {
                self.figure();
            }
            if paragraphs % 5 == 4 {
                let heading = self.title();
                self.put(format_args!("<h2>{heading}</h2>\n"));
            }
            written += self.paragraph();
            paragraphs += 1;
        }
        self.put(format_args!("</article>\n"));
    }

    fn figure(&mut self) {
        let number = self.rng.u32(1000..10_000);
        let caption = self.title();
        let author = self.person();
        self.put(format_args!(
            "<figure>\n<img src=\"/media/{number}.jpg\" srcset=\"/media/{number}-2x.jpg 2x\" \
             alt=\"{caption}\" loading=\"lazy\">\n\
             <figcaption>{caption}. <small>Picture: {author}</small></figcaption>\n</figure>\n"
        ));
    }

    fn related_links(&mut self, count: usize) {
        self.put(format_args!("<aside class=\"related\">\n<h2>Read next</h2>\n<ul>\n"));
        for _ in 0..count {
            let path = self.path();
            let title = self.title();
            self.put(format_args!("<li><a href=\"{path}\">{title}</a></li>\n"));
        }
        self.put(format_args!("</ul>\n</aside>\n"));
    }

    fn comments(&mut self, count: usize) {
        self.put(format_args!("<section id=\"comments\">\n<h2>{count} comments</h2>\n<ol>\n"));
        for number in 1..=count {
            let author = self.person();
            let date = self.date();
            self.put(format_args!(
                "<li id=\"comment-{number}\">\n<p class=\"who\"><b>{author}</b> \
                 <time datetime=\"{date}\">{date}</time></p>\n"
            ));
            self.out.push_str("<p>");
            for _ in 0..self.rng.u8(1..4) {
                self.sentence();
                self.out.push(' ');
            }
            self.put(format_args!("&mdash; {author}</p>\n</li>\n"));
        }
        self.put(format_args!("</ol>\n</section>\n</main>\n"));
    }
}

/// The inline style of an article page.
const ARTICLE_STYLE: &str = "<style>\n\
    body { margin: 0 auto; max-width: 44em; font: 1.1em/1.5 serif }\n\
    header.site > nav li { display: inline-block; padding: 0 .5em }\n\
    .related a::after { content: \"\\00bb\" }\n\
    @media (max-width: 30em) { aside { display: none } }\n\
    </style>\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_grows_with_its_words() {
        let count = |page: &str| page.matches(' ').count();
        assert!(count(&article(5000, 2)) >= 5000);
        assert!(count(&article(5000, 2)) < 8000);
        assert!(article(0, 2).ends_with("</html>\n"));
    }
}
