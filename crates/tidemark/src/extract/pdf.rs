//! The text of a PDF, page by page, by `pdf-extract`. Runs in a child only.
//!
//! Cost: that of unpacking every page, and for each page one walk over the list of pages. A page that its reader cannot manage says so in its place, so that the others are still compared.

use pdf_extract::{Document, Error, PlainTextOutput, output_doc_page};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What stands for a page that cannot be read.
const UNREADABLE: &str = "[this page cannot be read]";

/// The pages, with a form feed between two.
pub(super) fn text(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut document = Document::load_mem(bytes).map_err(|error| said(&error))?;
    if document.is_encrypted() {
        // Many are encrypted with no password, to forbid printing.
        document.decrypt("").map_err(|_| "it is encrypted with a password".to_owned())?;
    }
    let pages: Vec<Result<String, String>> =
        document.get_pages().keys().map(|number| page(&document, *number)).collect();
    match pages.iter().find_map(|page| page.as_ref().err()) {
        _ if pages.is_empty() => Err("no page can be found in it".to_owned()),
        Some(reason) if pages.iter().all(Result::is_err) => Err(reason.clone()),
        _ => Ok(pages
            .iter()
            .map(|page| page.as_deref().unwrap_or(UNREADABLE))
            .collect::<Vec<_>>()
            .join("\u{c}")
            .into()),
    }
}

fn page(document: &Document, number: u32) -> Result<String, String> {
    let mut text = String::new();
    let read = || output_doc_page(document, &mut PlainTextOutput::new(&mut text), number);
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(())) => Ok(text.replace(is_control, " ")),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("page {number} is not as a page should be")),
    }
}

/// What is no text, the mark between pages among it.
fn is_control(character: char) -> bool {
    character.is_control() && character != '\n'
}

fn said(error: &Error) -> String {
    match error {
        Error::Decryption(_) | Error::InvalidPassword => "it is encrypted with a password".to_owned(),
        other => other.to_string(),
    }
}
