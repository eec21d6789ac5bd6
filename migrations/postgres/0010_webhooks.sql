-- Webhooks: who wants what, what has happened, what is to be delivered, and what became of it.

create table webhook_endpoints (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  url text not null,
  description text,
  -- As the client listed them; '*' means all.
  events text[] not null,
  status text not null check (status in ('active', 'paused')),
  -- AES-256-GCM, bound to this row; read at every claim, never remembered.
  secret_sealed bytea not null,
  -- Opt-in: the headers of Standard Webhooks beside ours.
  standard_headers boolean not null default false,
  -- Opt-in: where a mail goes when deliveries keep failing.
  failure_email text,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Set by DELETE: hidden at once, its rows are purged in pieces.
  deleted_at timestamptz
);
create index webhook_endpoints_by_workspace on webhook_endpoints (workspace_id, created_at);
select wall_off('webhook_endpoints');

-- What changes with every delivery, apart from what is read with it.
create table webhook_endpoint_stats (
  endpoint_id text primary key references webhook_endpoints on delete cascade,
  workspace_id text not null,
  -- Failed attempts since the last success.
  failure_count integer not null default 0,
  last_failure_at timestamptz,
  last_success_at timestamptz,
  -- click.received deliveries that a full backlog refused.
  dropped_clicks bigint not null default 0,
  -- When a mail last told of failures; null after the next success.
  notified_at timestamptz
) with (fillfactor = 70);
select wall_off('webhook_endpoint_stats');

-- One row per endpoint that is not deleted and per type it wants; '*' is stored as '*'.
create table webhook_subscriptions (
  workspace_id text not null,
  event_type text not null,
  endpoint_id text not null references webhook_endpoints on delete cascade,
  -- False while the endpoint is paused: then nothing new is queued for it.
  is_active boolean not null,
  primary key (workspace_id, event_type, endpoint_id)
);
create index webhook_subscriptions_by_endpoint on webhook_subscriptions (endpoint_id);
select wall_off('webhook_subscriptions');

-- Events, one partition a day. The payload is text, byte for byte what is sent.
alter table events rename to events_before;
alter table events_before rename constraint events_pkey to events_before_pkey;
alter index events_by_workspace rename to events_before_by_workspace;
create table events (
  id text not null,
  created_at timestamptz not null,
  workspace_id text not null,
  type text not null,
  data text not null,
  -- Of a test: the one endpoint it is for.
  endpoint_id text,
  primary key (created_at, id)
) partition by range (created_at);
create index events_by_workspace on events (workspace_id, created_at, id);
select wall_off('events');

-- What is still to be delivered. The states and their arrows are drawn in src/delivery/states.ts.
create table webhook_queue (
  id text primary key,
  workspace_id text not null,
  endpoint_id text not null,
  event_id text not null,
  -- created_at of the event, which names its partition.
  event_at timestamptz not null,
  event_type text not null,
  -- 0 pending, 1 processing, 3 failed. In no index, so that a claim is a HOT update.
  status smallint not null default 0,
  -- Outcomes seen so far; a lost worker uses up none of them.
  attempts smallint not null default 0,
  -- How often a worker was lost with it.
  orphaned smallint not null default 0,
  -- Set by a manual retry of a dead letter: one attempt more, whatever the schedule says.
  is_extra boolean not null default false,
  -- Made due by hand, from failed or from the dead letters, and not tried since.
  is_hurried boolean not null default false,
  due_at timestamptz not null,
  -- The lane's epoch at the claim: an outcome of an earlier claim changes nothing.
  epoch bigint not null default 0,
  response_status integer,
  duration_ms integer,
  response_body text,
  response_headers json,
  error text,
  -- One entry for each attempt that failed; null when the first one succeeds.
  attempt_log json,
  created_at timestamptz not null
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
create index webhook_queue_by_lane on webhook_queue (endpoint_id, due_at, id);
-- Two halves of the queue, newest first: but for the few that are on the wire, one holds what is
-- pending and the other what has failed, so that each status is listed without meeting the other.
create index webhook_queue_pending_of_endpoint on webhook_queue (endpoint_id, created_at desc, id desc)
  where attempts = 0 or is_hurried;
create index webhook_queue_failed_of_endpoint on webhook_queue (endpoint_id, created_at desc, id desc)
  where attempts > 0 and not is_hurried;
-- In no order, so that a list of one endpoint is never looked for among all of the workspace.
create index webhook_queue_of_workspace on webhook_queue (workspace_id);
select wall_off('webhook_queue');

-- One lane per endpoint, leased to one worker at a time.
create table webhook_lanes (
  endpoint_id text primary key references webhook_endpoints on delete cascade,
  workspace_id text not null,
  -- When there may be something to do; null: nothing, or paused.
  ready_at timestamptz,
  owner uuid,
  epoch bigint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
create index webhook_lanes_ready on webhook_lanes (ready_at) where ready_at is not null;
select wall_off('webhook_lanes');

-- The lease is the worker's: one heartbeat row, not one per lane.
create table webhook_workers (
  id uuid primary key,
  lease_until timestamptz not null,
  started_at timestamptz not null,
  host text not null
);
alter table webhook_workers enable row level security;
alter table webhook_workers force row level security;
create policy every_workspace on webhook_workers to signpost_worker using (true) with check (true);

-- What has ended: written once, dropped by the day it ended. 2 completed, 4 dead_letter.
create table webhook_log (
  id text not null,
  finished_at timestamptz not null,
  workspace_id text not null,
  endpoint_id text not null,
  event_id text not null,
  event_at timestamptz not null,
  event_type text not null,
  status smallint not null,
  attempts smallint not null,
  response_status integer,
  duration_ms integer,
  response_body text,
  response_headers json,
  error text,
  attempt_log json,
  created_at timestamptz not null,
  primary key (finished_at, id)
) partition by range (finished_at);
create index webhook_log_by_id on webhook_log (id);
create index webhook_log_completed_of_endpoint on webhook_log (endpoint_id, created_at desc, id desc) where status = 2;
create index webhook_log_dead_of_endpoint on webhook_log (endpoint_id, created_at desc, id desc) where status = 4;
create index webhook_log_of_workspace on webhook_log (workspace_id);
select wall_off('webhook_log');

-- How many deliveries an endpoint has in each status, as differences that only ever are added, so
-- that nobody waits for anybody; the sum is exact in every snapshot, and a chore folds the rows.
-- `day` is when terminal ones ended, and '-infinity' for live ones.
create table webhook_tallies (
  workspace_id text not null,
  endpoint_id text not null,
  status smallint not null,
  day date not null,
  n bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index webhook_tallies_by_endpoint on webhook_tallies (endpoint_id, status);
select wall_off('webhook_tallies');

-- As workspace_of, but a deleted endpoint is nobody's, and so are its deliveries: what is not yet
-- purged is as gone as what is.
create function owner_of_webhook_endpoint(asked text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select workspace_id from webhook_endpoints where id = asked and deleted_at is null
$$;
create function owner_of_webhook_delivery(asked text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select e.workspace_id from (
    select endpoint_id from webhook_queue where id = asked
    union all
    select endpoint_id from webhook_log where id = asked
  ) as d join webhook_endpoints e on e.id = d.endpoint_id and e.deleted_at is null
  limit 1
$$;

-- Time-ordered: 48 bits of milliseconds, 80 random bits.
create function delivery_id(at timestamptz) returns text language sql volatile as $$
  select 'del_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
    || substr(u, 1, 12) || substr(u, 21, 8)
  from (select replace(gen_random_uuid()::text, '-', '') as u) as random
$$;

-- Whatever its day, a row finds a place: a change is never refused for want of a partition.
create table events_default partition of events default;
create table webhook_log_default partition of webhook_log default;
select wall_off('events_default');
select wall_off('webhook_log_default');

-- Partitions belong to the owner of the tables, so what makes and drops them runs as the owner.
create function make_day_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent record;
  day date;
  child text;
  bounds text;
begin
  -- One at a time: two that make the same partition would collide.
  perform pg_advisory_xact_lock(7305117207);
  for parent in select * from (values ('events', 'created_at'), ('webhook_log', 'finished_at')) as p (name, key) loop
    for day in select generate_series(first_day, last_day, interval '1 day')::date loop
      child := parent.name || '_' || to_char(day, 'YYYYMMDD');
      continue when to_regclass(child) is not null;
      bounds := format('%I >= %L and %I < %L', parent.key, day::timestamp at time zone 'UTC',
        parent.key, (day + 1)::timestamp at time zone 'UTC');
      execute format('create table %I (like %I including all)', child, parent.name);
      -- What came before its partition did moves over from the default one, and no more comes.
      execute format('lock table %I in access exclusive mode', parent.name || '_default');
      execute format('with moved as (delete from %I where %s returning *) insert into %I select * from moved',
        parent.name || '_default', bounds, child);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent.name, child,
        day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      perform wall_off(child::regclass);
    end loop;
  end loop;
end
$$;

-- Drops the days before `before_day`; an event's day stays as long as a delivery of it is queued.
create function drop_day_partitions(before_day date) returns text[]
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  child text;
  dropped text[] := '{}';
  oldest_needed date := (select (min(event_at) at time zone 'UTC')::date from webhook_queue);
begin
  perform pg_advisory_xact_lock(7305117207);
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('events'::regclass, 'webhook_log'::regclass)
      and right(c.relname, 8) ~ '^\d{8}$' and to_date(right(c.relname, 8), 'YYYYMMDD') < before_day
      and (c.relname like 'webhook_log%' or oldest_needed is null
        or to_date(right(c.relname, 8), 'YYYYMMDD') < oldest_needed)
  loop
    execute format('drop table %I', child);
    dropped := dropped || child;
  end loop;
  -- Of days for which no partition was ever made.
  delete from webhook_log_default where finished_at < before_day::timestamp at time zone 'UTC';
  delete from events_default where created_at < least(before_day, oldest_needed)::timestamp at time zone 'UTC';
  delete from webhook_tallies where day < before_day and day > '-infinity';
  return dropped;
end
$$;

select make_day_partitions(
  (least(now(), (select min(created_at) from events_before)) at time zone 'UTC')::date,
  (greatest(now(), (select max(created_at) from events_before)) at time zone 'UTC')::date + 7);
insert into events (id, created_at, workspace_id, type, data)
  select id, created_at, workspace_id, type, data from events_before;
drop table events_before;
