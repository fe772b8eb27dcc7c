//! Contents read one after the other: those read a moment ago are kept, so that what stands on them need not unpack them again.

use super::{damaged, read, unpack_row};
use crate::session::Session;
use crate::value::args;
use std::collections::VecDeque;
use tidemark_engine::store::StoreError;

/// Contents kept unpacked.
const NEAR: usize = 8;

/// Contents read a moment ago.
#[derive(Default)]
pub(crate) struct Near(VecDeque<(i64, Vec<u8>)>);

impl Near {
    /// The bytes of a content, checked against its hash.
    pub(crate) fn read(&mut self, session: &mut Session<'_>, id: i64) -> Result<&[u8], StoreError> {
        if let Some(at) = self.0.iter().position(|(name, _)| *name == id) {
            return Ok(&self.0[at].1);
        }
        let sql = "select id, base, hash, size, frame from content where id = ?1";
        let row = session.row(sql, args![id])?.ok_or_else(|| damaged(id, "it is not there"))?;
        let base = match row.opt_int(1)? {
            None => None,
            Some(base) => Some(match self.0.iter().find(|(name, _)| *name == base) {
                Some((_, bytes)) => bytes.clone(),
                None => read(session, base)?,
            }),
        };
        let bytes = unpack_row(&row, base.as_deref())?;
        if *blake3::hash(&bytes).as_bytes() != row.hash(2)? {
            return Err(damaged(id, "its bytes are not those that were stored"));
        }
        if self.0.len() == NEAR {
            self.0.pop_front();
        }
        self.0.push_back((id, bytes));
        Ok(&self.0[self.0.len() - 1].1)
    }
}
