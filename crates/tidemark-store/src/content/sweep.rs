//! Contents that no version has any longer go; what stands on them is moved to the nearest one below that stays.
//!
//! Cost: one unpacking and packing for each content that stood directly on one that goes.

use super::{Base, Packed, frame, read};
use crate::session::Session;
use crate::value::{args, whole};
use std::collections::{BTreeMap, BTreeSet};
use tidemark_engine::store::StoreError;

/// Removes those of these contents that no version has. Returns by how many bytes less is stored.
pub(crate) fn sweep(session: &mut Session<'_>, contents: &BTreeSet<i64>) -> Result<i64, StoreError> {
    session.own_chains()?;
    let gone = without_versions(session, contents)?;
    if gone.is_empty() {
        return Ok(0);
    }
    let names = list(gone.keys().copied());
    let mut freed = bytes_of(session, &names)?;
    let standing = session.rows(
        "select id from content where base in (select cast(value->>0 as bigint) from {each ?1}) order by depth, id",
        args![&names],
    )?;
    for row in standing {
        let id = row.int(0)?;
        if !gone.contains_key(&id) {
            freed -= move_down(session, id, &gone)?;
        }
    }
    session.run(
        "delete from content where id in (select cast(value->>0 as bigint) from {each ?1})",
        args![&names],
    )?;
    Ok(freed)
}

/// Names as JSON that `{each}` reads.
pub(crate) fn list(names: impl Iterator<Item = i64>) -> String {
    let rows: Vec<String> = names.map(|name| format!("[{name}]")).collect();
    format!("[{}]", rows.join(","))
}

/// Those that no version has, with their bases.
fn without_versions(
    session: &mut Session<'_>,
    contents: &BTreeSet<i64>,
) -> Result<BTreeMap<i64, Option<i64>>, StoreError> {
    let names = list(contents.iter().copied());
    let rows = session.rows(
        "select id, base from content c where id in (select cast(value->>0 as bigint) from {each ?1})
            and not exists (select 1 from snapshot s where s.content = c.id)",
        args![&names],
    )?;
    rows.iter().map(|row| Ok((row.int(0)?, row.opt_int(1)?))).collect()
}

fn bytes_of(session: &mut Session<'_>, names: &str) -> Result<i64, StoreError> {
    let sum = "select cast(coalesce(sum(length(frame)), 0) as bigint) from content
                where id in (select cast(value->>0 as bigint) from {each ?1})";
    session.one(sum, args![names])?.int(0)
}

/// Moves a content to the nearest one below it that stays. Returns by how many bytes it grew.
fn move_down(
    session: &mut Session<'_>,
    id: i64,
    gone: &BTreeMap<i64, Option<i64>>,
) -> Result<i64, StoreError> {
    // Read anew each time: the one before may have taken this one along.
    let sql = "select id, base, depth, reach, hash, length(frame) from content where id = ?1";
    let row = session.one(sql, args![id])?;
    let (old_depth, old_reach) = (row.int(2)?, row.int(3)?);
    let mut below = row.opt_int(1)?;
    while let Some(next) = below.and_then(|name| gone.get(&name)) {
        below = *next;
    }
    let bytes = read(session, id)?;
    let base = below.map(|name| base_of(session, name)).transpose()?;
    let base = base.as_ref().map(|(base, bytes)| (base.clone(), bytes.as_slice()));
    let packed = Packed::new(&bytes, row.hash(4)?, base, frame::QUICK)?;
    store(session, id, &packed)?;
    shift(session, id, packed.depth() - old_depth, packed.reach() - old_reach)?;
    Ok(whole(packed.frame.len()) - row.int(5)?)
}

pub(crate) fn base_of(session: &mut Session<'_>, id: i64) -> Result<(Base, Vec<u8>), StoreError> {
    let row = session.one("select id, hash, depth, reach from content where id = ?1", args![id])?;
    Ok((super::to_base(&row)?, read(session, id)?))
}

fn store(session: &mut Session<'_>, id: i64, packed: &Packed) -> Result<(), StoreError> {
    session.run(
        "update content set base = ?2, depth = ?3, reach = ?4, frame = ?5, packed = 0 where id = ?1",
        args![id, packed.base.as_ref().map(|base| base.id), packed.depth(), packed.reach(), &packed.frame],
    )?;
    Ok(())
}

/// All that stands on a content, directly or not, comes nearer to its key frame with it.
pub(crate) fn shift(session: &mut Session<'_>, id: i64, depth: i64, reach: i64) -> Result<(), StoreError> {
    session.run(
        "with recursive above (id) as (
           select id from content where base = ?1
           union all select c.id from content c join above on c.base = above.id)
         update content set depth = depth + ?2, reach = reach + ?3 where id in (select id from above)",
        args![id, depth, reach],
    )?;
    Ok(())
}
