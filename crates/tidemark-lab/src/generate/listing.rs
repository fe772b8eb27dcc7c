//! A shop page.

use super::page::Page;
use super::words;

/// Writes a shop page with a table of `rows` goods: picture, linked name,
/// price, stock and rating.
#[must_use]
pub fn listing(rows: usize, seed: u64) -> String {
    let mut page = Page::new(seed, rows.saturating_mul(420));
    page.listing_head(rows);
    for row in 1..=rows {
        page.listing_row(row);
    }
    page.put(format_args!("</tbody>\n</table>\n</main>\n"));
    page.site_footer();
    page.out
}

impl Page {
    fn listing_head(&mut self, rows: usize) {
        self.put(format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <title>All goods | Example Chandlery</title>\n\
             <link rel=\"stylesheet\" href=\"/shop.css\">\n</head>\n<body>\n\
             <header><a href=\"/\">Example Chandlery</a></header>\n<main>\n\
             <h1>All goods</h1>\n<p class=\"count\">{rows} items</p>\n\
             <table class=\"goods\">\n<thead>\n<tr><th></th><th>Name</th><th>Price</th>\
             <th>Stock</th><th>Rating</th></tr>\n</thead>\n<tbody>\n"
        ));
    }

    fn listing_row(&mut self, row: usize) {
        let quality = self.pick(&words::PRODUCT_QUALITIES);
        let thing = self.pick(&words::PRODUCT_THINGS);
        let sku = self.rng.u32(10_000..100_000);
        let (pounds, pence) = (self.rng.u16(2..400), self.pick(&["00", "49", "50", "95", "99"]));
        let left = self.rng.u8(2..30).to_string();
        let stock = self.pick(&words::STOCK).replace('#', &left);
        let (stars, tenth) = (self.rng.u8(1..5), self.rng.u8(..10));
        let votes = self.rng.u16(1..900);
        self.put(format_args!(
            "<tr id=\"row-{row}\" data-sku=\"{sku}\">\n\
             <td><img src=\"/img/{sku}.jpg\" alt=\"{quality} {thing}\" width=\"64\" height=\"64\"></td>\n\
             <td><a href=\"/goods/{sku}\">{quality} {thing}</a></td>\n\
             <td class=\"price\">&pound;{pounds}.{pence}</td>\n\
             <td class=\"stock\">{stock}</td>\n\
             <td class=\"rating\">{stars}.{tenth} <small>({votes})</small></td>\n</tr>\n"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_has_a_row_for_each() {
        assert_eq!(listing(120, 4).matches("<tr id=").count(), 120);
        assert_eq!(listing(0, 4).matches("<tr id=").count(), 0);
    }
}
