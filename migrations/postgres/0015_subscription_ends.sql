-- Subscriptions at a billing provider that are to be ended there, because their workspace was deleted.
-- No column is called workspace_id: the row outlives its workspace.
create table subscription_ends (
  provider text not null,
  subscription_id text not null,
  -- The id that the workspace had, for the log.
  workspace text not null,
  requested_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  -- Null: it may still cost somebody money.
  ended_at timestamptz,
  primary key (provider, subscription_id)
);
create index subscription_ends_due on subscription_ends (next_attempt_at) where ended_at is null;
alter table subscription_ends enable row level security;
alter table subscription_ends force row level security;
create policy every_workspace on subscription_ends to signpost_worker using (true) with check (true);

-- Replaces the one of 0012: a table of people or of the program need not be named here any more.
create or replace function narrow_grants() returns void
language plpgsql as $$
declare
  unwalled regclass;
begin
  -- Logs are only ever added to. Rows of the security log go with their workspace or by age.
  revoke update, delete, truncate on audit_log from signpost_request, signpost_worker;
  revoke insert, update, delete, truncate on audit_chain, audit_heads
    from signpost_request, signpost_worker;
  revoke update, delete, truncate on security_log from signpost_request;

  -- Where no policy lets requests see a row, they get nothing to try it with: tables of people and
  -- of the program. Salts have a policy as every table of a workspace has, and no request reads one.
  for unwalled in
    select oid from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
      and not exists (
        select from pg_policy
        where polrelid = pg_class.oid and 'signpost_request'::regrole = any (polroles))
  loop
    execute format('revoke all on %s from signpost_request', unwalled);
  end loop;
  revoke all on visitor_salts from signpost_request;

  -- Of a fellow member what is shown, not the hash of a password.
  revoke all on users from signpost_request;
  grant select (id, name, email, email_key, created_at) on users to signpost_request;
  -- Plan, suspension and limits are the operator's; workspaces come and go with people.
  revoke insert, update, delete on workspaces, subscriptions from signpost_request;
  grant update (name, updated_at) on workspaces to signpost_request;

  -- A new function may be called by everybody. These act as the owner of the tables, or are for
  -- migrations and triggers, which need no such right.
  revoke execute on function make_day_partitions(date, date), drop_day_partitions(date)
    from public, signpost_request;
  revoke execute on function narrow_grants(), wall_off(regclass, text), make_audit_head(),
    chain_audit_row(), prepare_audit_row(), refuse_change(), announce_person(), announce_workspace()
    from public, signpost_request, signpost_worker;
end
$$;
