//! The marked page in a real browser, which loads it, presses keys and follows links.
//!
//! Chromium is driven over its debugging pipe: messages are JSON, each ended by a NUL byte. `scripts/test` installs it and demands it; where it is
//! missing and nobody demands it, these tests say so and pass.

use command_fds::{CommandFdExt, FdMapping};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The environment variable by which `scripts/test` demands the browser.
const DEMANDED: &str = "TIDEMARK_TEST_BROWSER";

struct Browser {
    child: Child,
    commands: PipeWriter,
    answers: BufReader<PipeReader>,
    next: u64,
    session: Option<String>,
    _profile: TempDir,
}

impl Browser {
    fn start() -> Option<Self> {
        let program = ["/usr/lib/chromium/chromium", "/usr/bin/chromium"]
            .into_iter()
            .find(|path| Path::new(path).exists());
        let Some(program) = program else {
            assert!(
                std::env::var_os(DEMANDED).is_none(),
                "Chromium is not installed; run ./scripts/test, which installs it"
            );
            println!("NOT TESTED: Chromium is not installed");
            return None;
        };
        let profile = tempfile::tempdir().expect("a temporary folder can be made");
        let (their_commands, commands) = std::io::pipe().expect("a pipe can be made");
        let (answers, their_answers) = std::io::pipe().expect("a pipe can be made");
        let mut command = Command::new(program);
        command
            .args([
                "--headless=new",
                "--no-sandbox",
                "--remote-debugging-pipe",
                "--disable-gpu",
                "--hide-scrollbars",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .env("TMPDIR", profile.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .fd_mappings(vec![
                FdMapping { parent_fd: their_commands.into(), child_fd: 3 },
                FdMapping { parent_fd: their_answers.into(), child_fd: 4 },
            ])
            .expect("no file is given twice");
        let child = command.spawn().expect("Chromium starts");
        drop(command); // closes our copies of its ends
        let mut browser = Self {
            child,
            commands,
            answers: BufReader::new(answers),
            next: 0,
            session: None,
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", &json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        Some(browser)
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        write!(self.commands, "{message}\0").expect("Chromium listens");
        loop {
            let mut answer = Vec::new();
            self.answers.read_until(0, &mut answer).expect("Chromium answers");
            answer.pop();
            let answer: Value = serde_json::from_slice(&answer).expect("Chromium answers in JSON");
            if answer["id"] == json!(self.next) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    /// Opens a file and waits until its frames are there.
    fn open(&mut self, path: &Path) {
        self.call("Page.navigate", &json!({"url": format!("file://{}", path.display())}));
        let loaded = "document.readyState === 'complete' && !document.querySelector('.tools')?.hidden \
                      && [...document.querySelectorAll('iframe')].every(frame => frame.contentDocument?.readyState === 'complete' && frame.contentDocument.body)";
        for _ in 0..200 {
            if self.value(loaded) == json!(true) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("the view did not load, or its script did not run");
    }

    fn value(&mut self, expression: &str) -> Value {
        let result = self.call("Runtime.evaluate", &json!({"expression": expression, "returnByValue": true}));
        result["result"]["value"].clone()
    }

    fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", &json!({"type": kind, "key": key, "text": key}));
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const OLD: &str = "<!doctype html><title>Shop</title><h1>Shop</h1><h2>Kettles</h2><p id=moves>A paragraph about copper kettles that is long enough to be known.</p>\
    <p>The blue kettle costs 10 EUR.</p><div><p>An end that stays where it is, always.</p></div>";
const NEW: &str = "<!doctype html><title>Shop</title><h1>Shop</h1><h2>Kettles</h2>\
    <p>The blue kettle costs 12 EUR.</p><div><p>An end that stays where it is, always.</p><p id=moves>A paragraph about copper kettles that is long enough to be known.</p></div>\
    <script>parent.hacked = true; document.title = 'hacked'</script><img src=x onerror='parent.hacked = true'><a href='javascript:parent.hacked=true' id=trap>trap</a>";

/// Writes both pages and the view of their difference; where it is.
fn view(folder: &Path) -> std::path::PathBuf {
    std::fs::write(folder.join("old.html"), OLD).expect("a file can be written");
    std::fs::write(folder.join("new.html"), NEW).expect("a file can be written");
    let told = Command::new(env!("CARGO_BIN_EXE_tidemark"))
        .args(["diff", "--format", "html", "-o", "view.html", "old.html", "new.html"])
        .current_dir(folder)
        .status()
        .expect("the program runs");
    assert_eq!(told.code(), Some(1));
    folder.join("view.html")
}

#[test]
fn the_marked_page_works_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    browser.open(&view(folder.path()));
    let inner = "document.querySelector('.new iframe').contentDocument";

    // Nothing of the page runs, not even when its trap is clicked.
    browser.value(&format!("{inner}.querySelector('#trap').click()"));
    assert_eq!(browser.value("'hacked' in window || document.title === 'hacked'"), json!(false));
    assert_eq!(browser.value(&format!("{inner}.querySelectorAll('script, [onerror]').length")), json!(0));

    // Marks are on the page, and keys lead from one to the next.
    assert_eq!(browser.value(&format!("{inner}.querySelector('ins').textContent")), json!("12"));
    assert_eq!(browser.value(&format!("{inner}.querySelector('del').textContent")), json!("10"));
    assert_eq!(browser.value(&format!("{inner}.querySelectorAll('[data-tidemark-now]').length")), json!(0));
    browser.press("n");
    assert_eq!(browser.value(&format!("{inner}.querySelectorAll('[data-tidemark-now]').length")), json!(1));
    let first = browser.value("document.activeElement.dataset.change");
    browser.press("n");
    assert_ne!(browser.value("document.activeElement.dataset.change"), first, "another change has the focus");
    browser.press("p");
    assert_eq!(browser.value("document.activeElement.dataset.change"), first);

    // What moved is linked with where it was.
    browser.value(&format!("{inner}.querySelector('[data-tidemark-end=to]').click()"));
    assert_eq!(
        browser.value(&format!("{inner}.querySelector('[data-tidemark-now]')?.textContent ?? ''")),
        json!("moved from here")
    );

    // Side by side the old page shows, and the new one hides what went.
    assert_eq!(
        browser.value("getComputedStyle(document.querySelector('section.old')).display"),
        json!("none")
    );
    browser.press("s");
    assert_eq!(
        browser.value("getComputedStyle(document.querySelector('section.old')).display"),
        json!("flex")
    );
    assert_eq!(
        browser.value(&format!("getComputedStyle({inner}.querySelector('del')).display")),
        json!("none")
    );
    let old = "document.querySelector('.old iframe').contentDocument";
    assert_eq!(browser.value(&format!("{old}.querySelector('del').textContent")), json!("10"));
    assert_eq!(
        browser.value("document.querySelector('[data-view]').getAttribute('aria-pressed')"),
        json!("true")
    );
}

#[test]
fn the_outlined_page_works_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let page = folder.path().join("page.html");
    let section =
        |id: &str| format!("<section id={id}><h2>{id}</h2><p>{}</section>", format!("{id} word ").repeat(20));
    let trap = "<p><img src=x onerror='parent.hacked = true'><script>parent.hacked = true</script>";
    let html = format!(
        "<!doctype html><title>t</title><body>{}{}{trap}{}",
        section("a"),
        section("b"),
        section("c")
    );
    std::fs::write(&page, html).expect("a file can be written");
    let view = folder.path().join("view.html");
    let shown = Command::new(env!("CARGO_BIN_EXE_tidemark"))
        .args(["segment", "--format", "html"])
        .args([Path::new("-o"), &view, &page])
        .status();
    assert!(shown.expect("the program runs").success());
    browser.open(&view);
    let inner = "document.querySelector('iframe').contentDocument";
    assert_eq!(browser.value("'hacked' in window"), json!(false));
    let label = |style: &str| format!("getComputedStyle({inner}.querySelector('#b'), '::before').{style}");
    let number = browser.value(&format!("{inner}.querySelector('#b').dataset.tidemarkChange"));
    assert_eq!(browser.value(&label("content")), json!(format!("\"{}\"", number.as_str().unwrap_or(""))));
    assert_eq!(browser.value(&label("position")), json!("absolute"), "a number takes no room on the page");
    let colour = |id: &str| format!("getComputedStyle({inner}.querySelector('{id}')).outlineColor");
    assert_ne!(browser.value(&colour("#a")), browser.value(&colour("#b")), "neighbours have other colours");
    browser.press("n");
    browser.press("s"); // there is no other page to show beside it
    assert_eq!(browser.value(&format!("{inner}.querySelectorAll('[data-tidemark-now]').length")), json!(1));
    assert_eq!(browser.value("document.body.className"), json!(""));
}
