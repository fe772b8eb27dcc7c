-- Times are microseconds since 1970. What only the program looks into is JSON text; what SQL looks into is a column.

create table meta (key text primary key not null, value text not null) {clustered};

create table host (
  name text primary key not null,
  free_at bigint not null default 0,       -- the next slot that nobody has
  crawl_delay bigint not null default 0,
  state text not null
) {clustered};

create table page (
  id {name},
  key {bytes} not null unique,             -- BLAKE3 of the request
  request text not null,
  host text not null references host (name),
  added bigint not null,
  due bigint,                              -- the end of the lease while one holds: work of the dead returns by itself
  slotted bigint not null default 0,       -- whether due is a slot of the host that the page has got already
  wanted bigint,                           -- brought forward while somebody had it
  worker text,                             -- who has it
  token bigint not null default 0,         -- grows with each claim
  lease_until bigint,
  known text not null,
  state text not null,
  why text not null default '',
  demand bigint,
  version bigint not null default 0,       -- the last version
  head {bytes},                            -- its BLAKE3
  entry_of bigint references page (id),
  hints text not null default '[]'         -- sources of hints that no visit has followed yet
) {busy};
create index page_due on page (due) where due is not null;
create index page_demand on page (demand) where due is not null and demand is not null;
create index page_host on page (host);
create index page_entry_of on page (entry_of) where entry_of is not null;

create table watch (
  id {name},
  page bigint not null references page (id),
  reader text not null,
  wish text not null,
  paused bigint not null default 0,
  added bigint not null
);
create index watch_page on watch (page);
create index watch_reader on watch (reader, id);

create table tag (
  tag text not null,
  watch bigint not null references watch (id) on delete cascade,
  primary key (tag, watch)
) {clustered};
create index tag_watch on tag (watch);

create table visit (
  page bigint not null references page (id) on delete cascade,
  token bigint not null,                   -- of the lease it was made with
  at bigint not null,
  body {bytes} not null,
  primary key (page, token)
) {clustered};

create table content (
  id {id},
  hash {bytes} not null unique,            -- BLAKE3 of the bytes
  size bigint not null,
  base bigint references content (id),     -- what the frame is a difference from
  depth bigint not null,                   -- frames below it
  reach bigint not null,                   -- bytes that are unpacked on the way to it, itself included
  packed bigint not null default 0,        -- whether it is as small as we can make it
  frame {bytes} not null
);
create index content_base on content (base) where base is not null;
create index content_loose on content (id) where packed = 0;

create table snapshot (
  page bigint not null references page (id) on delete cascade,
  version bigint not null,
  at bigint not null,
  content bigint not null references content (id),
  content_type text,
  url text,                                -- where it is not the one that was asked for
  primary key (page, version)
) {clustered};
create index snapshot_content on snapshot (content);

create table memory (
  page bigint primary key not null references page (id) on delete cascade,
  body {bytes} not null
);

create table change (
  id {name},
  page bigint not null references page (id) on delete cascade,
  at bigint not null,
  old_version bigint not null,
  new_version bigint not null,
  summary text not null,
  script {bytes} not null
);
create index change_page on change (page);
create index change_at on change (at);

create table verdict (
  change bigint not null references change (id) on delete cascade,
  watch bigint not null references watch (id) on delete cascade,
  standing text not null,
  body text not null,
  primary key (change, watch)
) {clustered};
create index verdict_watch on verdict (watch, change);
create index verdict_waiting on verdict (change) where standing = 'waiting';

create table event (
  id {name},
  page bigint references page (id) on delete cascade,
  stream text,
  at bigint not null,
  kind text not null,
  detail text not null
);
create index event_page on event (page, id) where page is not null;
create index event_stream on event (stream) where stream is not null;
create index event_at on event (at);

create table stream (
  key text primary key not null,
  state {bytes},
  done bigint not null default 0,          -- the last document that was read
  last bigint not null default 0,          -- the last document there is
  waiting bigint not null default 0        -- documents that nobody has read
) {clustered};
create index stream_waiting on stream (key) where waiting > 0;

create table document (
  stream text not null references stream (key) on delete cascade,
  number bigint not null,
  page bigint not null references page (id) on delete cascade,
  version bigint not null,
  primary key (stream, number)
) {clustered};
create index document_page on document (page);

create table note (key text primary key not null, value text not null) {clustered};

--postgres alter table content alter column frame set storage external;
--postgres alter table change alter column script set storage external;
--postgres alter table memory alter column body set storage external;
