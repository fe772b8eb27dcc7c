//! What hyper says went wrong, as what it means for a visit.

use std::error::Error;
use std::io;
use tidemark_engine::fetch::Failure;

/// Broken off, or never any sense.
pub(crate) fn failure(error: &hyper::Error) -> Failure {
    let reason = in_words(error);
    let kind = sources(error).find_map(|source| source.downcast_ref::<io::Error>()).map(io::Error::kind);
    if error.is_user() {
        return Failure::Unsendable(reason);
    }
    let garbled = matches!(kind, Some(io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput));
    if error.is_parse() || garbled || breaks_rules(error) {
        return Failure::Garbled(reason);
    }
    Failure::Cut(reason)
}

/// HTTP/2 has its own word for what breaks its rules.
fn breaks_rules(error: &hyper::Error) -> bool {
    let texts = sources(error).map(ToString::to_string);
    let rules = ["protocol error", "frame with invalid size", "not in valid state", "flow-control"];
    texts.into_iter().any(|text| rules.iter().any(|rule| text.contains(rule)))
}

/// The last of the reasons says most; the first says where.
fn in_words(error: &hyper::Error) -> String {
    let last = sources(error).last().map(ToString::to_string);
    last.map_or_else(|| error.to_string(), |last| format!("{error} ({last})"))
}

fn sources(error: &hyper::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |error: &&(dyn Error + 'static)| (*error).source())
}
