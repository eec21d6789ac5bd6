-- Settled conversions are copied to ClickHouse in batches. A row is taken when it has no batch, however old it is, so
-- that none is skipped whose transaction commits late.
create table conversion_batches (
  batch bigint primary key generated always as identity,
  made_at timestamptz not null,
  -- Null: under way, or cut off; what ClickHouse lacks of it is sent again.
  copied_at timestamptz,
  -- The process that copies it holds it until then.
  lease_until timestamptz not null
);
create index conversion_batches_open on conversion_batches (lease_until) where copied_at is null;
alter table conversion_batches enable row level security;
alter table conversion_batches force row level security;
create policy every_workspace on conversion_batches to signpost_worker using (true) with check (true);

alter table conversions add column batch bigint;
create index conversions_to_copy on conversions (received_at) where batch is null and status <> 'waiting';
create index conversions_by_batch on conversions (batch) where batch is not null;
