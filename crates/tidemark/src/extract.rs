//! Documents that are no pages, read in a process of its own: this program once more, as `tidemark extract`, without our environment, with limits on time and memory.
//!
//! A document or a filter can make its reader loop, recurse without end or ask for all memory there is. Here that ends one child, and becomes the reason why the document is
//! compared by its hash. The child gets the filter in one line and the document after it; it answers with the text, or with a reason and a bad status.

mod child;
mod jq;
mod limits;
mod pdf;
mod turn;

pub(crate) use child::serve;

use limits::Limits;
use rustix::process::Signal;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tidemark_engine::extract::{Extraction, Extractor};
use turn::Turns;

/// Children at a time; the others wait their turn.
const CHILDREN: usize = 4;
/// Most that a child may answer, in bytes.
const ANSWER: u64 = 20 << 20;
/// What is read of its reason.
const REASON: u64 = 500;

/// Reads documents in child processes, a few at a time.
pub(crate) struct Children {
    turns: Turns,
}

impl Children {
    pub(crate) fn new() -> Self {
        Self { turns: Turns::new(CHILDREN) }
    }
}

impl Extractor for Children {
    fn extract(&self, what: &Extraction, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let limits = Limits::of(what);
        let _turn = self.turns.take();
        let child = start(what).map_err(|error| format!("{what} cannot be read: {error}"))?;
        let answer = attend(child, &head(what), bytes, limits.time);
        answer
            .and_then(|answer| answer.judged(&limits))
            .map_err(|reason| format!("{what} cannot be read: {reason}"))
    }
}

/// What a child said, and how it ended.
struct Answer {
    text: Vec<u8>,
    reason: Vec<u8>,
    /// None if it was ended for taking too long.
    status: Option<ExitStatus>,
}

impl Answer {
    fn judged(self, limits: &Limits) -> Result<Vec<u8>, String> {
        let late = || format!("it took longer than {} s", limits.cpu.as_secs());
        let Some(status) = self.status else { return Err(late()) };
        if self.text.len() as u64 > ANSWER {
            return Err(format!("it makes more than {} MB of text", ANSWER >> 20));
        }
        match status.signal().map(Signal::from_named_raw) {
            None if status.success() => Ok(self.text),
            None => Err(String::from_utf8_lossy(&self.reason).trim().to_owned()),
            Some(Some(Signal::XCPU)) => Err(late()),
            Some(_) => Err(format!(
                "it needs more than {} MB of memory, or is nested too deeply",
                limits.memory >> 20
            )),
        }
    }
}

/// The line before the document.
fn head(what: &Extraction) -> Vec<u8> {
    let filter = match what {
        Extraction::Pdf => "",
        Extraction::Jq(filter) => filter,
    };
    let mut head = serde_json::to_vec(filter).unwrap_or_default();
    head.push(b'\n');
    head
}

fn start(what: &Extraction) -> std::io::Result<Child> {
    let kind = match what {
        Extraction::Pdf => "pdf",
        Extraction::Jq(_) => "jq",
    };
    let mut command = Command::new(ourselves()?);
    command.args(["extract", kind]).env_clear().current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// This very program, also where its file has been replaced since it was started.
fn ourselves() -> std::io::Result<PathBuf> {
    let linux = PathBuf::from("/proc/self/exe");
    if linux.exists() { Ok(linux) } else { std::env::current_exe() }
}

/// Feeds a child, hears it, and sees to it that it ends.
fn attend(mut child: Child, head: &[u8], bytes: &[u8], time: Duration) -> Result<Answer, String> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut stdin = stdin?;
            // A child that has ended does not read.
            stdin.write_all(head).and_then(|()| stdin.write_all(bytes)).ok()
        });
        let text = scope.spawn(|| heard(stdout, ANSWER + 1));
        let reason = scope.spawn(|| heard(stderr, REASON));
        let status = ended(&mut child, time);
        let hear = |heard: thread::ScopedJoinHandle<'_, Vec<u8>>| heard.join().unwrap_or_default();
        Ok(Answer {
            text: hear(text),
            reason: hear(reason),
            status: status.map_err(|error| error.to_string())?,
        })
    })
}

/// Up to so many bytes. The pipe is closed then, so that the child is not held up by it.
fn heard(pipe: Option<impl Read>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = pipe.map(|pipe| pipe.take(most).read_to_end(&mut bytes));
    bytes
}

/// Waits for the end; a child that takes too long is killed.
fn ended(child: &mut Child, time: Duration) -> std::io::Result<Option<ExitStatus>> {
    let (begin, mut pause) = (Instant::now(), Duration::from_millis(1));
    while begin.elapsed() < time {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
    child.kill()?;
    child.wait().map(|_| None)
}
