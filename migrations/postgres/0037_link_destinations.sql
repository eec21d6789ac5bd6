-- Links by their destination, for `PUT /links/upsert`. A number, since destinations are too long for an index,
-- and a column of its own, since under row-level security an index on an expression is not used.
alter table links add column destination_hash bigint not null
  generated always as (hashtextextended(destination_url, 0)) stored;
create index links_by_destination on links (workspace_id, destination_hash, created_at, id);
