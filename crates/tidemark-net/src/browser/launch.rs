//! Finds and starts a Chromium: a private profile, a debugging pipe, and no way to the outside but our own proxy, which each visit brings along.

use super::cdp::Cdp;
use super::processes;
use command_fds::{CommandFdExt, FdMapping};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;
use tokio::net::unix::pipe::{Receiver, Sender};

/// What it is called where it is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Where the program itself is, if what is in the path is a script that adds flags.
const BEHIND: [(&str, &str); 4] = [
    ("chromium", "/usr/lib/chromium/chromium"),
    ("chromium-browser", "/usr/lib/chromium-browser/chromium-browser"),
    ("google-chrome", "/opt/google/chrome/chrome"),
    ("google-chrome-stable", "/opt/google/chrome/chrome"),
];

/// Each has a reason: silence (nothing is asked of anybody but the page's hosts), closed doors, sameness of what is shown.
const FLAGS: [&str; 33] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-client-side-phishing-detection",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-print-preview",
    "--disable-notifications",
    "--disable-search-engine-choice-screen",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--deny-permission-prompts",
    "--block-new-web-contents",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", // as older ones call it
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication,CertificateTransparencyComponentUpdater,DnsOverHttps,AsyncDns,InterestFeedContentSuggestions,PrivacySandboxSettings4,NetworkPrediction",
];

/// Whoever is not given a proxy by its visit has this one, where nobody is, and looks up nothing.
const NOWHERE: [&str; 3] = [
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

/// The same again as a preference of the profile: an unknown flag is passed over in silence, and datagrams would go past the proxy.
const PREFERENCES: &str = r#"{"webrtc": {"ip_handling_policy": "disable_non_proxied_udp", "multiple_routes_enabled": false, "nonproxied_udp_enabled": false}}"#;

/// A browser that runs. Dropped, it is killed with all its processes, and its profile goes.
pub(crate) struct Running {
    pub(crate) cdp: Cdp,
    child: Child,
    profile: Option<TempDir>,
}

/// The program to start: the one that is named, else the first that is found.
pub(crate) fn find(named: Option<&Path>) -> Option<PathBuf> {
    if let Some(named) = named {
        return named.is_file().then(|| named.to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin"));
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let found = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| (name, folder.join(name))));
    let (name, program) = found.into_iter().find(|(_, program)| program.is_file())?;
    let behind = BEHIND.iter().find(|(wrapper, _)| wrapper == name).map(|(_, behind)| PathBuf::from(behind));
    Some(behind.filter(|behind| is_script(&program) && behind.is_file()).unwrap_or(program))
}

/// Starts it.
pub(crate) fn start(program: &Path) -> io::Result<Running> {
    let profile = tempfile::Builder::new().prefix("tidemark-browser-").tempdir()?;
    std::fs::create_dir(profile.path().join("Default"))?;
    std::fs::write(profile.path().join("Default/Preferences"), PREFERENCES)?;
    let (their_commands, commands) = io::pipe()?;
    let (answers, their_answers) = io::pipe()?;
    let out = Sender::from_owned_fd(commands.into())?;
    let input = Receiver::from_owned_fd(answers.into())?;
    let mut command = command(program, profile.path());
    let ends = vec![
        FdMapping { parent_fd: their_commands.into(), child_fd: 3 },
        FdMapping { parent_fd: their_answers.into(), child_fd: 4 },
    ];
    command.fd_mappings(ends).map_err(|_| io::Error::other("a pipe is given twice"))?;
    let child = command.spawn()?;
    drop(command); // closes our copies of its ends
    Ok(Running { cdp: Cdp::new(out, input), child, profile: Some(profile) })
}

fn command(program: &Path, profile: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(FLAGS).args(NOWHERE).arg(format!("--user-data-dir={}", profile.display()));
    // Its own sandbox needs a user without rights; the root of a container has none else.
    if rustix::process::geteuid().is_root() {
        command.arg("--no-sandbox");
    }
    command.env_clear();
    let kept = ["PATH", "LANG", "LC_ALL", "TZ", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH"];
    command.envs(kept.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    for name in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
        command.env(name, profile); // it litters all of them
    }
    command.current_dir(profile).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn is_script(program: &Path) -> bool {
    let mut start = [0; 2];
    File::open(program).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"#!"
}

impl Running {
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it on a thread where waiting disturbs nobody.
    pub(crate) async fn end(self) {
        let _ = tokio::task::spawn_blocking(move || drop(self)).await;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        processes::kill(self.child.id());
        let _ = self.child.wait();
        processes::wait_for_end(self.child.id());
        // What the last of them was writing may be in the way once.
        if let Some(profile) = self.profile.take() {
            let path = profile.path().to_owned();
            if profile.close().is_err() {
                let _ = std::fs::remove_dir_all(path);
            }
        }
    }
}
