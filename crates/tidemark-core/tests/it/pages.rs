//! Pages to test with: those of the corpus, and pages made up at random.

use crate::tree::{self, Edit, Tree};
use encoding_rs::{
    BIG5, EUC_JP, Encoding, GB18030, ISO_2022_JP, KOI8_R, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
    X_USER_DEFINED,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use std::fs;
use std::path::Path;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;

/// A page in bytes, and the charset a server may have declared for it.
pub(crate) type Sent = (Vec<u8>, Option<String>);

/// Settings of a property with this many cases, unless the environment says otherwise.
pub(crate) fn cases(count: u32) -> ProptestConfig {
    let from_environment = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { from_environment.cases } else { count };
    let rng_seed = match from_environment.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0x7469_6465),
        fixed @ RngSeed::Fixed(_) => fixed,
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..from_environment }
}

/// Every page of the corpus with its name, in the order of names.
pub(crate) fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut pages: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("the corpus is part of the crate")
        .map(|entry| entry.expect("a readable folder").path())
        .filter_map(|path| Some((path.file_name()?.to_str()?.to_owned(), path)))
        .filter(|(name, _)| name != "README.md" && !name.starts_with('.'))
        .map(|(name, path)| (name, fs::read(path).expect("a readable page")))
        .collect();
    pages.sort();
    assert!(pages.len() > 50, "the corpus has {} pages", pages.len());
    pages
}

/// Encodes a page that is within the limits.
pub(crate) fn digest(bytes: &[u8]) -> PageDigest {
    PageDigest::encode(bytes, &Reading::default()).expect("a page within the limits")
}

/// Tag soup: tags of all sorts in any order, texts, comments, doctypes and what looks like them.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    tokens().prop_map(|tokens| tokens.concat())
}

/// The pieces of a soup.
pub(crate) fn tokens() -> impl Strategy<Value = Vec<String>> {
    let doctype = prop_oneof![3 => Just(None), 1 => select(DOCTYPES).prop_map(Some)];
    (doctype, vec(token(), 0..48)).prop_map(|(doctype, mut tokens)| {
        tokens.splice(0..0, doctype.map(str::to_owned));
        tokens
    })
}

/// A well-formed XML document.
pub(crate) fn xml() -> impl Strategy<Value = String> {
    (prolog(), tree::xml(), epilog()).prop_map(|(prolog, root, epilog)| format!("{prolog}{root}{epilog}"))
}

/// XML that was well-formed before pieces were cut out, doubled or put in.
pub(crate) fn broken_xml() -> impl Strategy<Value = String> {
    let damage = vec((any::<Index>(), any::<Index>(), select(DAMAGE)), 1..5);
    (xml(), damage).prop_map(|(text, damage)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (from, length, with) in damage {
            let from = from.index(characters.len() + 1);
            let to = (from + length.index(6)).min(characters.len());
            characters.splice(from..to, with.chars());
        }
        characters.into_iter().collect()
    })
}

/// Bytes that nobody meant as a page.
pub(crate) fn garbage() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..400),
        vec(select(b"<>/!-[]?&;=\"' ap\n\r\0\xff\xc3\xa9".as_slice()), 0..400)
    ]
}

/// Bytes of any sort, with and without a declared charset, right or wrong.
pub(crate) fn sent() -> impl Strategy<Value = Sent> {
    prop_oneof![
        4 => (soup().prop_map(String::into_bytes), charset()),
        2 => (xml().prop_map(String::into_bytes), charset()),
        2 => (broken_xml().prop_map(String::into_bytes), charset()),
        1 => (garbage(), charset()),
        3 => encoded(),
    ]
}

/// A page and an edited copy of it; sometimes the copy is only spelled in another way, or not edited at all.
pub(crate) fn related() -> impl Strategy<Value = (String, String)> {
    prop_oneof![related_soups(), related_trees(), related_xml()]
}

/// Texts as other encodings than UTF-8 write them, with the right charset, a wrong one or none.
fn encoded() -> impl Strategy<Value = Sent> {
    let text = prop_oneof![soup(), xml(), broken_xml()];
    let encodings: &[&'static Encoding] = &[
        BIG5,
        EUC_JP,
        GB18030,
        ISO_2022_JP,
        KOI8_R,
        SHIFT_JIS,
        UTF_8,
        UTF_16BE,
        UTF_16LE,
        WINDOWS_1252,
        X_USER_DEFINED,
    ];
    (text, select(encodings.to_vec()), any::<bool>(), charset()).prop_map(
        |(text, encoding, right, charset)| {
            let bytes = bytes_in(&text, encoding);
            (bytes, if right { Some(encoding.name().to_owned()) } else { charset })
        },
    )
}

/// A text in an encoding; UTF-8 and UTF-16 with a byte order mark.
pub(crate) fn bytes_in(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let marked = format!("\u{feff}{text}");
    if encoding == UTF_16LE {
        marked.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else if encoding == UTF_16BE {
        marked.encode_utf16().flat_map(u16::to_be_bytes).collect()
    } else if encoding == UTF_8 {
        marked.into_bytes()
    } else {
        encoding.encode(text).0.into_owned()
    }
}

fn charset() -> impl Strategy<Value = Option<String>> {
    let labels = select(&[
        "utf-8",
        "latin1",
        "sjis",
        "utf-16",
        "gbk",
        "iso-2022-kr",
        "x-user-defined",
        "no-such-charset",
        "",
    ]);
    prop_oneof![2 => Just(None), 1 => labels.prop_map(|label| Some(label.to_owned()))]
}

fn related_soups() -> impl Strategy<Value = (String, String)> {
    let edit = (0..5u8, any::<Index>(), token());
    (tokens(), vec(edit, 0..4)).prop_map(|(old, edits)| {
        let mut new = old.clone();
        for (kind, at, token) in edits {
            let at = at.index(new.len() + 1);
            match kind {
                0 => new.insert(at, token),
                _ if at == new.len() => {}
                1 => drop(new.remove(at)),
                2 => new[at] = token,
                3 => new.insert(at, new[at].clone()),
                _ => new.swap(at, 0),
            }
        }
        (old.concat(), new.concat())
    })
}

fn related_trees() -> impl Strategy<Value = (String, String)> {
    (tree::tidy(), edits()).prop_map(|(old, edits)| (old.to_string(), edited(&old, &edits)))
}

fn related_xml() -> impl Strategy<Value = (String, String)> {
    let declared = |root: &str| format!("<?xml version='1.0'?>{root}");
    (tree::xml(), edits())
        .prop_map(move |(old, edits)| (declared(&old.to_string()), declared(&edited(&old, &edits))))
}

fn edits() -> impl Strategy<Value = Vec<(Edit, Index)>> {
    vec((select(Edit::ALL.as_slice()), any::<Index>()), 0..3)
}

fn edited(old: &Tree, edits: &[(Edit, Index)]) -> String {
    let mut new = old.clone();
    for (edit, at) in edits {
        new = new.edited(*edit, at).unwrap_or(new);
    }
    new.to_string()
}

const DAMAGE: &[&str] = &[
    "",
    "",
    "<",
    ">",
    "&",
    ";",
    "\"",
    "'",
    "</",
    "/>",
    "<a",
    "</a>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "&x;",
    "<!DOCTYPE",
    "=",
    "\0",
    "é",
    "<a b=c d>",
];

fn prolog() -> impl Strategy<Value = String> {
    let declaration = select(&[
        "<?xml version='1.0'?>",
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone='yes' ?>\n",
        "<?xml version='1.0'?>\r\n",
    ]);
    let doctype = select(&[
        "",
        "",
        "<!DOCTYPE r>",
        "<!DOCTYPE r SYSTEM \"r.dtd\">\n",
        "<!DOCTYPE r [ <!ENTITY own \"a &amp; b\"> ]>",
    ]);
    (declaration, misc(), doctype, misc())
        .prop_map(|(declaration, before, doctype, after)| format!("{declaration}{before}{doctype}{after}"))
}

fn epilog() -> impl Strategy<Value = String> {
    misc().prop_map(str::to_owned)
}

/// What may stand outside of the root.
fn misc() -> impl Strategy<Value = &'static str> {
    select(&[
        "",
        "",
        "",
        "\n",
        "<!-- outside -->",
        "<?outside now?>\n",
        "\r\n<!--x--><!--y-->",
        "<?a?> <?b c?>",
    ])
}

/// One piece of a soup.
fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => start_tag(TAGS),
        3 => start_tag(FOREIGN),
        2 => start_tag(ROOTS),
        1 => start_tag(ODD),
        8 => select(words(TAGS)).prop_map(|name| format!("</{name}>")),
        3 => select(words(FOREIGN)).prop_map(|name| format!("</{name} >")),
        1 => select(words(ROOTS)).prop_map(|name| format!("</{name}\n>")),
        10 => vec(select(TEXTS), 1..4).prop_map(|pieces| pieces.concat()),
        3 => raw_element(),
        2 => select(COMMENTS).prop_map(str::to_owned),
        1 => select(DOCTYPES).prop_map(str::to_owned),
    ]
}

fn words(list: &'static str) -> Vec<&'static str> {
    list.split_ascii_whitespace().collect()
}

fn start_tag(names: &'static str) -> impl Strategy<Value = String> {
    let attributes = prop_oneof![2 => Just(Vec::new()), 1 => vec(attribute(), 1..5)];
    let end = select(&[">", ">", ">", ">", "/>", " >", "\r\n>"]);
    (select(words(names)), any::<u8>(), attributes, end).prop_map(|(name, capitals, attributes, end)| {
        let name = if capitals < 32 { name.to_ascii_uppercase() } else { name.to_owned() };
        format!("<{name}{}{end}", attributes.concat())
    })
}

fn attribute() -> impl Strategy<Value = String> {
    let value = vec(select(VALUES), 0..3).prop_map(|pieces| pieces.concat());
    (select(words(ATTRIBUTES)), value, 0..8u8).prop_map(|(name, value, quoting)| match quoting {
        0..=2 => format!(" {name}=\"{}\"", value.replace('"', "'")),
        3 => format!("\n{name} = '{}'", value.replace('\'', "\"")),
        4 => format!(" {name}={}", value.replace([' ', '>', '\r', '\n'], "")),
        5 => format!("/{name}=\"{value}"),
        6 => format!(" {name}=\"\""),
        _ => format!(" {name}"),
    })
}

fn raw_element() -> impl Strategy<Value = String> {
    let close = prop::bool::weighted(0.9);
    (select(words(RAW)), vec(select(RAW_TEXTS), 0..5), close).prop_map(|(name, texts, close)| {
        let text = texts.concat();
        if close { format!("<{name}>{text}</{name}>") } else { format!("<{name}>{text}") }
    })
}

const TAGS: &str = "div div p p span a a b b i em nobr font code ul ol li li dl dt dd h1 h2 table table caption colgroup \
    col thead tbody tfoot tr tr td td th form button input select optgroup option hr br img image address center pre \
    listing ruby rb rt rtc rp object applet marquee template template base link meta area wbr main details summary";
const FOREIGN: &str = "svg svg svg math math foreignObject desc title g path circle linearGradient mi mo mtext mglyph \
    annotation-xml font script style a b html malignmark clipPath";
const ROOTS: &str = "html head body frameset frame noframes title";
const ODD: &str = "x-y a:b o'x q\"z w'\"v xé x日 x\0y x² x<y h7 :";
const RAW: &str = "script style title textarea xmp iframe noembed noframes script plaintext noscript";
const ATTRIBUTES: &str = "class class id id href title data-x onclick type encoding xlink:href xml:lang xmlns xmlns:xlink viewbox \
    definitionurl color hidden CLASS ä ' \" a'b {{x}} = <";

const VALUES: &[&str] = &[
    "a",
    "b",
    "c d",
    "hidden",
    "text/html",
    "&amp;",
    "&lt",
    "&copy=1",
    "&notit;",
    "<p>",
    "</p>",
    ">",
    "\r\n",
    "\n",
    "\0",
    "é",
    "日本",
    "😀",
    "'",
    "\"",
    "=",
    "`",
    "&#39;",
    "x",
    "\u{feff}",
];
const TEXTS: &[&str] = &[
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t \u{c}",
    "\0",
    "one",
    "two words",
    "&amp;",
    "&nbsp;",
    "&notit;",
    "&#x80;",
    "&#0;",
    "&#13;",
    "&#xD800;",
    "&",
    "&am",
    "&#",
    "&#x",
    "<",
    "< ",
    "<3",
    "</",
    ">",
    "]]>",
    "--",
    "é",
    "日本語",
    "😀",
    "\u{feff}",
    "\u{b}",
    "\u{1}",
    "\u{fffd}",
    "\u{a0}",
];
const RAW_TEXTS: &[&str] = &[
    "a<b",
    "</p>",
    "<p>",
    "<!--",
    "-->",
    "--",
    "<script>",
    "</script",
    "</ script>",
    "</STYLE>",
    "&lt;",
    "&",
    "\0",
    "\r\n",
    "\n",
    "日本",
    "if (a) {}",
    "<![CDATA[",
    "</title ",
    "<script",
    "é",
];
const COMMENTS: &[&str] = &[
    "<!---->",
    "<!-- a -->",
    "<!-->",
    "<!--->",
    "<!-- a --!>",
    "<!--a--b-->",
    "<!-- <!-- -->",
    "<!--\r\n\0-->",
    "<!x>",
    "<!>",
    "<?php echo 1 ?>",
    "</ x>",
    "</>",
    "</1>",
    "<![CDATA[a]]>",
    "<![CDATA[ <b> \0 ]] ]]>",
    "<![CDATA[]]>",
    "<!-- é -->",
    "<!--x",
    "<![CDATA[x",
];
const DOCTYPES: &[&str] = &[
    "<!DOCTYPE html>",
    "<!doctype HTML>",
    "<!DOCTYPE>",
    "<!DOCTYPE html SYSTEM 'about:legacy-compat'>",
    "<!DOCTYPEhtml>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">",
    "<!DOCTYPE \0x PUBLIC 'a\"b' \"c'd\">",
    "<!DOCTYPE html bogus>",
    "<!DOCTYPE html PUBLIC \"open>",
];
