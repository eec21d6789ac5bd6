-- How clicks come into both databases, and what is kept of visitors. The clicks themselves are in ClickHouse.

-- How far each click journal has been shipped. Segments of a journal ship in order, so one row says it all.
create table journal_cursors (
  journal_id text primary key,
  sequence bigint not null,
  updated_at timestamptz not null,
  -- Last segment of the next batch, which the commit before it chooses; null for a single segment.
  next_through bigint
);

-- What each click journal has not shipped yet. The process that owns a journal writes its row about twice a second, and
-- the shipper deletes the row once every click of the journal is stored, so the row of a killed process stays for as
-- long as its clicks are missing. `meta.asOf` is the earliest of the rows (src/clicks/shipped-through.ts).
create table journal_reports (
  journal_id text primary key,
  -- Every click that was answered before this time, by the clock of the edge, is in both databases.
  shipped_before timestamptz not null,
  -- By the clock of this database, as are all comparisons of these two.
  reported_at timestamptz not null,
  -- Start of the reports that followed each other without a long gap.
  reporting_since timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table journal_reports enable row level security;
alter table journal_reports force row level security;
create policy every_workspace on journal_reports to signpost_worker using (true) with check (true);

-- The latest segments of clicks in the order in which they began to count; /analytics/live reads them. The number of a
-- segment is taken by the last statement of its commit, which holds the row of the counter to its end: a reader that
-- sees a number sees all smaller ones, in whatever order segments of several edges arrive.
create table click_arrivals (
  arrival bigint primary key,
  segment text not null unique,
  -- Times of its first and its last click, in milliseconds since 1970.
  from_ms bigint not null,
  to_ms bigint not null,
  -- hashtext of the workspaces with clicks in it; null for many workspaces.
  workspaces integer[]
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table click_arrivals enable row level security;
alter table click_arrivals force row level security;
create policy every_workspace on click_arrivals to signpost_worker using (true) with check (true);

create table click_arrival_count (
  is_only boolean primary key default true check (is_only),
  arrivals bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
insert into click_arrival_count (arrivals) values (0);
alter table click_arrival_count enable row level security;
alter table click_arrival_count force row level security;
create policy every_workspace on click_arrival_count to signpost_worker using (true) with check (true);

-- Months of clicks that were replaced by daily rows (src/services/analytics/retention.ts). They name no workspace: a
-- month of all of them is folded at once.
create table click_folds (
  -- Of the attempt; its rows in ClickHouse (click_days) have it.
  id text primary key,
  -- Of UTC, as 202511.
  month int not null,
  state text not null default 'copying'
    check (state in ('copying', 'folded', 'deleting', 'done', 'void')),
  -- {journal id: [after, through]}: the segments whose clicks it holds.
  segments jsonb not null,
  -- Rows of `clicks` that were copied; null while they are.
  clicks bigint,
  lease_until timestamptz not null,
  created_at timestamptz not null default now(),
  -- Rows may be deleted from then on: answers that began before the fold was committed are over.
  delete_after timestamptz,
  -- The end of the last state.
  ended_at timestamptz
);
-- A month has one unfinished attempt, so that the segments of its folds have no gaps.
create unique index click_folds_unfinished on click_folds (month)
  where state in ('copying', 'folded', 'deleting');
alter table click_folds enable row level security;
alter table click_folds force row level security;
create policy every_workspace on click_folds to signpost_worker using (true) with check (true);
create policy reading on click_folds for select to signpost_request using (true);

-- Key material of visitor pseudonyms: replaced every 90 days, the old one is overwritten.
create table visitor_salts (
  workspace_id text primary key references workspaces on delete cascade,
  salt bytea not null,
  created_at timestamptz not null
);
select wall_off('visitor_salts');

-- Clicks that a link had in another service: a number without a day, part of totals and of no period. They go with the
-- import that brought them.
create table imported_clicks (
  workspace_id text not null,
  link_id text not null,
  -- The service: bitly, dub, …
  source text not null,
  day date,
  dimension text,
  label text,
  clicks bigint not null check (clicks >= 0),
  -- The import, and its time.
  job_id text,
  imported_at timestamptz,
  -- The later import of the same link and service whose row counts instead, until that import is undone.
  replaced_by text,
  replaced_at timestamptz
);
create unique index imported_clicks_of_link on imported_clicks
  (workspace_id, link_id, source, day, coalesce(dimension, ''), coalesce(label, ''))
  nulls not distinct where replaced_by is null;
create index imported_clicks_by_link on imported_clicks (workspace_id, link_id, source);
create index imported_clicks_by_day on imported_clicks (workspace_id, day) include (clicks, link_id)
  where dimension is null and replaced_by is null;
create index imported_clicks_of_import on imported_clicks (job_id) where job_id is not null;
select wall_off('imported_clicks');

-- Deferred deep links: an app that is opened for the first time asks which click led to its installation.

-- Keys of fingerprints, one for each workspace and UTC day. A key is deleted after two days, and then no fingerprint of
-- its day can be linked to an address (src/facts/deep-link-fingerprint.ts).
create table deep_link_keys (
  workspace_id text not null references workspaces on delete cascade,
  day date not null,
  salt bytea not null,
  -- Clicks of the day with a fingerprint, also those beyond the bound, which are not stored.
  clicks int not null default 0,
  primary key (workspace_id, day)
);
create index deep_link_keys_by_age on deep_link_keys (day);
select wall_off('deep_link_keys');

-- Clicks that led a phone to an app or its store, for as long as the key of their day.
create table deep_link_clicks (
  workspace_id text not null,
  click_id text collate "C" not null,
  link_id text not null,
  clicked_at timestamptz not null,
  -- `ios` or `android`.
  platform text not null,
  language text not null,
  -- Of the address, and of the user agent.
  fingerprint bytea not null,
  agent bytea not null,
  primary key (workspace_id, click_id)
);
create index deep_link_clicks_by_fingerprint on deep_link_clicks (workspace_id, fingerprint);
create index deep_link_clicks_by_age on deep_link_clicks (clicked_at);
select wall_off('deep_link_clicks');

-- Clicks that have answered an app. A click answers one app.
create table deep_link_matches (
  workspace_id text not null,
  click_id text collate "C" not null,
  clicked_at timestamptz not null,
  primary key (workspace_id, click_id)
);
create index deep_link_matches_by_age on deep_link_matches (clicked_at);
select wall_off('deep_link_matches');
