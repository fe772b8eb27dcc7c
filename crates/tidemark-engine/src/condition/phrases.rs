//! What pages say that stand in for another, in the languages we know it from. All in small letters.

const BOT_TITLES: &[&str] = &[
    "just a moment",
    "attention required",
    "access denied",
    "are you a robot",
    "are you human",
    "robot check",
    "security check",
    "human verification",
    "bist du ein mensch",
    "vérification de sécurité",
    "ddos protection",
    "un momento",
    "einen moment",
    "pardon our interruption",
    "request blocked",
];
const BOT_TEXTS: &[&str] = &[
    "checking your browser",
    "complete the captcha",
    "solve the captcha",
    "enter the characters you see",
    "verify you are human",
    "verify that you are human",
    "verifying you are human",
    "prove you are human",
    "i'm not a robot",
    "unusual traffic from your",
    "automated access to this",
    "enable javascript and cookies to continue",
    "please turn javascript on and reload",
    "bestätigen sie, dass sie ein mensch",
    "ungewöhnlichen datenverkehr",
    "you have been blocked",
    "your ip has been blocked",
    "your request has been blocked",
];
const BOT_SOURCES: &[&str] = &[
    "challenges.cloudflare.com",
    "/cdn-cgi/challenge-platform",
    "hcaptcha.com",
    "/recaptcha/",
    "captcha-delivery.com",
    "perimeterx",
    "arkoselabs",
    "_incapsula_resource",
];
const PARKED: &[&str] = &[
    "this domain is for sale",
    "domain is for sale",
    "buy this domain",
    "domain may be for sale",
    "the domain name is for sale",
    "this domain is parked",
    "parked free",
    "domain has expired",
    "domain name has expired",
    "diese domain steht zum verkauf",
    "domain kaufen",
    "ce domaine est à vendre",
    "inquire about this domain",
];
const CONSENT_TITLES: &[&str] =
    &["before you continue", "bevor sie fortfahren", "avant de continuer", "your privacy choices", "consent"];
const CONSENT_TEXTS: &[&str] = &[
    "before you continue to",
    "bevor sie fortfahren",
    "we and our partners process",
    "accept cookies to continue",
    "you must accept cookies",
    "zustimmung zu cookies",
    "um fortzufahren, stimmen sie",
    "you must be 18 or older to enter",
];
const ERRORS: &[&str] = &[
    "page not found",
    "page cannot be found",
    "page can't be found",
    "page you requested was not found",
    "page you are looking for",
    "page you're looking for",
    "page doesn't exist",
    "page does not exist",
    "no longer available",
    "seite nicht gefunden",
    "seite wurde nicht gefunden",
    "seite existiert nicht",
    "page introuvable",
    "página no encontrada",
    "pagina non trovata",
    "internal server error",
    "service unavailable",
    "bad gateway",
    "gateway timeout",
    "gateway time-out",
    "something went wrong",
    "an error occurred",
    "an error has occurred",
    "temporarily unavailable",
    "down for maintenance",
    "under maintenance",
    "wartungsarbeiten",
    "ein fehler ist aufgetreten",
    "une erreur est survenue",
    "too many requests",
    "rate limit exceeded",
    "error establishing a database connection",
    "database error",
];
const LOGIN_PATHS: &[&str] =
    &["login", "log-in", "signin", "sign-in", "sign_in", "anmelden", "sso", "oauth", "authorize", "auth"];

/// Words in front of which an error page has nothing to say.
const SHORT: usize = 60;

/// The signs of a test for robots.
pub(super) fn bot_wall(title: &str, text: &str) -> Option<String> {
    first_in(BOT_TITLES, title).or_else(|| first_in(BOT_TEXTS, text))
}

/// A script or frame that only tests for robots have.
pub(super) fn bot_source(source: &str) -> Option<String> {
    first_in(BOT_SOURCES, &source.to_ascii_lowercase())
}

/// The signs of a domain for sale.
pub(super) fn parked(text: &str) -> Option<String> {
    first_in(PARKED, text)
}

/// The signs of a question to agree to something first.
pub(super) fn consent(title: &str, text: &str) -> Option<String> {
    let by_title = CONSENT_TITLES.iter().find(|phrase| title.starts_with(**phrase));
    by_title.map(|phrase| (*phrase).to_owned()).or_else(|| first_in(CONSENT_TEXTS, text))
}

/// The signs of an error page: its title, or a page that says little else.
pub(super) fn error(title: &str, text: &str, words: usize) -> Option<String> {
    let number = title.split_whitespace().find(|word| is_error_number(word));
    let numbered = number.filter(|_| title.split_whitespace().count() <= 8 && says_error(title));
    numbered
        .map(|_| title.to_owned())
        .or_else(|| first_in(ERRORS, title))
        .or_else(|| (words <= SHORT).then(|| first_in(ERRORS, text)).flatten())
}

/// What a status means.
pub(super) fn of_status(status: u16) -> Option<&'static str> {
    Some(match status {
        400 => "bad request",
        401 => "log in first",
        403 => "forbidden",
        404 => "not found",
        408 => "time-out",
        410 => "gone",
        429 => "too many requests",
        451 => "withheld for legal reasons",
        500 => "internal error",
        502 => "bad gateway",
        503 => "unavailable",
        504 => "gateway time-out",
        _ => return None,
    })
}

/// Whether a path is that of a log-in page.
pub(super) fn is_login_path(path: &str) -> bool {
    path.to_ascii_lowercase().split(['/', '.']).any(|part| LOGIN_PATHS.contains(&part))
}

fn is_error_number(word: &str) -> bool {
    let word = word.trim_matches(|character: char| !character.is_ascii_digit());
    matches!(word, "403" | "404" | "410" | "429" | "500" | "502" | "503" | "504")
}

fn says_error(title: &str) -> bool {
    let words = [
        "error",
        "not found",
        "fehler",
        "nicht gefunden",
        "forbidden",
        "unavailable",
        "gone",
        "erreur",
        "page",
        "bad",
    ];
    title.trim().len() <= 4 || words.iter().any(|word| title.contains(word))
}

fn first_in(phrases: &[&str], text: &str) -> Option<String> {
    phrases.iter().find(|phrase| text.contains(**phrase)).map(|phrase| (*phrase).to_owned())
}
