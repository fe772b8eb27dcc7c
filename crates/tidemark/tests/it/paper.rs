//! PDFs written by ourselves: as small as they can be, right or wrong in one place.

use std::fmt::Write as _;

/// A PDF with one page for each text, a line of text for each of its lines.
pub(crate) fn pdf(pages: &[&str]) -> Vec<u8> {
    let kids: String = (0..pages.len()).map(|at| format!("{} 0 R ", 4 + 2 * at)).collect();
    let mut objects = head(&kids, pages.len());
    for (at, text) in pages.iter().enumerate() {
        objects.push(page(5 + 2 * at));
        objects.push(stream("", &written(text)));
    }
    assembled(&objects)
}

/// A PDF with one page whose text is what a stream says, unpacked.
pub(crate) fn packed(filter: &str, bytes: &[u8]) -> Vec<u8> {
    let mut objects = head("4 0 R", 1);
    objects.extend([page(5), stream(&format!("/Filter /{filter} "), bytes)]);
    assembled(&objects)
}

/// A PDF whose list of pages is as given, with one page after it.
pub(crate) fn listed(kids: &str, count: usize, page: &str) -> Vec<u8> {
    let mut objects = head(kids, count);
    objects.extend([page.as_bytes().to_vec(), stream("", &written("text"))]);
    assembled(&objects)
}

/// What puts lines on a page.
pub(crate) fn written(text: &str) -> Vec<u8> {
    let mut shown = "BT /F1 12 Tf 72 720 Td ".to_owned();
    for line in text.lines() {
        let escaped = line.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        let _ = write!(shown, "({escaped}) Tj 0 -20 Td ");
    }
    (shown + "ET").into_bytes()
}

fn head(kids: &str, count: usize) -> Vec<Vec<u8>> {
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
    [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>"),
        font.to_owned(),
    ]
    .map(String::into_bytes)
    .into()
}

fn page(contents: usize) -> Vec<u8> {
    format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents {contents} 0 R >>").into_bytes()
}

fn stream(entries: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("<< {entries}/Length {} >>\nstream\n", bytes.len());
    [head.as_bytes(), bytes, b"\nendstream"].concat()
}

fn assembled(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in (1..).zip(objects) {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        file.extend(i32::to_string(&number).bytes().chain(*b" 0 obj\n").chain(object.iter().copied()));
        file.extend(b"\nendobj\n");
    }
    let (start, size) = (file.len(), objects.len() + 1);
    file.extend(table.bytes());
    file.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").bytes());
    file
}
