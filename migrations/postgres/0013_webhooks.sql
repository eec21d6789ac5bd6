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
  deleted_at timestamptz,
  -- Headers of its own, which every delivery carries, as the client wrote them.
  header_names text[] not null default '{}',
  -- Names and values as JSON: AES-256-GCM, bound to this row, read at every claim. Null without headers.
  headers_sealed bytea,
  -- The secret before the last rotation, sealed as secret_sealed is; deliveries are signed with both until
  -- previous_secret_until, and then it is deleted.
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  -- Opt-in: hours of failures only after which the endpoint is paused; null: never.
  disable_after_hours smallint check (disable_after_hours between 1 and 720),
  constraint webhook_endpoints_overlap
    check ((previous_secret_sealed is null) = (previous_secret_until is null))
);
create index webhook_endpoints_by_workspace on webhook_endpoints (workspace_id, created_at);
create index webhook_endpoints_by_overlap on webhook_endpoints (previous_secret_until)
  where previous_secret_until is not null;
create index webhook_endpoints_disabling on webhook_endpoints (id)
  where disable_after_hours is not null and status = 'active';
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
  notified_at timestamptz,
  -- Status of the answer to the last attempt that failed; null when no answer came.
  last_failure_status integer,
  -- Why no answer came, a word of the vocabulary of errors; null when one came.
  last_failure_error text,
  -- The first failure since the last success or the last resumption; null without one.
  failing_since timestamptz,
  -- When the endpoint was paused for failing; null after it was resumed or paused by hand.
  auto_paused_at timestamptz
) with (fillfactor = 70);
create index webhook_endpoint_stats_auto_paused on webhook_endpoint_stats (auto_paused_at)
  where auto_paused_at is not null;
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

-- The outbox, one partition a day: an event row exists exactly when the change that caused it was committed.
create table events (
  id text not null,
  created_at timestamptz not null,
  workspace_id text not null,
  type text not null,
  -- Text, byte for byte what is sent.
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
  created_at timestamptz not null,
  -- How the latest attempt was signed, so that a receiver's check can be compared with it, also after the secret was
  -- replaced: Unix seconds (4 bytes), the HMAC of x-service-signature (32 bytes) and, where the endpoint asked for it,
  -- that of webhook-signature (32 bytes).
  signed bytea,
  -- Names of the endpoint's own headers in the latest attempt, separated by commas; null when it carried none.
  sent_headers text
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
create index webhook_queue_by_lane on webhook_queue (endpoint_id, due_at, id);
-- Two halves of the queue, newest first: but for the few that are on the wire, one holds what is pending and the other
-- what has failed, so that each status is listed without meeting the other. They have the columns of the filters and of
-- the row policy: the total of a filter is counted in the index alone, several times as fast as in the rows.
create index webhook_queue_pending_of_endpoint on webhook_queue (endpoint_id, created_at desc, id desc)
  include (workspace_id, event_type, response_status) where attempts = 0 or is_hurried;
create index webhook_queue_failed_of_endpoint on webhook_queue (endpoint_id, created_at desc, id desc)
  include (workspace_id, event_type, response_status) where attempts > 0 and not is_hurried;
-- Serves purges as well. In no order of time, so that a list of one endpoint is never looked for among all of the
-- workspace.
create index webhook_queue_of_event on webhook_queue (workspace_id, event_id);
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
  -- As in webhook_queue.
  signed bytea,
  sent_headers text,
  -- Led by the id, by which a delivery is looked up whenever it ended.
  primary key (id, finished_at)
) partition by range (finished_at);
create index webhook_log_completed_of_endpoint on webhook_log (endpoint_id, created_at desc, id desc)
  include (workspace_id, event_type, response_status) where status = 2;
create index webhook_log_dead_of_endpoint on webhook_log (endpoint_id, created_at desc, id desc)
  include (workspace_id, event_type, response_status) where status = 4;
create index webhook_log_dead_by_event on webhook_log (event_at) where status = 4;
create index webhook_log_of_event on webhook_log (workspace_id, event_id);
select wall_off('webhook_log');

-- Whatever its day, a row finds a place: a change is never refused for want of a partition.
create table events_default partition of events default;
create table webhook_log_default partition of webhook_log default;
select wall_off('events_default');
select wall_off('webhook_log_default');

-- Partitions belong to the owner of the tables, so what makes and drops them runs as the owner. A row whose day had no
-- partition would wait for the lock of the default partition, and be refused once it has that lock, since the default
-- one does not take the day any more. Who writes locks the parent first, so that is locked here first.
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
      -- Nobody writes until the end of this transaction; reading goes on.
      execute format('lock table %I in share row exclusive mode', parent.name);
      execute format('create table %I (like %I including all)', child, parent.name);
      -- What came before its partition did moves over from the default one.
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

-- Drops the days before `before_day`: the log's, and of the events those that no delivery needs. Payloads stay for as
-- long as a delivery may be made with them: of what is queued, and of a dead letter in the log, which can be retried
-- until its own day is dropped.
create function drop_day_partitions(before_day date) returns text[]
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  child text;
  dropped text[] := '{}';
  before timestamptz := before_day::timestamp at time zone 'UTC';
  needed date[];
begin
  -- A replay holds it shared until its commit: it is seen below, or finds the events gone. A retry needs
  -- no lock, since one statement takes the dead letter out of the log and into the queue.
  perform pg_advisory_xact_lock(7305117207);
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_log'::regclass
      and right(c.relname, 8) ~ '^\d{8}$' and to_date(right(c.relname, 8), 'YYYYMMDD') < before_day
  loop
    execute format('drop table %I', child);
    dropped := dropped || child;
  end loop;
  -- Of days for which no partition was ever made.
  delete from webhook_log_default where finished_at < before;
  delete from webhook_tallies where day < before_day and day > '-infinity';

  needed := array(
    select (event_at at time zone 'UTC')::date from webhook_queue where event_at < before
    union
    select (event_at at time zone 'UTC')::date from webhook_log where status = 4 and event_at < before);
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass
      and right(c.relname, 8) ~ '^\d{8}$' and to_date(right(c.relname, 8), 'YYYYMMDD') < before_day
      and to_date(right(c.relname, 8), 'YYYYMMDD') <> all(needed)
  loop
    execute format('drop table %I', child);
    dropped := dropped || child;
  end loop;
  delete from events_default
    where created_at < before and (created_at at time zone 'UTC')::date <> all(needed);
  return dropped;
end
$$;

select make_day_partitions((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 7);

-- How many deliveries an endpoint has in each status, as differences that only ever are added, so that nobody waits for
-- anybody; the sum is exact in every snapshot, and a chore folds the rows. `day` is when terminal ones ended, and
-- '-infinity' for live ones.
create table webhook_tallies (
  workspace_id text not null,
  endpoint_id text not null,
  status smallint not null,
  day date not null,
  n bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index webhook_tallies_by_endpoint on webhook_tallies (endpoint_id, status);
select wall_off('webhook_tallies');

-- Attempts of an endpoint by hour, outcome and time of the answer, as differences that only ever are added, like
-- webhook_tallies; a chore folds the rows, and deletes those older than a day.
create table webhook_attempt_counts (
  workspace_id text not null,
  endpoint_id text not null,
  hour timestamptz not null,
  is_success boolean not null,
  -- The place of the response time among the bounds of src/delivery/attempt-counts.ts; null without an answer.
  bucket smallint,
  n bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index webhook_attempt_counts_by_endpoint on webhook_attempt_counts (endpoint_id, hour);
select wall_off('webhook_attempt_counts');

-- One row per mail about failures, kept for a day: the limits per recipient and per workspace count these rows, so that
-- they hold across processes and restarts.
create table webhook_failure_mails (
  workspace_id text not null,
  user_id text not null,
  sent_at timestamptz not null
);
create index webhook_failure_mails_by_workspace on webhook_failure_mails (workspace_id);
create index webhook_failure_mails_by_recipient on webhook_failure_mails (user_id, sent_at);
create index webhook_failure_mails_by_time on webhook_failure_mails (sent_at);
select wall_off('webhook_failure_mails');

-- As workspace_of, but a deleted endpoint is nobody's, and so are its deliveries: what is not yet purged is as gone as
-- what is.
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

-- Adds the entry of an attempt to the log of a delivery. The answer to the latest attempt is in the columns of the row
-- alone, so a delivery with one attempt keeps it once; the next attempt moves it to its entry. The answers of ten
-- attempts before the latest one are kept: each manual retry of a dead letter adds one. The parameters other than
-- `entry` are the row's before the attempt.
create function add_attempt(log json, body text, headers json, entry text) returns json
language sql stable as $$
  select case
    when log is null then jsonb_build_array(entry::jsonb)
    else (jsonb_set(log::jsonb, '{-1}', (log::jsonb -> -1)
        || jsonb_build_object('responseHeaders', headers, 'responseBody', body)) || entry::jsonb)
      #- '{-12,responseHeaders}' #- '{-12,responseBody}'
  end::json
$$;
