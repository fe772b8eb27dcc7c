//! What is done on a page, as a hand would do it: real clicks and real keys, at the place where the element is.
//!
//! Elements are looked for in a world of our own, so that no script of the page can lie about them. A step waits for its element as long as the page's patience
//! allows; what it typed is never part of what it says.

use super::tab::Tab;
use serde_json::{Value, json};
use std::time::Duration;
use tidemark_engine::fetch::Failure;
use tidemark_engine::render::Step;
use tidemark_engine::secret::Vault;
use tokio::time::Instant;

/// Where an element is, brought into view.
const FIND: &str = r"function (selector) {
    const element = document.querySelector(selector);
    if (!element) return null;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    return box.width && box.height ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
}";
const IS_THERE: &str = "function (selector) { return !!document.querySelector(selector); }";
const FOCUS: &str = r"function (selector) {
    const field = document.querySelector(selector);
    if (!field) return false;
    field.focus();
    if (field.select) field.select();
    return document.activeElement === field;
}";
const SELECT: &str = r"function (selector, wanted) {
    const list = document.querySelector(selector);
    if (!list || !list.options) return list ? 'none' : null;
    const option = [...list.options].find(o => o.value === wanted || o.text.trim() === wanted);
    if (!option) return 'none';
    list.value = option.value;
    for (const kind of ['input', 'change']) list.dispatchEvent(new Event(kind, { bubbles: true }));
    return 'done';
}";
const SCROLL: &str = r"function () {
    const before = document.documentElement.scrollHeight;
    scrollTo({ left: 0, top: before, behavior: 'instant' });
    return before;
}";
const HEIGHT: &str = "function () { return document.documentElement.scrollHeight; }";

impl Tab<'_> {
    /// Does a step; afterwards the page has had time to answer.
    pub(crate) async fn take(
        &mut self,
        step: &Step,
        vault: Option<&Vault>,
        patience: Duration,
    ) -> Result<(), Failure> {
        let limit = Instant::now() + patience;
        match step {
            Step::Click(element) => {
                let place = self.find(element, limit).await?;
                self.click(&place).await?;
            }
            Step::Type { field, text } => self.write(field, text, limit).await?,
            Step::Secret { field, secret } => {
                let vault = vault.ok_or_else(|| {
                    Failure::Rendering(
                        "there is no key to open its secret with (secrets.key_file)".to_owned(),
                    )
                })?;
                let secret = vault.open(secret).map_err(|error| Failure::Rendering(error.to_string()))?;
                self.write(field, &secret, limit).await?;
            }
            Step::Select { field, option } => self.choose(field, option, limit).await?,
            Step::Scroll(times) => return self.scroll(*times, limit).await,
            Step::Pause(time) => return self.idle_until(Instant::now() + *time).await,
            Step::Await(element) => return self.wait_for(element, limit).await,
            Step::Consent => self.consent(limit).await?,
        }
        self.settle(limit).await
    }

    /// Waits for an element.
    pub(crate) async fn wait_for(&mut self, element: &str, limit: Instant) -> Result<(), Failure> {
        loop {
            if self.run(IS_THERE, &[json!(element)]).await? == json!(true) {
                return Ok(());
            }
            self.again(limit).await?;
        }
    }

    /// The result of a function in a world of our own.
    pub(crate) async fn run(&mut self, function: &str, arguments: &[Value]) -> Result<Value, Failure> {
        let frame = self.frame.clone();
        let world =
            self.call("Page.createIsolatedWorld", json!({"frameId": frame, "worldName": "tidemark"})).await?;
        let arguments: Vec<Value> = arguments.iter().map(|value| json!({"value": value})).collect();
        let asked = json!({
            "functionDeclaration": function, "executionContextId": world["executionContextId"],
            "arguments": arguments, "returnByValue": true, "silent": true,
        });
        // A page that goes elsewhere at this moment takes the world with it.
        match self.call("Runtime.callFunctionOn", asked).await {
            Ok(answer) if answer["exceptionDetails"].is_null() => Ok(answer["result"]["value"].clone()),
            Ok(answer) if is_syntax(&answer) => Err(Failure::Rendering("it is no CSS selector".to_owned())),
            Ok(_) => Ok(Value::Null),
            Err(Failure::Rendering(reason)) if reason.contains("context") => Ok(Value::Null),
            Err(failure) => Err(failure),
        }
    }

    async fn again(&mut self, limit: Instant) -> Result<(), Failure> {
        if Instant::now() >= limit {
            return Err(Failure::Rendering("there is no such element".to_owned()));
        }
        self.look().await
    }

    async fn find(&mut self, element: &str, limit: Instant) -> Result<Value, Failure> {
        loop {
            let place = self.run(FIND, &[json!(element)]).await?;
            if !place.is_null() {
                return Ok(place);
            }
            self.again(limit).await?;
        }
    }

    pub(super) async fn click(&mut self, place: &Value) -> Result<(), Failure> {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event =
                json!({"type": kind, "x": place["x"], "y": place["y"], "button": button, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event).await?;
        }
        Ok(())
    }

    async fn write(&mut self, field: &str, text: &str, limit: Instant) -> Result<(), Failure> {
        while self.run(FOCUS, &[json!(field)]).await? != json!(true) {
            self.again(limit).await?;
        }
        self.call("Input.insertText", json!({"text": text})).await.map(drop)
    }

    async fn choose(&mut self, field: &str, option: &str, limit: Instant) -> Result<(), Failure> {
        loop {
            match self.run(SELECT, &[json!(field), json!(option)]).await?.as_str() {
                Some("done") => return Ok(()),
                Some(_) if Instant::now() >= limit => {
                    return Err(Failure::Rendering("the list has no such option".to_owned()));
                }
                _ => self.again(limit).await?,
            }
        }
    }

    /// To the end, until there is no more of it.
    async fn scroll(&mut self, times: u32, limit: Instant) -> Result<(), Failure> {
        for _ in 0..times {
            let before = self.run(SCROLL, &[]).await?;
            self.settle(limit).await?;
            if self.run(HEIGHT, &[]).await? == before {
                break;
            }
        }
        Ok(())
    }

    /// A moment for what a step sets going, and until that is over.
    async fn settle(&mut self, limit: Instant) -> Result<(), Failure> {
        self.look().await?;
        self.quiet(limit).await
    }
}

fn is_syntax(answer: &Value) -> bool {
    answer["exceptionDetails"]["exception"]["className"] == "DOMException"
        || answer["exceptionDetails"]["exception"]["description"]
            .as_str()
            .is_some_and(|text| text.contains("SyntaxError"))
}
