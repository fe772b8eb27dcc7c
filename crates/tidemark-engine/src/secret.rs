//! Secrets as they are kept: encrypted with a key that is not in the database. Who steals the database has no password, token or hook address.
//!
//! XChaCha20-Poly1305 with a random nonce for each secret. The key is 32 bytes; where it is from is not decided here.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};
use std::fmt;

const NONCE: usize = 24;

/// A secret that only the holder of the key can read. Equal ones are sealed differently each time.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sealed(String);

/// Seals and opens secrets.
#[derive(Clone)]
pub struct Vault {
    cipher: XChaCha20Poly1305,
}

/// Why a secret cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a secret cannot be opened: it was sealed with another key; give the key it was sealed with (secrets.key_file), or enter the secret anew"
)]
pub struct WrongKey;

impl Vault {
    /// A vault with this key.
    pub fn new(key: &[u8; 32]) -> Self {
        Self { cipher: XChaCha20Poly1305::new(Key::from_slice(key)) }
    }

    /// Seals a text; `nonce` must be random.
    pub fn seal(&self, text: &str, nonce: [u8; NONCE]) -> Sealed {
        // Encrypting fails only for texts beyond 256 GB.
        let sealed = self.cipher.encrypt(XNonce::from_slice(&nonce), text.as_bytes()).unwrap_or_default();
        Sealed(BASE64.encode([&nonce[..], &sealed].concat()))
    }

    /// Opens what was sealed with the same key.
    pub fn open(&self, sealed: &Sealed) -> Result<String, WrongKey> {
        let bytes = BASE64.decode(&sealed.0).map_err(|_| WrongKey)?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE).ok_or(WrongKey)?;
        let text = self.cipher.decrypt(XNonce::from_slice(nonce), sealed).map_err(|_| WrongKey)?;
        String::from_utf8(text).map_err(|_| WrongKey)
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vault(…)")
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_opens_a_secret() {
        let vault = Vault::new(&[7; 32]);
        let sealed = vault.seal("hunter2", [1; NONCE]);
        assert_eq!(vault.open(&sealed).as_deref(), Ok("hunter2"));
        assert!(!serde_json::to_string(&sealed).unwrap().contains("hunter2"));
        assert_eq!(Vault::new(&[8; 32]).open(&sealed), Err(WrongKey));
        assert_ne!(vault.seal("hunter2", [2; NONCE]), sealed);
    }

    #[test]
    fn what_was_tampered_with_is_refused() {
        let vault = Vault::new(&[7; 32]);
        for text in ["", "AAAA", "???", &"A".repeat(200)] {
            assert_eq!(vault.open(&Sealed(text.to_owned())), Err(WrongKey), "{text}");
        }
    }
}
