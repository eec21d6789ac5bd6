-- What this installation is, beside the tables: compared at each start, before a migration runs
-- (src/storage/installation.ts). At most one row. Only the owner of the tables reads it.
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
