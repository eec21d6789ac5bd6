-- Which process runs each kind of work that is repeated without a user (src/storage/sweeps.ts).
create table sweep_leases (
  name text primary key,
  -- Random, of the process.
  holder text not null,
  -- By the clock of this database.
  lease_until timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table sweep_leases enable row level security;
alter table sweep_leases force row level security;
create policy every_workspace on sweep_leases to signpost_worker using (true) with check (true);
