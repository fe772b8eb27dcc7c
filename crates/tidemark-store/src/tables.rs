//! What there is to carry when a database goes elsewhere: every table, with its columns, its order and its key. A test holds this list equal to the tables themselves.

use crate::session::Session;
use Kind::{Bytes, Content, Int, Json, Lease, Memory, Script, Text, Visit};
use tidemark_engine::store::StoreError;

/// A table.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// How many of its columns, the first ones, are its primary key: the order of its rows.
    pub(crate) key: usize,
    pub(crate) columns: &'static [Column],
    /// Whether its names are given by the database.
    pub(crate) numbered: bool,
}

/// A column, and what is in it.
#[derive(Debug)]
pub(crate) struct Column(pub(crate) &'static str, pub(crate) Kind);

/// What a column holds, and so how it is written where people and other programs read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Text,
    /// A text that is JSON.
    Json,
    Bytes,
    /// Who works on it just now: carried along, but no part of what is kept.
    Lease,
    /// Bytes in a frame.
    Memory,
    /// JSON in a frame, or nothing.
    Script,
    /// JSON as a difference from a typical visit.
    Visit,
    /// The name of a content; told by its hash, for names are the database's own matter.
    Content,
}

/// The name under which contents are told apart from what is written as lines.
pub(crate) const CONTENT: &str = "content";

/// All tables but `meta`, each behind those that it refers to.
pub(crate) const TABLES: &[Table] = &[
    Table { name: "note", key: 1, numbered: false, columns: &[Column("key", Text), Column("value", Text)] },
    Table {
        name: "host",
        key: 1,
        numbered: false,
        columns: &[
            Column("name", Text),
            Column("free_at", Int),
            Column("crawl_delay", Int),
            Column("state", Json),
        ],
    },
    Table {
        name: "page",
        key: 1,
        numbered: true,
        columns: &[
            Column("id", Int),
            Column("key", Bytes),
            Column("request", Json),
            Column("host", Text),
            Column("added", Int),
            Column("due", Int),
            Column("slotted", Lease),
            Column("wanted", Lease),
            Column("worker", Lease),
            Column("token", Int),
            Column("lease_until", Lease),
            Column("known", Json),
            Column("state", Json),
            Column("why", Text),
            Column("demand", Int),
            Column("version", Int),
            Column("head", Bytes),
            Column("entry_of", Int),
            Column("hints", Json),
        ],
    },
    Table {
        name: "watch",
        key: 1,
        numbered: true,
        columns: &[
            Column("id", Int),
            Column("page", Int),
            Column("reader", Text),
            Column("wish", Json),
            Column("paused", Int),
            Column("added", Int),
        ],
    },
    Table { name: "tag", key: 2, numbered: false, columns: &[Column("tag", Text), Column("watch", Int)] },
    Table {
        name: "visit",
        key: 2,
        numbered: false,
        columns: &[Column("page", Int), Column("token", Int), Column("at", Int), Column("body", Visit)],
    },
    Table {
        name: CONTENT,
        key: 1,
        numbered: true,
        columns: &[
            Column("id", Int),
            Column("hash", Bytes),
            Column("size", Int),
            Column("base", Int),
            Column("depth", Int),
            Column("reach", Int),
            Column("packed", Int),
            Column("frame", Bytes),
        ],
    },
    Table {
        name: "snapshot",
        key: 2,
        numbered: false,
        columns: &[
            Column("page", Int),
            Column("version", Int),
            Column("at", Int),
            Column("content", Content),
            Column("content_type", Text),
            Column("url", Text),
        ],
    },
    Table {
        name: "memory",
        key: 1,
        numbered: false,
        columns: &[Column("page", Int), Column("body", Memory)],
    },
    Table {
        name: "change",
        key: 1,
        numbered: true,
        columns: &[
            Column("id", Int),
            Column("page", Int),
            Column("at", Int),
            Column("old_version", Int),
            Column("new_version", Int),
            Column("summary", Json),
            Column("script", Script),
        ],
    },
    Table {
        name: "verdict",
        key: 2,
        numbered: false,
        columns: &[
            Column("change", Int),
            Column("watch", Int),
            Column("standing", Text),
            Column("body", Json),
        ],
    },
    Table {
        name: "event",
        key: 1,
        numbered: true,
        columns: &[
            Column("id", Int),
            Column("page", Int),
            Column("stream", Text),
            Column("at", Int),
            Column("kind", Text),
            Column("detail", Json),
        ],
    },
    Table {
        name: "stream",
        key: 1,
        numbered: false,
        columns: &[
            Column("key", Text),
            Column("state", Bytes),
            Column("done", Int),
            Column("last", Int),
            Column("waiting", Int),
        ],
    },
    Table {
        name: "document",
        key: 2,
        numbered: false,
        columns: &[
            Column("stream", Text),
            Column("number", Int),
            Column("page", Int),
            Column("version", Int),
        ],
    },
    Table {
        name: "channel",
        key: 1,
        numbered: true,
        columns: &[
            Column("id", Int),
            Column("reader", Text),
            Column("terms", Text),
            Column("target", Text),
            Column("shown", Text),
            Column("added", Int),
            Column("rests_until", Int),
            Column("state", Text),
        ],
    },
    Table {
        name: "notice",
        key: 1,
        numbered: true,
        columns: &[
            Column("id", Int),
            Column("channel", Int),
            Column("slot", Text),
            Column("state", Text),
            Column("made", Int),
            Column("due", Int),
            Column("token", Int),
            Column("tries", Int),
            Column("trouble", Text),
            Column("items", Int),
        ],
    },
    Table {
        name: "item",
        key: 1,
        numbered: true,
        columns: &[
            Column("id", Int),
            Column("notice", Int),
            Column("watch", Int),
            Column("kind", Text),
            Column("at", Int),
            Column("change", Int),
            Column("event", Int),
        ],
    },
    Table {
        name: "picture",
        key: 2,
        numbered: false,
        columns: &[
            Column("page", Int),
            Column("version", Int),
            Column("width", Int),
            Column("height", Int),
            Column("boxes", Json),
            Column("image", Bytes),
        ],
    },
];

impl Table {
    /// The table of this name, if its rows are written as lines.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        TABLES.iter().find(|table| table.name == name && name != CONTENT)
    }

    /// The columns of its key.
    pub(crate) fn keys(&self) -> &'static [Column] {
        &self.columns[..self.key]
    }
}

impl Kind {
    /// Whether its size is unknown beforehand.
    pub(crate) const fn is_long(self) -> bool {
        !matches!(self, Self::Int | Self::Lease | Self::Content)
    }

    /// Whether the database compares it as text.
    pub(crate) const fn is_text(self) -> bool {
        matches!(self, Self::Text)
    }
}

/// How many rows all tables have.
pub(crate) fn count(session: &mut Session<'_>) -> Result<u64, StoreError> {
    let mut rows = 0;
    for table in TABLES {
        rows += session.one(&format!("select count(*) from {}", table.name), &[])?.count(0)?;
    }
    Ok(rows)
}

/// An error unless there is nothing in any table.
pub(crate) fn require_empty(session: &mut Session<'_>) -> Result<(), StoreError> {
    for table in TABLES {
        if session.row(&format!("select 1 from {} limit 1", table.name), &[])?.is_some() {
            return Err(StoreError::Other {
                attempt: session.attempt.to_owned(),
                reason: "the database that is to be filled is not empty; name a new file, or a new database"
                    .to_owned(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a migration adds and nobody lists here would be left behind by every backup.
    #[test]
    fn the_list_is_that_of_the_tables() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.db");
        drop(crate::open(path.to_str().unwrap()).unwrap());
        let connection = rusqlite::Connection::open(&path).unwrap();
        let read = |sql: &str| -> Vec<(String, i64)> {
            let mut statement = connection.prepare(sql).unwrap();
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            rows.collect::<Result<_, _>>().unwrap()
        };
        let there = read(
            "select name, 0 from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'meta' order by name",
        );
        let mut listed: Vec<_> = TABLES.iter().map(|table| (table.name.to_owned(), 0)).collect();
        listed.sort();
        assert_eq!(there, listed);
        for table in TABLES {
            let there = read(&format!("select name, pk from pragma_table_info('{}')", table.name));
            let listed = table.columns.iter().enumerate().map(|(at, column)| {
                (column.0.to_owned(), if at < table.key { crate::value::whole(at) + 1 } else { 0 })
            });
            assert_eq!(there, listed.collect::<Vec<_>>(), "{}", table.name);
        }
    }
}
