-- What clicks led to, as the servers of customers report it, and the click that each is attributed to. This table is
-- the source of truth; analytics reads a copy in ClickHouse.
create table conversions (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- The client's own id, or that of the row: the same event is stored once, however late it is sent again.
  event_id text collate "C" not null,
  -- What makes an event without an id of the client the same as another one.
  repeat_key text collate "C",
  event_name text not null,
  type text not null check (type in ('lead', 'sale', 'custom')),
  -- In the smallest unit of the currency; negative for a refund.
  value bigint not null,
  currency text not null,
  customer_id text collate "C",
  customer json,
  metadata json,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  -- What the request names: the id of a click, the link in a signed one, and a link.
  named_click_id text,
  signed_link_id text,
  named_link_id text,
  -- `waiting`: its click is not stored yet, or not known.
  status text not null check (status in ('waiting', 'attributed', 'unattributed')),
  -- Why it has this status.
  reason text not null,
  link_id text collate "C",
  slug text,
  click_id text,
  clicked_at timestamptz,
  -- Labels of the click, by their columns in ClickHouse.
  labels json,
  -- Of a waiting row: the time of the next look-up. A process that looks moves it ahead.
  next_look_at timestamptz,
  -- The batch that copied the row to ClickHouse; null until it is taken.
  batch bigint,
  -- Of an attributed row: the time of the next look-up of its labels. Null: they are known, or the click has none. A
  -- signed id proves click and link, so its conversion is attributed before ClickHouse is asked for the labels.
  labels_due_at timestamptz
);
create unique index conversions_by_event on conversions (workspace_id, event_id);
create unique index conversions_by_repeat_key on conversions (workspace_id, repeat_key) where repeat_key is not null;
create index conversions_by_time on conversions (workspace_id, occurred_at desc, id desc);
create index conversions_by_link on conversions (workspace_id, link_id, occurred_at desc, id desc)
  where link_id is not null;
create index conversions_by_customer on conversions (workspace_id, customer_id, clicked_at desc)
  where click_id is not null;
create index conversions_waiting on conversions (workspace_id, customer_id) where status = 'waiting';
create index conversions_to_look_up on conversions (next_look_at) where status = 'waiting';
create index conversions_without_labels on conversions (labels_due_at) where labels_due_at is not null;
create index conversions_to_copy on conversions (received_at) where batch is null and status <> 'waiting';
create index conversions_by_batch on conversions (batch) where batch is not null;
select wall_off('conversions');

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
