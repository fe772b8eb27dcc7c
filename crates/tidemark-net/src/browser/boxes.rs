//! The page as it stands: its HTML, and where each element is, taken in one go so that they fit together.
//!
//! The script runs in a world of its own: it shares the document with the page's scripts, and nothing else. Elements are listed in the order of the
//! document, up to a bound; numbers are whole pixels from the corner of the page.

use serde_json::Value;
use tidemark_engine::fetch::{Area, NodeBox};

/// Elements beyond this many have no box.
const ELEMENTS: usize = 40_000;

/// Takes it. Arguments: bytes of HTML at most, whether boxes are wanted.
pub(crate) const TAKE: &str = r"function (most, boxes, elements) {
    const doctype = document.doctype;
    const head = doctype ? new XMLSerializer().serializeToString(doctype) + '\n' : '';
    const html = head + (document.documentElement ? document.documentElement.outerHTML : '');
    if (html.length > most) return { large: true };
    const result = { html, url: document.URL };
    if (boxes) {
        scrollTo({ left: 0, top: 0, behavior: 'instant' });
        const tags = [], places = [];
        for (const element of document.querySelectorAll('*')) {
            if (tags.length === elements) break;
            const box = element.getBoundingClientRect();
            tags.push(element.localName);
            for (const n of [box.x + scrollX, box.y + scrollY, box.width, box.height]) places.push(Math.round(n));
        }
        result.tags = tags.join(' ');
        result.places = places;
        const root = document.documentElement, body = document.body;
        result.height = Math.max(root?.scrollHeight ?? 0, body?.scrollHeight ?? 0);
    }
    return result;
}";

pub(crate) const fn most_elements() -> usize {
    ELEMENTS
}

/// The boxes that the script listed; what makes no sense is none.
pub(crate) fn read(taken: &Value) -> Vec<NodeBox> {
    let places: Vec<i64> =
        taken["places"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
    let tags = taken["tags"].as_str().unwrap_or_default().split(' ').filter(|tag| !tag.is_empty());
    let boxes = tags.zip(places.chunks_exact(4)).take(ELEMENTS);
    boxes.map(|(tag, place)| NodeBox { tag: tag.to_ascii_lowercase().into(), area: area(place) }).collect()
}

fn area(place: &[i64]) -> Area {
    const FAR: i64 = 1_000_000;
    let at = |n: usize| place.get(n).copied().unwrap_or_default();
    let length = |n: usize| u32::try_from(at(n).clamp(0, FAR)).unwrap_or(0);
    Area {
        x: at(0).clamp(-FAR, FAR) as i32,
        y: at(1).clamp(-FAR, FAR) as i32,
        width: length(2),
        height: length(3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn boxes_are_read_and_nonsense_is_not() {
        let taken = json!({"tags": "html body P", "places": [0, 0, 800, 600, 8, 8, 784, 584, -5, 99, 10, 10_000_000_000_i64]});
        let boxes = read(&taken);
        assert_eq!(boxes.len(), 3);
        assert_eq!(&*boxes[2].tag, "p");
        assert_eq!(boxes[2].area, Area { x: -5, y: 99, width: 10, height: 1_000_000 });
        for odd in
            [json!(null), json!({"tags": 3, "places": "x"}), json!({"tags": "a b", "places": [1, 2, 3]})]
        {
            assert!(read(&odd).is_empty(), "{odd}");
        }
    }
}
