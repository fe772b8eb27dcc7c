//! What a jq filter makes of JSON, by `jaq`. Runs in a child only, since a filter may loop or recurse without end.
//!
//! Left out of the language: what tells of this machine (`env`, `input_filename`, local times), what makes a result restless (`now`), and what ends the program (`halt`).

use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data, load, unwrap_valr};
use jaq_json::{Val, read};

/// Left out.
const FORBIDDEN: [&str; 6] = ["env", "now", "halt", "halt_error", "localtime", "strflocaltime"];
/// Most bytes of results; the parent reads no more.
const MOST: usize = 20 << 20;

/// All results as one JSON array, one to a line. Without a document the filter is only checked.
pub(super) fn results(filter: &str, document: &[u8]) -> Result<Vec<u8>, String> {
    let arena = Arena::default();
    let filter = compile(filter, &arena)?;
    let document = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
    let mut text = "[".to_owned();
    for value in read::parse_many(document) {
        let value = value.map_err(|error| format!("it is no JSON: {error}"))?;
        let context = Ctx::<Data>::new(&filter.lut, Vars::new([]));
        for result in filter.id.run((context, value)).map(unwrap_valr) {
            let result = result.map_err(|error| shortened(&error.to_string()))?;
            text.push_str(if text.len() == 1 { "\n" } else { ",\n" });
            text.push_str(&result.to_string());
            if text.len() > MOST {
                return Err(format!("it makes more than {} MB of text", MOST >> 20));
            }
        }
    }
    text.push_str("\n]\n");
    Ok(text.into_bytes())
}

type Data = data::JustLut<Val>;
type Filter = jaq_core::Filter<Data>;

fn compile(filter: &str, arena: &Arena) -> Result<Filter, String> {
    let definitions = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let definitions = definitions.filter(|definition| !FORBIDDEN.contains(&definition.name));
    let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let functions = functions.filter(|(name, ..)| !FORBIDDEN.contains(name));
    let modules = Loader::new(definitions).load(arena, File { code: filter, path: () });
    let modules = modules.map_err(|errors| misread(&errors))?;
    load::import(&modules, |_| Err(String::new())).map_err(|errors| misread(&errors))?;
    Compiler::default().with_funs(functions).compile(modules).map_err(|errors| {
        let unknown = errors.iter().flat_map(|(_, errors)| errors).next();
        unknown.map_or_else(String::new, |(name, what)| {
            format!("there is no {} '{}' in it", what.as_str(), shortened(name))
        })
    })
}

/// Where a filter cannot be read.
fn misread(errors: &load::Errors<&str, ()>) -> String {
    let first = errors.iter().map(|(_, error)| error).next();
    match first {
        Some(load::Error::Lex(errors)) => near("it cannot be read", errors.first().map(|(_, rest)| *rest)),
        Some(load::Error::Parse(errors)) => near("it cannot be read", errors.first().map(|(_, rest)| *rest)),
        _ => "nothing can be imported or included".to_owned(),
    }
}

fn near(said: &str, rest: Option<&str>) -> String {
    match rest.map(str::trim).filter(|rest| !rest.is_empty()) {
        Some(rest) => format!("{said} from '{}' on", shortened(rest)),
        None => format!("{said}: it ends too early"),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}
