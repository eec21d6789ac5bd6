-- The latest segments of clicks in the order in which they began to count; /analytics/live reads them. The number of
-- a segment is taken by the last statement of its commit, which holds the row of the counter to its end: a reader
-- that sees a number sees all smaller ones, in whatever order segments of several edges arrive.
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
