//! Small trees that can be edited at a known place: as HTML that needs no repair, and as well-formed XML.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::fmt;

/// A tree before it is markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    /// An element with children.
    Element {
        /// Its name.
        name: &'static str,
        /// Its attributes, values as they are written.
        attributes: Vec<(&'static str, String)>,
        /// What is inside.
        children: Vec<Tree>,
    },
    /// Text as it is written.
    Text(String),
    /// Any other markup.
    Other(&'static str),
}

/// One change of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// A text gets a word more.
    Text,
    /// An attribute gets another value.
    Attribute,
    /// An attribute gets another name.
    Rename,
    /// An element's attributes go to its neighbour, which has none.
    Hand,
    /// An element gets another name.
    Tag,
    /// An element without attributes or content comes in.
    Insert,
    /// A child goes.
    Remove,
    /// Two neighbours that differ change places.
    Swap,
}

impl Edit {
    /// All of them.
    pub(crate) const ALL: [Self; 8] = [
        Self::Text,
        Self::Attribute,
        Self::Rename,
        Self::Hand,
        Self::Tag,
        Self::Insert,
        Self::Remove,
        Self::Swap,
    ];
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element { name, attributes, children } => {
                write!(f, "<{name}")?;
                attributes.iter().try_for_each(|(name, value)| write!(f, " {name}=\"{value}\""))?;
                f.write_str(">")?;
                children.iter().try_for_each(|child| child.fmt(f))?;
                write!(f, "</{name}>")
            }
            Self::Text(text) => f.write_str(text),
            Self::Other(markup) => f.write_str(markup),
        }
    }
}

impl Tree {
    /// The tree with one edit, at one of the places where it can be made; nothing if there is none.
    pub(crate) fn edited(&self, edit: Edit, at: &Index) -> Option<Self> {
        let mut count = 0;
        let mut tree = self.clone();
        tree.visit(&mut |node| count += usize::from(node.clone().edit(edit)));
        let mut left = at.index(count.max(1));
        tree.visit(&mut |node| {
            if node.clone().edit(edit) {
                if left == 0 {
                    node.edit(edit);
                }
                left = left.wrapping_sub(1);
            }
        });
        (count > 0).then_some(tree)
    }

    /// Calls with every node, inside first, so that an edit shows only nodes that were there before it.
    fn visit(&mut self, call: &mut dyn FnMut(&mut Self)) {
        if let Self::Element { children, .. } = self {
            children.iter_mut().for_each(|child| child.visit(call));
        }
        call(self);
    }

    /// Makes the edit at this node; whether it could.
    fn edit(&mut self, edit: Edit) -> bool {
        match (edit, self) {
            (Edit::Text, Self::Text(text)) => text.push_str("more"),
            (Edit::Attribute, Self::Element { attributes, .. }) => match attributes.first_mut() {
                Some((_, value)) => value.push('2'),
                None => return false,
            },
            (Edit::Rename, Self::Element { attributes, .. }) => match attributes.first_mut() {
                Some((name, _)) => *name = if *name == "lang" { "dir" } else { "lang" },
                None => return false,
            },
            (Edit::Hand, Self::Element { children, .. }) => match &mut children[..] {
                [Self::Element { attributes: from, .. }, Self::Element { attributes: to, .. }, ..]
                    if to.is_empty() && !from.is_empty() =>
                {
                    std::mem::swap(from, to);
                }
                _ => return false,
            },
            (Edit::Tag, Self::Element { name, .. }) => *name = if *name == "main" { "nav" } else { "main" },
            (Edit::Insert, Self::Element { children, .. }) => {
                children.push(Self::Element { name: "aside", attributes: Vec::new(), children: Vec::new() });
            }
            (Edit::Remove, Self::Element { children, .. }) if !children.is_empty() => {
                drop(children.remove(0));
            }
            (Edit::Swap, Self::Element { children, .. })
                if children.len() > 1 && children[0] != children[1] =>
            {
                children.swap(0, 1);
            }
            _ => return false,
        }
        true
    }
}

/// Trees that HTML nests as they are written.
pub(crate) fn tidy() -> impl Strategy<Value = Tree> {
    let texts = select(&["one", "two words", "three &amp; four", "fünf", " "]);
    let leaf = prop_oneof![4 => texts.prop_map(|text| Tree::Text(text.to_owned())), 1 => Just(Tree::Other("<!--c-->"))];
    nested(leaf, &["div", "section", "article", "main", "nav"], &["class", "id", "title"])
}

/// Roots of well-formed XML documents.
pub(crate) fn xml() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        3 => vec(select(XML_TEXTS), 1..4).prop_map(|texts| Tree::Text(texts.concat())),
        1 => select(XML_OTHERS).prop_map(Tree::Other),
    ];
    nested(leaf, &["r", "a", "b", "long-name", "ünï", "p:q", "main"], &["x", "y", "xml:lang", "p:z", "ä"])
        .prop_map(declare_prefix)
}

fn nested(
    leaf: impl Strategy<Value = Tree> + 'static,
    names: &'static [&'static str],
    attributes: &'static [&'static str],
) -> impl Strategy<Value = Tree> {
    let element = move |children: BoxedStrategy<Vec<Tree>>| {
        (select(names), own_attributes(attributes), children)
            .prop_map(|(name, attributes, children)| Tree::Element { name, attributes, children })
    };
    let inner = leaf.prop_recursive(5, 40, 6, move |inner| element(vec(inner, 0..6).boxed()));
    element(vec(inner, 0..6).boxed())
}

fn own_attributes(names: &'static [&'static str]) -> impl Strategy<Value = Vec<(&'static str, String)>> {
    let value = select(&["", "v", "v w", "&amp;", "&lt;&#38;", "é", "'", "a\tb", "l\r\nm", "&#10;", ">"]);
    let attribute = (select(names), value.prop_map(str::to_owned));
    vec(attribute, 0..4).prop_map(|mut attributes| {
        attributes.sort_by_key(|(name, _)| *name);
        attributes.dedup_by_key(|(name, _)| *name);
        attributes.reverse();
        attributes
    })
}

/// The root declares the prefix that names below it may have.
fn declare_prefix(mut root: Tree) -> Tree {
    if let Tree::Element { attributes, .. } = &mut root {
        attributes.push(("xmlns:p", "urn:p".to_owned()));
    }
    root
}

const XML_TEXTS: &[&str] = &[
    "one",
    "two words",
    " ",
    "\n",
    "\r\n",
    "&amp;",
    "&lt;",
    "&#65;",
    "&#x20AC;",
    "&#13;",
    "é",
    "日本",
    "😀",
    "]] ",
    ">",
    "\"",
    "'",
    "\u{feff}",
];
const XML_OTHERS: &[&str] = &[
    "<!---->",
    "<!-- a - b -->",
    "<!--\r\n-->",
    "<![CDATA[]]>",
    "<![CDATA[ <raw> & ]] ]]>",
    "<![CDATA[a\r\nb]]>",
    "<?pi?>",
    "<?pi some data?>",
    "<?pi  a\r\nb ?>",
    "<empty/>",
    "<empty x='1' />",
];
