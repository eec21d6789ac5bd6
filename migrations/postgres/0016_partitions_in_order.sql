-- Replaces the one of 0010. A row whose day had no partition was sent to the default one, waited there for
-- the lock of whoever made that partition, and was refused once it had the lock: the default partition does
-- not take that day any more. Who writes locks the parent first, so that is what has to be locked here first.
create or replace function make_day_partitions(first_day date, last_day date) returns void
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
