//! Idle-time work: contents that were packed while somebody waited are packed again, as small as we can, against the best base nearby.
//!
//! Source: git's `gc --aggressive` tries many bases; four versions back is where it stops to pay here (pages that show one of two faces at each visit take a
//! third less, and eight back gain half a percent more).
//! Cost: at most five quick packings and one thorough one for each content, once. A new base is never deeper than the old one, so no way gets longer and
//! none closes to a circle.

use super::{Base, frame, read, sweep, to_base};
use crate::database::Database;
use crate::session::Session;
use crate::value::{args, whole};
use tidemark_engine::store::StoreError;

/// Versions back that are tried as a base.
const WINDOW: i64 = 4;

/// Contents at a time, and bytes of them.
const CONTENTS: usize = 64;
const BYTES: usize = 4 << 20;

/// A content that is to be packed again, and what it can be a difference from.
struct Loose {
    id: i64,
    hash: [u8; 32],
    depth: i64,
    reach: i64,
    frame: usize,
    bytes: Vec<u8>,
    /// The base it has now first; none for a key frame.
    bases: Vec<(Base, Vec<u8>)>,
}

/// Packs some contents again. Returns how many bytes that saved.
pub(crate) fn repack(database: &Database) -> Result<u64, StoreError> {
    let names = database.read("look for what can be packed", |session| {
        let sql = "select id from content where packed = 0 order by id limit ?1";
        session.rows(sql, args![CONTENTS])?.iter().map(|row| row.int(0)).collect::<Result<Vec<_>, _>>()
    })?;
    let (mut saved, mut bytes) = (0, 0);
    for name in names {
        match database.read("pack a version", |session| load(session, name)) {
            Ok(Some(loose)) => {
                saved += pack(database, &loose)?;
                bytes += loose.bytes.len();
            }
            Ok(None) => {}
            // What is damaged is for the doctor to tell; here it must not come up for ever.
            Err(StoreError::Damaged(_)) => leave(database, name)?,
            Err(error) => return Err(error),
        }
        if bytes > BYTES {
            break;
        }
    }
    Ok(saved)
}

fn load(session: &mut Session<'_>, id: i64) -> Result<Option<Loose>, StoreError> {
    let sql =
        "select base, depth, reach, length(frame), size, hash from content where id = ?1 and packed = 0";
    let Some(row) = session.row(sql, args![id])? else { return Ok(None) };
    let (depth, reach, size) = (row.int(1)?, row.int(2)?, row.int(4)?);
    let mut bases = Vec::new();
    if let Some(base) = row.opt_int(0)? {
        bases.push(sweep::base_of(session, base)?);
        for near in near(session, id, depth, reach - size)? {
            if near.id != base {
                let bytes = read(session, near.id)?;
                bases.push((near, bytes));
            }
        }
    }
    let hash = row.hash(5)?;
    Ok(Some(Loose {
        id,
        hash,
        depth,
        reach,
        frame: row.count(3)? as usize,
        bytes: read(session, id)?,
        bases,
    }))
}

/// Contents of the versions before, that lie no deeper than the base does now.
fn near(session: &mut Session<'_>, id: i64, depth: i64, reach: i64) -> Result<Vec<Base>, StoreError> {
    let rows = session.rows(
        "select distinct c.id, c.hash, c.depth, c.reach
           from snapshot s
           join snapshot o on o.page = s.page and o.version < s.version and o.version >= s.version - ?2
           join content c on c.id = o.content
          where s.content = ?1 and c.depth < ?3 and c.reach <= ?4 order by c.id desc limit ?2",
        args![id, WINDOW, depth, reach],
    )?;
    rows.iter().map(to_base).collect()
}

fn pack(database: &Database, loose: &Loose) -> Result<u64, StoreError> {
    let best = best(loose)?;
    let base_bytes = best.map(|(_, bytes)| bytes.as_slice());
    let frame = frame::pack(&loose.bytes, base_bytes, frame::THOROUGH)?;
    if frame.len() >= loose.frame {
        return leave(database, loose.id).map(|()| 0);
    }
    let base = best.map(|(base, _)| base);
    let replaced = database.write("pack a version", |session| replace(session, loose, base, &frame))?;
    Ok(if replaced { (loose.frame - frame.len()) as u64 } else { 0 })
}

/// The base that a quick packing is smallest with.
fn best(loose: &Loose) -> Result<Option<&(Base, Vec<u8>)>, StoreError> {
    let mut best: Option<(usize, &(Base, Vec<u8>))> = None;
    for base in &loose.bases {
        let size = match loose.bases.len() {
            1 => 0,
            _ => frame::pack(&loose.bytes, Some(&base.1), frame::QUICK)?.len(),
        };
        if best.is_none_or(|(least, _)| size < least) {
            best = Some((size, base));
        }
    }
    Ok(best.map(|(_, base)| base))
}

/// Puts the new frame in place, if nothing was moved meanwhile.
fn replace(
    session: &mut Session<'_>,
    loose: &Loose,
    base: Option<&Base>,
    frame: &[u8],
) -> Result<bool, StoreError> {
    session.own_chains()?;
    let as_it_was = "select 1 from content where id = ?1 and hash = ?2 and depth = ?3 and reach = ?4";
    let same = session.row(as_it_was, args![loose.id, &loose.hash, loose.depth, loose.reach])?.is_some();
    let base_same = match base {
        Some(base) => session.row(as_it_was, args![base.id, &base.hash, base.depth, base.reach])?.is_some(),
        None => true,
    };
    if !same || !base_same {
        return Ok(false);
    }
    let depth = base.map_or(0, |base| base.depth + 1);
    let reach = base.map_or(0, |base| base.reach) + whole(loose.bytes.len());
    session.run(
        "update content set base = ?2, depth = ?3, reach = ?4, frame = ?5, packed = 1 where id = ?1",
        args![loose.id, base.map(|base| base.id), depth, reach, frame],
    )?;
    if depth != loose.depth || reach != loose.reach {
        sweep::shift(session, loose.id, depth - loose.depth, reach - loose.reach)?;
    }
    Ok(true)
}

fn leave(database: &Database, id: i64) -> Result<(), StoreError> {
    database.write("pack a version", |session| {
        session.run("update content set packed = 1 where id = ?1", args![id]).map(drop)
    })
}
