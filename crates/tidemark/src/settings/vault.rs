//! The key to secrets: a file of 32 random bytes that only its owner can read, made when the first secret is sealed or opened.

use super::{Settings, sources};
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use tidemark_engine::secret::{Sealed, Vault};

const KEY: usize = 32;

impl Settings {
    /// Opens secrets, with the key in its file; the file is made at the first need.
    pub(crate) fn vault(&self) -> Result<Vault> {
        let path = self.key_path();
        let key = key(&path).with_context(|| format!("the key to secrets, {}", path.display()))?;
        Ok(Vault::new(&key))
    }

    /// Seals a secret.
    pub(crate) fn seal(&self, secret: &str) -> Result<Sealed> {
        Ok(self.vault()?.seal(secret, random()?))
    }

    /// Whether there is a key already; without one there is no secret to open.
    pub(super) fn has_key(&self) -> bool {
        self.key_path().exists()
    }

    /// Where the key is: as set, else beside the file of the database, else beside the settings.
    fn key_path(&self) -> PathBuf {
        if !self.key_file.is_empty() {
            return PathBuf::from(&self.key_file);
        }
        let beside = self.database_file().map(|file| file.with_file_name("tidemark.key"));
        beside.unwrap_or_else(|| sources::config_folder().join("tidemark.key"))
    }
}

/// Bytes that nobody can guess.
pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).context("the system gives no random bytes")?;
    Ok(bytes)
}

fn key(path: &Path) -> Result<[u8; KEY]> {
    match File::open(path) {
        Ok(file) => read(&file),
        Err(error) if error.kind() == ErrorKind::NotFound => make(path),
        Err(error) => Err(error).context("it cannot be read"),
    }
}

fn read(mut file: &File) -> Result<[u8; KEY]> {
    let mode = file.metadata()?.mode();
    if mode & 0o077 != 0 {
        bail!("others than its owner can read it; run 'chmod 600' on it, and think about who has");
    }
    let mut key = [0; KEY];
    file.read_exact(&mut key).context("it is not a key: too short")?;
    if file.read(&mut [0])? != 0 {
        bail!("it is not a key: a key has {KEY} bytes");
    }
    Ok(key)
}

/// A key appears whole or not at all; who comes second takes the first one's.
fn make(path: &Path) -> Result<[u8; KEY]> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).context("its folder cannot be made")?;
    let key = random()?;
    let mut file = NamedTempFile::new_in(folder).context("it cannot be made")?; // for its owner only
    file.write_all(&key).and_then(|()| file.as_file().sync_all()).context("it cannot be written")?;
    match file.persist_noclobber(path) {
        Ok(_) => {
            File::open(folder).and_then(|folder| folder.sync_all()).map(|()| key).context("it cannot be kept")
        }
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => read(&File::open(path)?),
        Err(error) => Err(error.error).context("it cannot be made"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_key_is_made_once_and_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings {
            database: folder.path().join("new/x.db").display().to_string(),
            ..Settings::default()
        };
        let sealed = settings.seal("hunter2").unwrap();
        assert_eq!(settings.vault().unwrap().open(&sealed).as_deref(), Ok("hunter2"));
        let path = folder.path().join("new/tidemark.key");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::read(&path).unwrap().len(), KEY);
        assert_ne!(settings.seal("hunter2").unwrap(), sealed, "every seal has its own nonce");
    }

    #[test]
    fn a_key_that_others_can_read_or_that_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let settings = Settings { key_file: path.display().to_string(), ..Settings::default() };
        settings.vault().unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        assert!(format!("{:#}", settings.vault().unwrap_err()).contains("chmod 600"));
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        for wrong in [&b"short"[..], &[1; KEY + 1]] {
            fs::write(&path, wrong).unwrap();
            assert!(format!("{:#}", settings.vault().unwrap_err()).contains("not a key"));
        }
    }
}
