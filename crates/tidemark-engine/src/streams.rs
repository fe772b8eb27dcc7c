//! The streams of documents that are watched for redesigns: the pages of one host, and the entries of a watched feed.
//!
//! A new version only leaves a note that it is the next document; here the notes are read, off the way of the checks. A stream that two processes read at once is read on by
//! one of them.

use crate::content::Content;
use crate::engine::Engine;
use crate::record::{EventKind, NewEvent, StreamKey};
use crate::store::{StoreError, StreamAdvance, StreamWork};
use serde_json::json;
use tidemark_core::redesign::{Fingerprint, Settings, Shingling, Stream};

/// Documents read at a time.
const DOCUMENTS: usize = 32;
/// Streams read at a time.
const STREAMS: usize = 16;
/// Largest state that is read back.
const LARGEST: usize = 64 << 20;

/// Reads what waits, as far as one round goes. Returns what it found.
pub fn read_on(engine: &Engine) -> Result<Vec<(StreamKey, NewEvent)>, StoreError> {
    let mut found = Vec::new();
    for key in engine.store.waiting_streams(STREAMS)? {
        let work = engine.store.stream(&key, DOCUMENTS)?;
        let Some(advance) = read(engine, key, &work) else { continue };
        let events: Vec<_> =
            advance.events.iter().map(|event| (advance.key.clone(), event.clone())).collect();
        if engine.store.advance_stream(&advance)? {
            found.extend(events);
        }
    }
    Ok(found)
}

fn read(engine: &Engine, key: StreamKey, work: &StreamWork) -> Option<StreamAdvance> {
    let &(to, ..) = work.documents.last()?;
    let mut stream =
        work.state.as_deref().and_then(unpack).unwrap_or_else(|| Stream::new(Settings::default()));
    let mut events = Vec::new();
    for &(_, page, version) in &work.documents {
        // A version may have been let go, or be damaged: the stream goes on without it.
        let Ok(Some(snapshot)) = engine.store.snapshot(page, version) else { continue };
        let content = Content::read(&snapshot.body, snapshot.content_type.as_deref(), engine.settings.limits);
        let Some(digest) = content.digest else { continue };
        let step = stream.push(Fingerprint::of(&digest, Shingling::default()));
        for detection in step.raised() {
            let said = format!(
                "redesigned, with a certainty of {:.0} %, seen with {}",
                100.0 * detection.certainty,
                snapshot.url
            );
            let detail = json!({
                "said": said, "certainty": detection.certainty, "documents": detection.delay(),
                "page": page, "version": version, "url": snapshot.url,
            });
            events.push(NewEvent { kind: EventKind::Redesigned, detail });
        }
    }
    let state = pack(&stream).unwrap_or_default();
    Some(StreamAdvance { key, from: work.read, to, state, events, at: engine.clock.now() })
}

fn pack(stream: &Stream) -> Option<Vec<u8>> {
    zstd::bulk::compress(&postcard::to_allocvec(stream).ok()?, 1).ok()
}

fn unpack(state: &[u8]) -> Option<Stream> {
    postcard::from_bytes(&zstd::bulk::decompress(state, LARGEST).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::digest::PageDigest;
    use tidemark_core::page::Reading;

    #[test]
    fn a_stream_goes_on_as_if_it_had_not_been_stored() {
        let page = |text: &str| {
            let digest = PageDigest::encode(text.as_bytes(), &Reading::default()).unwrap();
            Fingerprint::of(&digest, Shingling::default())
        };
        let mut stream = Stream::new(Settings::default());
        for number in 0..8 {
            stream.push(page(&format!("<div><p>{number}</p></div><ul><li>a<li>b</ul>")));
        }
        let mut again = unpack(&pack(&stream).unwrap()).unwrap();
        assert_eq!(again, stream);
        let next = page("<main><h1>other</h1><table><tr><td>x</table></main>");
        assert_eq!(stream.push(next.clone()), again.push(next));
        assert!(unpack(b"garbage").is_none());
    }
}
