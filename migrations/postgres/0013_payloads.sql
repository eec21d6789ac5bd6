-- Payloads stay for as long as a delivery may be made with them: of what is queued, and of a dead
-- letter in the log, which can be retried until its own day is dropped.

create index webhook_log_dead_by_event on webhook_log (event_at) where status = 4;

-- Drops the days before `before_day`: the log's, and of the events those that no delivery needs.
create or replace function drop_day_partitions(before_day date) returns text[]
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
