//! Programs of the operator: run with the message on their standard input, without our environment, for so long and no longer.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::NamedTempFile;
use tidemark_engine::courier::Refusal;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

/// How long a program may take.
const LIMIT: Duration = Duration::from_mins(1);
/// What is read of its complaints.
const COMPLAINT: u64 = 1000;

/// Runs a program; it has delivered if it ends well.
pub(super) async fn run(program: &Path, arguments: &[&str], input: &str) -> Result<(), Refusal> {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let mut child = command
        .spawn()
        .map_err(|error| Refusal::passing(format!("{} cannot be run: {error}", program.display())))?;
    let group = child.id();
    let ended = tokio::time::timeout(LIMIT, feed(&mut child, input)).await;
    let said = match ended {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(said)) => said,
        Err(_) => format!("it did not end within {} s", LIMIT.as_secs()),
    };
    end(group);
    Err(Refusal::passing(format!("{}: {said}", program.display())))
}

/// A file that only we can read, gone when it is dropped.
pub(super) fn private_file(text: &str) -> Result<NamedTempFile, Refusal> {
    let make = || -> std::io::Result<NamedTempFile> {
        let mut file = NamedTempFile::new()?;
        file.write_all(text.as_bytes())?;
        file.flush()?;
        Ok(file)
    };
    make().map_err(|error| Refusal::passing(format!("no temporary file could be written: {error}")))
}

async fn feed(child: &mut Child, input: &str) -> Result<(), String> {
    let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
    let writing = async {
        if let Some(mut stdin) = stdin {
            // A program may not read what it is given.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
    };
    let reading = async {
        let mut complaint = Vec::new();
        if let Some(stderr) = stderr {
            let mut stderr = stderr.take(COMPLAINT);
            let _ = stderr.read_to_end(&mut complaint).await;
            // The rest is read too, so that the program is not held up by a full pipe.
            let _ = tokio::io::copy(&mut stderr.into_inner(), &mut tokio::io::sink()).await;
        }
        String::from_utf8_lossy(&complaint).trim().to_owned()
    };
    let ((), complaint) = tokio::join!(writing, reading);
    let status = child.wait().await.map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("it ended with {status}. It says: {complaint}")) }
}

/// Ends what is left of a program and of those it has started.
fn end(group: Option<u32>) {
    let group = group.and_then(|group| rustix::process::Pid::from_raw(group.cast_signed()));
    if let Some(group) = group {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
    }

    #[test]
    fn a_program_gets_the_message_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out").display().to_string();
        let script = format!("cat > {out}; env >> {out}");
        block_on(run(Path::new("/bin/sh"), &["-c", &script], "the message\n")).unwrap();
        let written = std::fs::read_to_string(out).unwrap();
        assert!(written.starts_with("the message\n"), "{written}");
        assert!(!written.contains("HOME="), "{written}");
    }

    #[test]
    fn what_goes_wrong_is_said() {
        let refusal =
            block_on(run(Path::new("/bin/sh"), &["-c", "echo no such room >&2; exit 3"], "x")).unwrap_err();
        assert!(refusal.said.contains("no such room") && !refusal.for_good, "{refusal:?}");
        let refusal = block_on(run(Path::new("/no/such/program"), &[], "x")).unwrap_err();
        assert!(refusal.said.contains("cannot be run"), "{refusal:?}");
    }

    #[test]
    fn a_program_that_complains_at_length_is_not_held_up() {
        let script = "head -c 300000 /dev/zero | tr '\\0' x >&2; cat > /dev/null";
        block_on(run(Path::new("/bin/sh"), &["-c", script], &"y".repeat(200_000))).unwrap();
    }
}
