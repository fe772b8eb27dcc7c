//! A PostgreSQL server of our own, in a folder of its own; it ends with the test process, however that ends.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A server that can be reached by a socket in its folder.
pub(crate) struct Cluster {
    folder: PathBuf,
    tools: PathBuf,
    settings: String,
    /// Waits for us to end, and ends the server then.
    _watchman: Child,
}

/// The server that all tests share, each with a database of its own. None if PostgreSQL is not there and nobody insists.
pub(crate) fn shared() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
    SHARED
        .get_or_init(|| Cluster::start("-c fsync=off -c synchronous_commit=off -c full_page_writes=off"))
        .as_ref()
}

impl Cluster {
    /// Starts a server with these settings.
    pub(crate) fn start(settings: &str) -> Option<Self> {
        let Some(tools) = tools() else {
            assert!(
                std::env::var_os("TIDEMARK_TEST_POSTGRES").is_none(),
                "TIDEMARK_TEST_POSTGRES is set, but there is no PostgreSQL: install Debian's package postgresql"
            );
            eprintln!("SKIPPED: no PostgreSQL here, so nothing was tested with it (Debian: postgresql)");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("tm-pg").tempdir().unwrap().keep();
        if let Some((user, group)) = postgres_user() {
            std::os::unix::fs::chown(&folder, Some(user), Some(group)).unwrap();
        }
        let data = folder.join("data");
        let mut initdb = tool(&tools, "initdb");
        initdb.args(["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "-D"]);
        run(initdb.arg(&data));
        let settings =
            format!("-c listen_addresses= -c unix_socket_directories={} {settings}", folder.display());
        let watchman = watch_over(&folder);
        let cluster = Self { folder, tools, settings, _watchman: watchman };
        cluster.up();
        Some(cluster)
    }

    /// Starts the server again after [`Self::crash`].
    pub(crate) fn up(&self) {
        let mut start = tool(&self.tools, "pg_ctl");
        start.args(["-s", "-w", "-l"]).arg(self.folder.join("log")).arg("-o").arg(&self.settings);
        run(start.arg("-D").arg(self.folder.join("data")).arg("start"));
    }

    /// Ends the server at once, as a crash would.
    pub(crate) fn crash(&self) {
        let mut stop = tool(&self.tools, "pg_ctl");
        run(stop.args(["-m", "immediate", "-s", "-D"]).arg(self.folder.join("data")).arg("stop"));
    }

    /// A new empty database, as a URL.
    pub(crate) fn database(&self) -> String {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("t{}", COUNT.fetch_add(1, Ordering::SeqCst));
        self.client("postgres").batch_execute(&format!("create database {name}")).unwrap();
        self.url(&name)
    }

    pub(crate) fn url(&self, name: &str) -> String {
        let folder = self.folder.to_str().unwrap().replace('/', "%2F");
        format!("postgres://postgres@{folder}/{name}")
    }

    pub(crate) fn client(&self, name: &str) -> postgres::Client {
        postgres::Client::connect(&self.url(name), postgres::NoTls).unwrap()
    }
}

/// Reads until our end of the pipe is closed, also by being killed; then ends the server.
fn watch_over(folder: &Path) -> Child {
    let script = "cat >/dev/null; kill -QUIT $(head -n 1 \"$0/data/postmaster.pid\") 2>/dev/null; sleep 1; rm -rf \"$0\"";
    let mut watchman = Command::new("sh");
    watchman
        .arg("-c")
        .arg(script)
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    watchman.process_group(0).spawn().unwrap()
}

fn run(command: &mut Command) {
    let output = command.stdout(Stdio::null()).stderr(Stdio::piped()).stdin(Stdio::null()).status().unwrap();
    assert!(output.success(), "{command:?} failed");
}

/// A tool of PostgreSQL; it refuses to be run by root.
fn tool(tools: &Path, name: &str) -> Command {
    let mut command = Command::new(tools.join(name));
    command.current_dir("/").env("LC_ALL", "C.UTF-8");
    if let Some((user, group)) = postgres_user() {
        command.uid(user).gid(group);
    }
    command
}

/// The user to run as, if we are root.
fn postgres_user() -> Option<(u32, u32)> {
    let id = |args: &[&str]| {
        let output = Command::new("id").args(args).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse::<u32>().ok()
    };
    (id(&["-u"]) == Some(0)).then(|| Some((id(&["-u", "postgres"])?, id(&["-g", "postgres"])?))).flatten()
}

/// Where Debian keeps the tools, the newest version of them.
fn tools() -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|path| path.join("initdb").exists())
        .collect();
    found.sort();
    found.pop()
}
