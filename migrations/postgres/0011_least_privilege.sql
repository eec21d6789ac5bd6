-- What the request role has no business with, it may not do, whatever a statement of it forgets.

-- Replaces the one of 0007. Each migration grants the roles everything anew before this runs.
create or replace function narrow_grants() returns void
language plpgsql as $$
begin
  -- Logs are only ever added to. Rows of the security log go with their workspace or by age.
  revoke update, delete, truncate on audit_log from signpost_request, signpost_worker;
  revoke insert, update, delete, truncate on audit_chain, audit_heads
    from signpost_request, signpost_worker;
  revoke update, delete, truncate on security_log from signpost_request;

  -- Of people and of the program, not of a workspace.
  revoke all on sessions, pending_sign_ups, auth_tokens, email_changes, two_factor, backup_codes,
    pending_sign_ins, passkeys, passkey_challenges, linked_accounts, used_callbacks,
    billing_events, usage_batches, webhook_workers, journal_cursors, visitor_salts, migrations
    from signpost_request;

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

-- It reads as the owner of the tables, so it reads tables of that owner alone: a view or a policy
-- that somebody else made would run somebody else's functions.
create or replace function workspace_of(owned regclass, row_id text) returns text
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  owner text;
begin
  if not exists (
    select from pg_catalog.pg_policy p
    join pg_catalog.pg_class c on c.oid = p.polrelid
    join pg_catalog.pg_class w on w.oid = 'public.workspaces'::regclass
    where p.polrelid = owned and p.polname = 'one_workspace'
      and c.relkind in ('r', 'p') and c.relnamespace = w.relnamespace and c.relowner = w.relowner
  ) then
    raise exception '% is no table of a workspace', owned using errcode = 'insufficient_privilege';
  end if;
  execute format('select workspace_id from %s where id = $1', owned) into owner using row_id;
  return owner;
end
$$;

-- Whoever suspends or deletes, by whatever means: remembered credentials are void with the commit.
create function announce_person() returns trigger
language plpgsql as $$
begin
  perform pg_notify('signpost_credentials', 'user:' || old.id);
  return null;
end
$$;
create function announce_workspace() returns trigger
language plpgsql as $$
begin
  perform pg_notify('signpost_credentials', 'workspace:' || old.id);
  return null;
end
$$;
create trigger announce_suspension after update of suspended_at on users
  for each row when (old.suspended_at is distinct from new.suspended_at)
  execute function announce_person();
create trigger announce_deletion after delete on users
  for each row execute function announce_person();
create trigger announce_standing after update on workspaces
  for each row when (old.suspended_at is distinct from new.suspended_at
    or old.plan <> new.plan
    or old.api_requests_per_minute is distinct from new.api_requests_per_minute)
  execute function announce_workspace();
create trigger announce_deletion after delete on workspaces
  for each row execute function announce_workspace();

-- Members that no counter has counted; from here on they all are.
insert into usage_counters (workspace_id, name, period, used)
  select workspace_id, 'members', '', count(*) from members group by workspace_id
  on conflict (workspace_id, name, period) do update set used = excluded.used;
