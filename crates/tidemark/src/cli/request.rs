//! What is sent to a page.

use clap::{Args, ValueEnum, ValueHint};

/// How a page is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Request")]
pub(crate) struct RequestOptions {
    /// GET or POST [default: GET, or POST with --data]
    #[arg(long, value_name = "METHOD", ignore_case = true)]
    pub(crate) method: Option<HttpMethod>,
    /// The body of a POST; @FILE for that of a file
    #[arg(long, value_name = "TEXT|@FILE")]
    pub(crate) data: Option<String>,
    /// A header 'Name: value'; may be given often
    #[arg(long, value_name = "HEADER")]
    pub(crate) header: Vec<String>,
    /// A cookie name=value; may be given often
    #[arg(long, value_name = "COOKIE")]
    pub(crate) cookie: Vec<String>,
    /// A user and password, for pages that ask for them
    #[arg(long, value_name = "USER:PASSWORD", conflicts_with = "bearer")]
    pub(crate) user: Option<String>,
    /// A token, for pages that ask for one
    #[arg(long, value_name = "TOKEN")]
    pub(crate) bearer: Option<String>,
    /// A proxy for this page alone: http:// or socks5://
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) proxy: Option<String>,
    /// Part of the query, k=v, written in the address as it must be; may be given often
    #[arg(long, value_name = "K=V")]
    pub(crate) query: Vec<String>,
    /// A jq filter that JSON goes through before it is compared, such as '.items[] | {name, price}'
    #[arg(long, value_name = "FILTER")]
    pub(crate) jq: Option<String>,
    /// Do not ask robots.txt; for one's own site
    #[arg(long)]
    pub(crate) ignore_robots: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HttpMethod {
    /// The usual one
    Get,
    /// For pages behind a query that is posted
    Post,
}
