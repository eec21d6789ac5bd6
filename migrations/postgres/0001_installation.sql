-- What this installation is, and what the other files use. Ids are a prefix and a ULID. Times are the program's clock.
-- The roles signpost_request and signpost_worker, and the extensions pg_trgm and btree_gin, are made before the first
-- file (src/storage/roles.ts, src/storage/extensions.ts). Rights are granted after each file.

-- Compared at each start, before a migration runs (src/storage/installation.ts). At most one row. Only the owner of the
-- tables reads it.
create table installation (
  is_only boolean primary key default true check (is_only),
  -- Kept in ClickHouse as well: the two databases belong together.
  id text not null,
  created_at timestamptz not null default now(),
  -- A known text, sealed: it opens with the SECRET_KEY that the sealed columns were written with.
  key_canary bytea,
  -- When ClickHouse had every table. Null: not yet, so an empty ClickHouse has lost nothing.
  clickhouse_ready_at timestamptz
);

-- Keys that a former SECRET_KEY derived and that stored data still depends on (src/storage/former-keys.ts),
-- sealed with the present one.
create table former_keys (
  -- The purpose and a digest of the former key, so that a repeated rotation adds none twice.
  id text primary key,
  purpose text not null,
  key_sealed bytea not null,
  -- When a newer key took its place: data from before depends on this one.
  retired_at timestamptz not null,
  created_at timestamptz not null default now()
);

-- Walls off a table by its workspace_id: whatever a statement of the request role forgets, it sees the rows of one
-- workspace. Every table that has the column calls this in its migration.
create function wall_off(walled regclass, workspace_column text default 'workspace_id') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', walled);
  execute format('alter table %s force row level security', walled);
  execute format(
    'create policy one_workspace on %s to signpost_request
       using (%I = current_setting(''signpost.workspace_id'', true))
       with check (%I = current_setting(''signpost.workspace_id'', true))',
    walled, workspace_column, workspace_column);
  execute format('create policy every_workspace on %s to signpost_worker using (true) with check (true)', walled);
end
$$;

-- Aborts the transaction of a statement that must not be committed; the program reads the reason.
create function refuse(reason text) returns boolean language plpgsql as $$
begin
  raise exception '%', reason using errcode = 'SP001';
end
$$;
