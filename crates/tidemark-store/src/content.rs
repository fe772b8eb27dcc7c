//! The bytes of versions: each kept once, however many versions and pages have them.
//!
//! A content is a zstd frame, mostly one that says what it differs by from another content, its base: the version before it. The way down to a frame that
//! stands alone, a key frame, is bounded in steps and in bytes, so that any version is read within a known time. Who removes a content moves what stands on
//! it first. What is read is checked against its BLAKE3.

pub(crate) mod frame;
pub(crate) mod near;
pub(crate) mod repack;
pub(crate) mod sweep;

use crate::session::Session;
use crate::value::{Row, args, whole};
use tidemark_engine::page::PageId;
use tidemark_engine::store::StoreError;

/// Frames below a frame at most.
pub(crate) const DEEPEST: i64 = 64;

/// Bytes unpacked on the way to a content at most, itself included: these, or eight times its own. So a page of 200 kB is read within 10 ms, and one of some
/// megabytes need not be kept whole every other time.
const FARTHEST: i64 = 12 << 20;
const TIMES: i64 = 8;

/// Versions to choose from where the last one lies too deep.
const LATEST: usize = 32;

/// A difference is only worth its base if it is below this share of a key frame.
const WORTH: f64 = 0.8;

/// A difference smaller than this part of the bytes is one that no key frame comes near to.
const SURELY: usize = 24;

/// What a difference can be taken from.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    pub(crate) id: i64,
    pub(crate) hash: [u8; 32],
    pub(crate) depth: i64,
    pub(crate) reach: i64,
}

impl Base {
    /// Whether something of so many bytes may stand on it.
    fn carries(&self, size: i64) -> bool {
        self.depth < DEEPEST && self.reach + size <= FARTHEST.max(size * TIMES)
    }
}

/// A content that is ready to be stored.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) hash: [u8; 32],
    pub(crate) size: i64,
    pub(crate) base: Option<Base>,
    pub(crate) frame: Vec<u8>,
}

impl Packed {
    /// Packs bytes, as a difference from a base if that is allowed and pays.
    pub(crate) fn new(
        bytes: &[u8],
        hash: [u8; 32],
        base: Option<(Base, &[u8])>,
        level: i32,
    ) -> Result<Self, StoreError> {
        let size = whole(bytes.len());
        let alone = |frame| Self { hash, size, base: None, frame };
        let near = base.filter(|(base, _)| base.carries(size));
        let Some((base, base_bytes)) = near else {
            return Ok(alone(frame::pack(bytes, None, level)?));
        };
        let difference = frame::pack(bytes, Some(base_bytes), level)?;
        if difference.len() * SURELY > bytes.len() {
            let key = frame::pack(bytes, None, level)?;
            if difference.len() as f64 > key.len() as f64 * WORTH {
                return Ok(alone(key));
            }
        }
        Ok(Self { hash, size, base: Some(base), frame: difference })
    }

    pub(crate) fn depth(&self) -> i64 {
        self.base.as_ref().map_or(0, |base| base.depth + 1)
    }

    pub(crate) fn reach(&self) -> i64 {
        self.base.as_ref().map_or(0, |base| base.reach) + self.size
    }
}

/// The name of the content with this hash.
pub(crate) fn find(session: &mut Session<'_>, hash: &[u8; 32]) -> Result<Option<i64>, StoreError> {
    session.row("select id from content where hash = ?1", args![hash])?.map(|row| row.int(0)).transpose()
}

/// What the next version of a page, of so many bytes, is best taken as a difference from: the last one. Where the way to that is too long, the one of the
/// latest versions with the shortest way; so a page of a thousand versions has few key frames, and still no way is long.
pub(crate) fn next_base(
    session: &mut Session<'_>,
    page: PageId,
    size: usize,
) -> Result<Option<Base>, StoreError> {
    let latest = "select c.id, c.hash, c.depth, c.reach from snapshot s join content c on c.id = s.content
                   where s.page = ?1 order by s.version desc limit ?2";
    let rows = session.rows(latest, args![page, LATEST])?;
    let bases = rows.iter().map(to_base).collect::<Result<Vec<_>, _>>()?;
    let last = bases.first().filter(|base| base.carries(whole(size)));
    Ok(last.or_else(|| bases.iter().min_by_key(|base| base.reach)).cloned())
}

/// Stores a content. None if its base is not what it was when it was packed: pack again.
pub(crate) fn put(session: &mut Session<'_>, packed: &Packed) -> Result<Option<i64>, StoreError> {
    session.hold_chains()?;
    if let Some(base) = &packed.base {
        let same = "select 1 from content where id = ?1 and hash = ?2 and depth = ?3 and reach = ?4";
        if session.row(same, args![base.id, &base.hash, base.depth, base.reach])?.is_none() {
            return Ok(None);
        }
    }
    let base = packed.base.as_ref().map(|base| base.id);
    let row = session.row(
        "insert into content (hash, size, base, depth, reach, frame) values (?1, ?2, ?3, ?4, ?5, ?6)
         on conflict (hash) do nothing returning id",
        args![&packed.hash, packed.size, base, packed.depth(), packed.reach(), &packed.frame],
    )?;
    row.map_or_else(|| find(session, &packed.hash), |row| row.int(0).map(Some))
}

/// The bytes of a content.
pub(crate) fn read(session: &mut Session<'_>, id: i64) -> Result<Vec<u8>, StoreError> {
    let rows = session.rows(
        "with recursive way (id, base, hash, size, frame, hop) as (
           select id, base, hash, size, frame, cast(0 as bigint) from content where id = ?1
           union all
           select c.id, c.base, c.hash, c.size, c.frame, way.hop + 1
             from content c join way on c.id = way.base where way.hop < 1000)
         select id, base, hash, size, frame from way order by hop desc",
        args![id],
    )?;
    let mut bytes: Option<Vec<u8>> = None;
    for row in &rows {
        bytes = Some(unpack_row(row, bytes.as_deref())?);
    }
    let (Some(bytes), Some(last)) = (bytes, rows.last()) else {
        return Err(damaged(id, "it is not there"));
    };
    if *blake3::hash(&bytes).as_bytes() != last.hash(2)? {
        return Err(damaged(id, "its bytes are not those that were stored"));
    }
    Ok(bytes)
}

/// A content to take a difference from.
pub(crate) fn base(session: &mut Session<'_>, id: i64) -> Result<Base, StoreError> {
    to_base(&session.one("select id, hash, depth, reach from content where id = ?1", args![id])?)
}

/// Unpacks a row of id, base, hash, size and frame.
pub(crate) fn unpack_row(row: &Row, base: Option<&[u8]>) -> Result<Vec<u8>, StoreError> {
    let id = row.int(0)?;
    if row.opt_int(1)?.is_some() != base.is_some() {
        return Err(damaged(id, "its base is not there"));
    }
    frame::unpack(row.bytes(4)?, base, row.count(3)?).map_err(|reason| damaged(id, &reason))
}

fn to_base(row: &Row) -> Result<Base, StoreError> {
    Ok(Base { id: row.int(0)?, hash: row.hash(1)?, depth: row.int(2)?, reach: row.int(3)? })
}

fn damaged(id: i64, reason: &str) -> StoreError {
    StoreError::Damaged(format!("content {id}: {reason}"))
}
