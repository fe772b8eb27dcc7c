//! The vocabularies the generators draw from.

/// Element names of generated XML trees.
#[rustfmt::skip]
pub(super) const XML_TAGS: [&str; 40] = [
    "item", "entry", "record", "group", "list", "name", "title", "note",
    "part", "page", "line", "field", "value", "label", "unit", "price",
    "amount", "date", "place", "person", "address", "street", "city", "code",
    "kind", "state", "event", "step", "task", "order", "ship", "port",
    "cargo", "crew", "route", "leg", "chart", "mark", "tide", "level",
];

/// Attribute names of generated XML trees.
#[rustfmt::skip]
pub(super) const XML_ATTRIBUTES: [&str; 12] = [
    "ref", "type", "lang", "rank", "unit", "from", "to", "source", "status",
    "version", "colour", "key",
];

/// HTML elements that hold blocks and text alike.
#[rustfmt::skip]
pub(super) const FLOW_TAGS: [&str; 10] = [
    "div", "section", "article", "aside", "header", "footer", "main", "nav",
    "figure", "blockquote",
];

/// HTML blocks that hold text and inline elements only.
pub(super) const TEXT_BLOCK_TAGS: [&str; 6] = ["p", "p", "p", "h2", "h3", "h4"];

/// HTML elements that hold `li` only.
pub(super) const LIST_TAGS: [&str; 2] = ["ul", "ol"];

/// HTML inline elements that may hold each other and themselves.
#[rustfmt::skip]
pub(super) const INLINE_TAGS: [&str; 10] = [
    "span", "span", "em", "strong", "small", "code", "cite", "q", "abbr",
    "mark",
];

/// Attribute names of generated HTML trees.
#[rustfmt::skip]
pub(super) const HTML_ATTRIBUTES: [&str; 8] = [
    "class", "title", "lang", "data-kind", "data-rank", "data-key", "role",
    "aria-label",
];

/// Tag names of tag soup: formatting, blocks, table parts, forms, foreign
/// content and a few that no parser knows.
#[rustfmt::skip]
pub(super) const SOUP_TAGS: [&str; 71] = [
    "a", "b", "i", "em", "strong", "font", "nobr", "u", "code", "small",
    "span", "B", "div", "DIV", "p", "P", "h1", "h3", "ul", "ol", "li", "dl",
    "dt", "dd", "pre", "address", "center", "section", "blockquote", "hr",
    "br", "img", "input", "wbr", "table", "TABLE", "caption", "colgroup",
    "col", "tbody", "thead", "tfoot", "tr", "td", "th", "form", "button",
    "select", "option", "optgroup", "label", "svg", "g", "path",
    "foreignObject", "desc", "math", "mi", "mtext", "annotation-xml",
    "html", "head", "body", "meta", "link", "ruby", "rt", "object", "marquee",
    "x-tide", "image",
];

/// Elements whose content is raw text; soup closes most of them, since an
/// open one swallows all that follows.
pub(super) const SOUP_RAW_TAGS: [&str; 7] =
    ["script", "style", "title", "textarea", "xmp", "iframe", "noscript"];

/// Attribute names of tag soup.
#[rustfmt::skip]
pub(super) const SOUP_ATTRIBUTES: [&str; 14] = [
    "id", "class", "href", "SRC", "style", "hidden", "type", "xlink:href",
    "viewbox", "on-tide", "=", "a\"b", "data-x", "xmlns",
];

/// Character references of tag soup, sound and broken.
#[rustfmt::skip]
pub(super) const SOUP_ENTITIES: [&str; 18] = [
    "&amp;", "&amp", "&lt;", "&lt", "&copy;", "&copy", "&notit;", "&notin;",
    "&nbsp;", "&#65;", "&#x41", "&#0;", "&#x80;", "&#xD800;", "&#1114112;",
    "&#;", "&#x;", "&unheardof;",
];

/// Comments, declarations and other bits of markup that tag soup strews in.
/// Templates are here to be closed more often than opened, since nothing else
/// gets out of one.
#[rustfmt::skip]
pub(super) const SOUP_ODDITIES: [&str; 23] = [
    "<!-- tide -->", "<!---->", "<!-->", "<!--->", "<!-- a -- b -->",
    "<!-- end --!>", "<!--<!-- in -->", "<!-", "<!DOCTYPE html>",
    "<!doctype x PUBLIC \"-//A//B\">", "<![CDATA[ raw ]]>", "<?php echo 1 ?>",
    "</>", "</ b>", "<>", "< b>", "]]>", "<3", "&", "<",
    "<template>", "</template>", "</template>",
];

/// Given names of the people who write articles and comments.
#[rustfmt::skip]
pub(super) const GIVEN_NAMES: [&str; 24] = [
    "Ada", "Bram", "Cleo", "Dario", "Edda", "Farid", "Greta", "Hugo", "Iris",
    "Jonas", "Kaya", "Lars", "Mina", "Nilo", "Olga", "Piet", "Quinn", "Rosa",
    "Sami", "Tove", "Uma", "Vito", "Wanda", "Yara",
];

/// Family names, all made up.
#[rustfmt::skip]
pub(super) const FAMILY_NAMES: [&str; 20] = [
    "Almsworth", "Brackwater", "Calder-Voss", "Dunmarrow", "Eelby",
    "Fennimoor", "Gullhaven", "Harrowick", "Inglesand", "Jettison",
    "Kelpworth", "Lowmarsh", "Mudlark", "Netherpool", "Oarsby", "Pebbleton",
    "Quayle-Ost", "Reedholm", "Saltash-Bray", "Tidewell",
];

/// Sections of the invented newspaper.
#[rustfmt::skip]
pub(super) const SECTIONS: [&str; 8] = [
    "World", "Harbour", "Business", "Science", "Culture", "Sport", "Weather",
    "Letters",
];

/// First words of product names.
#[rustfmt::skip]
pub(super) const PRODUCT_QUALITIES: [&str; 24] = [
    "Brass", "Compact", "Coastal", "Double", "Folding", "Galvanised", "Heavy",
    "Insulated", "Large", "Marine", "Narrow", "Oak", "Padded", "Quiet",
    "Rugged", "Small", "Spare", "Stainless", "Striped", "Tarred", "Twin",
    "Waxed", "Wide", "Woollen",
];

/// Last words of product names.
#[rustfmt::skip]
pub(super) const PRODUCT_THINGS: [&str; 28] = [
    "Anchor", "Barometer", "Bilge Pump", "Blanket", "Boat Hook", "Bucket",
    "Buoy", "Chart Case", "Cleat", "Compass", "Deck Brush", "Fender",
    "Flask", "Gloves", "Hammock", "Jacket", "Kettle", "Ladder", "Lantern",
    "Life Vest", "Oar", "Paddle", "Rope", "Sail Needle", "Shackle",
    "Tide Clock", "Torch", "Winch",
];

/// What a shop says of its stock; the listing fills `#` with a number.
#[rustfmt::skip]
pub(super) const STOCK: [&str; 5] = [
    "In stock", "# left", "# left", "Sold out", "Ships in # days",
];

/// Common English words in bands of 1, 2, 4, 8 ... words, the commonest band
/// first and each band in alphabetical order. A draw that first picks the band
/// and then a word in it gives word frequencies like those of running text.
#[rustfmt::skip]
pub(super) const COMMON: [&str; 680] = [
    "the",
    "and", "of",
    "a", "in", "is", "to",
    "as", "be", "for", "it", "on", "that", "was", "with",
    "all", "are", "at", "but", "by", "from", "had", "have", "not", "one", "or",
    "they", "this", "were", "which", "you",
    "about", "been", "can", "could", "has", "her", "him", "if", "into", "its",
    "more", "new", "no", "only", "other", "out", "said", "she", "so", "some",
    "than", "their", "them", "there", "time", "up", "we", "what", "when",
    "who", "will", "would",
    "after", "also", "any", "back", "because", "before", "being", "between",
    "both", "day", "did", "do", "down", "each", "even", "first", "get", "good",
    "here", "just", "life", "like", "little", "long", "made", "make", "man",
    "many", "may", "me", "men", "most", "much", "must", "my", "never", "now",
    "off", "our", "over", "own", "people", "see", "should", "state", "still",
    "such", "then", "these", "those", "three", "through", "too", "two",
    "under", "very", "way", "well", "where", "work", "world", "year", "years",
    "your",
    "again", "against", "almost", "always", "among", "another", "around",
    "asked", "away", "best", "better", "big", "business", "called", "came",
    "case", "children", "church", "city", "come", "country", "course", "days",
    "does", "door", "during", "early", "end", "enough", "every", "eyes",
    "face", "fact", "family", "far", "few", "find", "form", "found", "four",
    "general", "give", "given", "go", "going", "got", "government", "great",
    "group", "half", "hand", "head", "high", "himself", "home", "house",
    "however", "important", "kind", "knew", "know", "large", "last", "later",
    "left", "less", "line", "local", "look", "might", "need", "next", "night",
    "nothing", "number", "often", "once", "order", "others", "part", "place",
    "point", "possible", "power", "present", "president", "problem", "program",
    "public", "put", "rather", "right", "room", "same", "say", "school",
    "second", "seemed", "set", "several", "side", "since", "small", "social",
    "something", "system", "take", "things", "think", "though", "thought",
    "told", "took", "toward", "united", "until", "upon", "us", "use", "used",
    "want", "war", "water", "went", "while", "why", "without", "young",
    "able", "above", "across", "action", "age", "ago", "air", "along",
    "already", "apple", "area", "art", "autumn", "beach", "become", "began",
    "behind", "believe", "black", "blue", "board", "boat", "body", "book",
    "bread", "bridge", "bring", "brother", "brought", "building", "bus", "car",
    "care", "centre", "century", "certain", "change", "child", "clear",
    "cloud", "coast", "coffee", "college", "common", "company", "control",
    "cost", "council", "cut", "dark", "death", "different", "dinner", "dog",
    "east", "education", "effect", "either", "ever", "evidence", "farm",
    "father", "feel", "feet", "felt", "field", "final", "fish", "five",
    "floor", "flower", "food", "force", "free", "friend", "friends", "front",
    "fruit", "full", "future", "garden", "gave", "glass", "gold", "grass",
    "green", "ground", "hall", "harbour", "hard", "heard", "heart", "held",
    "help", "history", "hope", "horse", "hours", "human", "husband",
    "interest", "iron", "island", "job", "journey", "keep", "kept", "kitchen",
    "known", "labour", "land", "language", "late", "law", "leaf", "least",
    "leave", "level", "light", "live", "looked", "love", "low", "map",
    "market", "matter", "means", "meat", "member", "members", "milk", "mind",
    "modern", "moment", "money", "moon", "morning", "mother", "mountain",
    "music", "name", "national", "nature", "near", "needed", "north", "office",
    "open", "outside", "paper", "party", "past", "perhaps", "period", "plan",
    "plant", "play", "policy", "position", "price", "probably", "process",
    "property", "question", "rain", "rate", "read", "real", "really", "reason",
    "red", "report", "research", "rest", "result", "return", "river", "road",
    "run", "salt", "science", "sea", "seen", "sense", "service", "seven",
    "ship", "shore", "short", "show", "silver", "single", "sister", "six",
    "snow", "society", "sort", "sound", "south", "space", "special", "spring",
    "star", "station", "stone", "stood", "storm", "story", "street", "strong",
    "study", "sugar", "summer", "sun", "support", "table", "taken", "talk",
    "tax", "tea", "ten", "third", "ticket", "tide", "today", "together",
    "town", "trade", "train", "training", "travel", "tree", "true", "try",
    "turned", "type", "union", "value", "view", "voice", "wall", "wanted",
    "week", "west", "whether", "white", "whole", "wife", "wind", "window",
    "winter", "within", "wood", "word", "words", "yellow",
    "afraid", "afternoon", "ancient", "angry", "animal", "anyone", "army",
    "bank", "beneath", "beside", "beyond", "bird", "birthday", "border",
    "brave", "bright", "budget", "careful", "cat", "certainly", "chapter",
    "clean", "clearly", "coal", "cold", "court", "crime", "crowd", "customer",
    "dance", "dangerous", "deep", "degree", "despite", "difficult", "dirty",
    "doctor", "dry", "election", "electric", "empty", "energy", "engine",
    "evening", "everywhere", "exactly", "except", "factory", "famous",
    "farmer", "film", "finally", "fire", "fuel", "game", "gas", "gentle",
    "goal", "growth", "happy", "health", "heat", "heavy", "holiday", "honest",
    "hospital", "hot", "hour", "hungry", "ice", "income", "industry",
    "instead", "judge", "lesson", "letter", "lose", "lost", "loud", "machine",
    "manager", "match", "mayor", "meanwhile", "measure", "medicine", "meeting",
    "minister", "minute", "month", "moreover", "mostly", "narrow", "nation",
    "nearly", "neither", "nobody", "nor", "nurse", "oil", "owner", "page",
    "partly", "peace", "picture", "police", "prison", "profit", "proud",
    "quick", "quickly", "quiet", "quietly", "race", "ready", "recent",
    "record", "region", "rough", "round", "sad", "safe", "sale", "score",
    "season", "seldom", "shallow", "sharp", "shop", "simple", "simply", "slow",
    "slowly", "smoke", "smooth", "soft", "soldier", "somewhere", "song",
    "speech", "speed", "square", "stage", "store", "student", "sudden",
    "teacher", "team", "theatre", "therefore", "tired", "tomorrow", "unless",
    "usually", "village", "visit", "vote", "warm", "weekend", "weight", "wet",
    "whom", "whose", "wide", "win", "won", "worker", "yesterday", "yet",
];
