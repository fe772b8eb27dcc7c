-- Notices on their way to readers, and pictures of pages.

create table channel (
  id {name},
  reader text not null,
  terms text not null,
  target text not null,                    -- sealed
  shown text not null,
  added bigint not null,
  rests_until bigint not null default 0,
  state text not null
);
create index channel_reader on channel (reader);

create table notice (
  id {name},
  channel bigint not null references channel (id) on delete cascade,
  slot text not null,                      -- what joins the same notice
  state text not null,
  made bigint not null,
  due bigint not null,                     -- the end of the lease while one holds
  token bigint not null default 0,         -- grows with each claim
  tries bigint not null default 0,
  trouble text,
  items bigint not null default 0
) {busy};
create unique index notice_open on notice (channel, slot) where state = 'open';
create index notice_due on notice (due) where state in ('open', 'sealed');
create index notice_slot on notice (channel, slot, made);
create index notice_waiting on notice (channel, due, id) where state in ('open', 'sealed');

create table item (
  id {name},
  notice bigint not null references notice (id) on delete cascade,
  watch bigint not null references watch (id) on delete cascade,
  kind text not null,
  at bigint not null,
  change bigint references change (id) on delete cascade,
  event bigint references event (id) on delete cascade
);
create index item_notice on item (notice, id);
create index item_watch on item (watch);
create index item_change on item (change) where change is not null;
create index item_event on item (event) where event is not null;

create table picture (
  page bigint not null,
  version bigint not null,
  width bigint not null,
  height bigint not null,
  boxes text not null,                     -- where it changed, as JSON
  image {bytes} not null,                  -- PNG
  primary key (page, version),
  foreign key (page, version) references snapshot (page, version) on delete cascade
) {clustered};

--postgres alter table picture alter column image set storage external;
