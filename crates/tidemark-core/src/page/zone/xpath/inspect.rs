//! A look over an expression before it is evaluated: what would overflow the stack, what cannot give nodes, what no
//! evaluation can know, and what makes one costly. Cost: linear in the expression; no recursion.

use super::super::ZoneError;
use xpath_eval::{Expr, FilterExpr, FunctionCall, LocationPath, PathExpr, PrimaryExpr, QName};

/// Deepest chain of operators: the evaluator recurses over it.
const OPERATORS: usize = 256;
/// Longest run of minus signs: the parser recurses over it.
const SIGNS: usize = 16;

/// What makes an expression costly beyond the nodes it visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traits {
    /// It compares sets of nodes with each other: every pair may be looked at.
    pub(super) pairs: bool,
    /// Work per node and per character of text, in steps.
    pub(super) weight: u64,
}

/// Refuses a long run of minus signs.
pub(super) fn check_signs(source: &str) -> Result<(), ZoneError> {
    let mut run = 0;
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            b'-' => run += 1,
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => run = 0,
        }
        if run > SIGNS {
            return Err(ZoneError::xpath(at, "more minus signs in a row than make sense"));
        }
    }
    Ok(())
}

/// Looks at every part of an expression.
pub(super) fn inspect(expression: &Expr, source: &str) -> Result<Traits, ZoneError> {
    if !gives_nodes(expression) {
        return Err(ZoneError::xpath(
            0,
            "the expression gives a value, not nodes; watch the nodes it is made from",
        ));
    }
    let mut traits = Traits { pairs: false, weight: 1 + source.len() as u64 / 128 };
    let mut open = vec![(expression, 0)];
    while let Some((part, depth)) = open.pop() {
        if depth > OPERATORS {
            return Err(ZoneError::xpath(
                0,
                "more than 256 operators in a chain; split it into several zones",
            ));
        }
        look_at(part, source, &mut traits)?;
        push_parts(part, depth + 1, &mut open);
    }
    Ok(traits)
}

fn look_at(part: &Expr, source: &str, traits: &mut Traits) -> Result<(), ZoneError> {
    match part {
        Expr::Equality(left, _, right) | Expr::Relational(left, _, right) => {
            traits.pairs |= gives_nodes(left) && gives_nodes(right);
        }
        Expr::Path(PathExpr::Filter(filter) | PathExpr::FilterLocation(filter, _)) => match &filter.primary {
            PrimaryExpr::Variable(name) => {
                return Err(unknown(source, "$", name, "there are no variables here"));
            }
            PrimaryExpr::Function(call) if !is_known(call) => {
                return Err(unknown(source, "", &call.name, "XPath 1.0 has no such function"));
            }
            // Each character is looked up in the whole list.
            PrimaryExpr::Function(call) if call.name.local == "translate" => {
                traits.weight = traits.weight.max(source.len() as u64 / 8);
            }
            _ => {}
        },
        _ => {}
    }
    Ok(())
}

fn unknown(source: &str, before: &str, name: &QName, reason: &str) -> ZoneError {
    let spelled = match &name.prefix {
        Some(prefix) => format!("{before}{prefix}:{}", name.local),
        None => format!("{before}{}", name.local),
    };
    let at = source.find(&spelled).unwrap_or(0);
    ZoneError::xpath(at + before.len(), &format!("{spelled}: {reason}"))
}

fn is_known(call: &FunctionCall) -> bool {
    const FUNCTIONS: [&str; 27] = [
        "last",
        "position",
        "count",
        "id",
        "local-name",
        "namespace-uri",
        "name",
        "string",
        "concat",
        "starts-with",
        "contains",
        "substring-before",
        "substring-after",
        "substring",
        "string-length",
        "normalize-space",
        "translate",
        "boolean",
        "not",
        "true",
        "false",
        "lang",
        "number",
        "sum",
        "floor",
        "ceiling",
        "round",
    ];
    call.name.prefix.is_none() && FUNCTIONS.contains(&call.name.local.as_str())
}

/// Whether the value can be a set of nodes. Brackets around brackets are peeled one by one.
fn gives_nodes(expression: &Expr) -> bool {
    let mut part = expression;
    loop {
        match part {
            Expr::Union(..) | Expr::Path(PathExpr::Location(_) | PathExpr::FilterLocation(..)) => {
                return true;
            }
            Expr::Path(PathExpr::Filter(FilterExpr { primary, .. })) => match primary {
                PrimaryExpr::Parenthesized(inner) => part = inner,
                PrimaryExpr::Function(call) => return call.name.local == "id",
                PrimaryExpr::Variable(_) => return true,
                PrimaryExpr::Literal(_) | PrimaryExpr::Number(_) => return false,
            },
            _ => return false,
        }
    }
}

type Open<'a> = Vec<(&'a Expr, usize)>;

fn push_parts<'a>(part: &'a Expr, depth: usize, open: &mut Open<'a>) {
    match part {
        Expr::Or(left, right)
        | Expr::And(left, right)
        | Expr::Equality(left, _, right)
        | Expr::Relational(left, _, right)
        | Expr::Additive(left, _, right)
        | Expr::Multiplicative(left, _, right)
        | Expr::Union(left, right) => open.extend([(&**left, depth), (&**right, depth)]),
        Expr::Negate(inner) => open.push((inner, depth)),
        Expr::Path(PathExpr::Location(path)) => push_steps(path, depth, open),
        Expr::Path(PathExpr::Filter(filter)) => push_filter(filter, depth, open),
        Expr::Path(PathExpr::FilterLocation(filter, path)) => {
            push_filter(filter, depth, open);
            push_steps(path, depth, open);
        }
    }
}

fn push_steps<'a>(path: &'a LocationPath, depth: usize, open: &mut Open<'a>) {
    open.extend(path.steps.iter().flat_map(|step| &step.predicates).map(|part| (part, depth)));
}

fn push_filter<'a>(filter: &'a FilterExpr, depth: usize, open: &mut Open<'a>) {
    open.extend(filter.predicates.iter().map(|part| (part, depth)));
    match &filter.primary {
        PrimaryExpr::Parenthesized(inner) => open.push((inner, depth)),
        PrimaryExpr::Function(call) => open.extend(call.args.iter().map(|part| (part, depth))),
        PrimaryExpr::Variable(_) | PrimaryExpr::Literal(_) | PrimaryExpr::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::XPath;

    #[test]
    fn chains_are_bounded() {
        assert!(XPath::parse(&format!("//p[{}1]", "1+".repeat(200))).is_ok());
        assert!(XPath::parse(&format!("//p[{}1]", "1+".repeat(2000))).is_err());
        assert!(XPath::parse(&format!("//p[{}1]", "-".repeat(4000))).is_err());
        assert!(XPath::parse(&format!("//p[{}1]", "- ".repeat(2000))).is_err());
        assert!(XPath::parse(&format!("//p{}", "|//p".repeat(1000))).is_err());
        assert!(XPath::parse(&format!("{}//p{}", "(".repeat(60), ")".repeat(60))).is_ok());
    }
}
