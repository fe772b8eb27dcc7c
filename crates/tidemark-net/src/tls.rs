//! Trust: the certificates of the machine, or Mozilla's where it has none, and those of the operator's own network.

use crate::settings::NetError;
use std::io;
use std::sync::Arc;
use tidemark_engine::fetch::Failure;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

/// Agrees on keys. Verification cannot be switched off.
pub(crate) struct Tls {
    both: TlsConnector,
    first_only: TlsConnector,
    mail: TlsConnector,
}

impl Tls {
    /// Trusts the machine's certificates and these (PEM).
    pub(crate) fn new(extra: &[u8]) -> Result<Self, NetError> {
        let roots = Arc::new(roots(extra)?);
        Ok(Self {
            both: connector(&roots, &[b"h2", b"http/1.1"])?,
            first_only: connector(&roots, &[b"http/1.1"])?,
            mail: connector(&roots, &[])?,
        })
    }

    /// With a web site, in either version of HTTP.
    pub(crate) async fn greet<S>(&self, host: &str, stream: S) -> Result<TlsStream<S>, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        handshake(&self.both, host, stream).await
    }

    /// With a proxy, which is spoken to in HTTP/1.1.
    pub(crate) async fn greet_proxy<S>(&self, host: &str, stream: S) -> Result<TlsStream<S>, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        handshake(&self.first_only, host, stream).await
    }

    /// With a mail server, which has no versions to choose from.
    pub(crate) async fn greet_mail<S>(&self, host: &str, stream: S) -> Result<TlsStream<S>, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        handshake(&self.mail, host, stream).await
    }
}

async fn handshake<S>(connector: &TlsConnector, host: &str, stream: S) -> Result<TlsStream<S>, Failure>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let name = ServerName::try_from(host.to_owned())
        .map_err(|_| Failure::Tls(format!("'{host}' cannot be in a certificate")))?;
    connector.connect(name, stream).await.map_err(|error| failure(&error))
}

/// What a certificate has wrong, or that the other side hung up.
fn failure(error: &io::Error) -> Failure {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    inner.map_or_else(
        || Failure::Connect(format!("{error}, while agreeing on a key")),
        |inner| Failure::Tls(inner.to_string()),
    )
}

fn connector(roots: &Arc<RootCertStore>, protocols: &[&[u8]]) -> Result<TlsConnector, NetError> {
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| NetError::Roots(error.to_string()))?
        .with_root_certificates(Arc::clone(roots))
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    Ok(TlsConnector::from(Arc::new(config)))
}

fn roots(extra: &[u8]) -> Result<RootCertStore, NetError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let mut added = 0;
    for certificate in CertificateDer::pem_slice_iter(extra) {
        let certificate = certificate.map_err(|error| NetError::Roots(error.to_string()))?;
        roots.add(certificate).map_err(|error| NetError::Roots(error.to_string()))?;
        added += 1;
    }
    if added == 0 && !extra.is_empty() {
        return Err(NetError::Roots("there is none in the file; PEM is expected".into()));
    }
    Ok(roots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_certificates_is_said_to_be_one() {
        assert!(Tls::new(b"").is_ok());
        assert!(matches!(Tls::new(b"hello"), Err(NetError::Roots(_))));
        let broken = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert!(matches!(Tls::new(broken), Err(NetError::Roots(_))));
    }
}
