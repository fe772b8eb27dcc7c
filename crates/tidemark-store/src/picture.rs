//! Pictures of pages, each with the version it shows, and gone with it.

use crate::session::Session;
use crate::value::{args, json};
use tidemark_engine::page::PageId;
use tidemark_engine::record::NewPicture;
use tidemark_engine::store::{StoreError, StoredPicture};

pub(crate) fn add(
    session: &mut Session<'_>,
    page: PageId,
    version: u32,
    picture: &NewPicture,
) -> Result<(), StoreError> {
    session.run(
        "insert into picture (page, version, width, height, boxes, image) values (?1, ?2, ?3, ?4, ?5, ?6)",
        args![page, version, picture.width, picture.height, &json(&picture.boxes)?, &picture.png[..]],
    )?;
    Ok(())
}

pub(crate) fn get(
    session: &mut Session<'_>,
    page: PageId,
    version: u32,
) -> Result<Option<StoredPicture>, StoreError> {
    let row = session.row(
        "select width, height, boxes, image from picture where page = ?1 and version = ?2",
        args![page, version],
    )?;
    row.map(|row| {
        let (width, height, boxes) = (row.version(0)?, row.version(1)?, row.json(2)?);
        Ok(StoredPicture { png: row.bytes(3)?.to_vec(), width, height, boxes })
    })
    .transpose()
}
