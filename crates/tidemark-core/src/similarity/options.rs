//! What a comparison can be told.

use super::{AttributeWeights, PathForm, Weights};

/// How two pages are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// What counts how much: path, attributes, words.
    pub weights: Weights,
    /// What each attribute counts.
    pub attribute_weights: AttributeWeights,
    /// Level of the subtrees, Slvl: 3 are the children of BODY. A deeper level leaves out what lies above it; 0 counts as 1.
    pub level: u32,
    /// How paths are compared.
    pub path_form: PathForm,
    /// Steps a comparison may take. One that would need more is coarse, and [`Report::exact`](super::Report::exact) says so.
    pub budget: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            weights: Weights::default(),
            attribute_weights: AttributeWeights::default(),
            level: 3,
            path_form: PathForm::default(),
            // Enough for two different pages of some thousand nodes, and a few seconds on the worst of pages.
            budget: 300_000_000,
        }
    }
}

/// By which way the most similar subtrees are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The paper's result, with as few comparisons as we can.
    #[default]
    Fast,
    /// The paper's equations word for word; the same result.
    Reference,
    /// The earlier approach of Flesca & Masciari, which the paper measures itself against.
    Original,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Reference, Self::Original];

    /// The name used in flags, files and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Reference => "reference",
            Self::Original => "original",
        }
    }

    /// The inverse of [`Method::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}
