//! What must hold between rows, each as a query for those that break it.

use super::{Check, fault};
use crate::content::DEEPEST;
use crate::session::Session;
use crate::value::args;
use tidemark_engine::store::{Fault, StoreError};

pub(super) const CHECKS: &[Check] = &[file, rules, depth];

/// Queries whose every row breaks a rule: the place, and the rule in words.
const RULES: &[(&str, &str, &str)] = &[
    ("content", "no version has it",
     "select c.id from content c where not exists (select 1 from snapshot s where s.content = c.id)"),
    ("content", "its base is not there",
     "select c.id from content c where c.base is not null and not exists (select 1 from content b where b.id = c.base)"),
    ("content", "its depth or its reach is not that of its base and one more",
     "select c.id from content c join content b on b.id = c.base where c.depth <> b.depth + 1 or c.reach <> b.reach + c.size"),
    ("content", "a key frame that says to have something below it",
     "select id from content where base is null and (depth <> 0 or reach <> size)"),
    ("page", "versions of it have no content",
     "select distinct s.page from snapshot s where not exists (select 1 from content c where c.id = s.content)"),
    ("page", "nobody watches it and no feed has it",
     "select p.id from page p where p.entry_of is null and not exists (select 1 from watch w where w.page = p.id)"),
    ("page", "it is due although all its watches rest",
     "select p.id from page p where p.due is not null and exists (select 1 from watch w where w.page = p.id)
         and not exists (select 1 from watch w where w.page = p.id and w.paused = 0)"),
    ("page", "its host is not there",
     "select p.id from page p where not exists (select 1 from host h where h.name = p.host)"),
    ("page", "somebody has it without an end",
     "select id from page where (worker is null) <> (lease_until is null)"),
    ("watch", "its page is not there",
     "select w.id from watch w where not exists (select 1 from page p where p.id = w.page)"),
    ("watch", "tags of it are left, and it is not there",
     "select distinct t.watch from tag t where not exists (select 1 from watch w where w.id = t.watch)"),
    ("change", "a verdict on it is of no watch of its page",
     "select distinct v.change from verdict v where not exists
         (select 1 from change c join watch w on w.page = c.page where c.id = v.change and w.id = v.watch)"),
    ("change", "it leads to a version that never was",
     "select c.id from change c join page p on p.id = c.page where c.new_version > p.version or c.old_version > c.new_version"),
    ("document of page", "its version is not there",
     "select distinct d.page from document d where not exists
         (select 1 from snapshot s where s.page = d.page and s.version = d.version)"),
    ("stream", "its count of unread documents is wrong",
     "select s.key from stream s where s.waiting <> (select count(*) from document d where d.stream = s.key)"),
    ("stream", "it has unread documents before what it has read",
     "select distinct s.key from stream s join document d on d.stream = s.key where d.number <= s.done or d.number > s.last"),
];

fn rules(session: &mut Session<'_>) -> Result<Vec<Fault>, StoreError> {
    let mut faults = Vec::new();
    for (place, rule, sql) in RULES {
        for row in session.rows(sql, &[])? {
            let name = row.int(0).map(|name| name.to_string()).or_else(|_| row.text(0).map(str::to_owned))?;
            faults.push(fault(format!("{place} {name}"), *rule));
        }
    }
    Ok(faults)
}

fn depth(session: &mut Session<'_>) -> Result<Vec<Fault>, StoreError> {
    let rows = session.rows("select id, depth from content where depth > ?1", args![DEEPEST])?;
    let told = |row: &crate::value::Row| {
        Ok(fault(format!("content {}", row.int(0)?), format!("{} frames lie below it", row.int(1)?)))
    };
    rows.iter().map(told).collect()
}

/// What SQLite itself finds wrong with its file.
fn file(session: &mut Session<'_>) -> Result<Vec<Fault>, StoreError> {
    if session.is_postgres() {
        return Ok(Vec::new());
    }
    let mut faults = Vec::new();
    for row in session.rows("pragma integrity_check", &[])? {
        if row.text(0)? != "ok" {
            faults.push(fault("the file", row.text(0)?));
        }
    }
    for row in session.rows("pragma foreign_key_check", &[])? {
        faults.push(fault(
            format!("table {}", row.text(0)?),
            format!("a row without its row in {}", row.text(2)?),
        ));
    }
    Ok(faults)
}
