-- Workspaces that are being deleted, and those that were not long ago: what comes in late for them
-- is removed, too. No column is called workspace_id: the row outlives its workspace.
create table purges (
  -- Of the workspace.
  id text primary key,
  started_at timestamptz not null,
  -- Null: under way, or cut off and to be finished.
  purged_at timestamptz,
  -- When it was looked over once more.
  swept_at timestamptz
);
create index purges_unswept on purges (started_at) where swept_at is null;
alter table purges enable row level security;
alter table purges force row level security;
create policy every_workspace on purges to signpost_worker using (true) with check (true);

-- A purge, and the end of a workspace, look for its rows.
create index freed_slugs_by_workspace on freed_slugs (workspace_id);

-- Replaces the one of 0011, for the new table.
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
    billing_events, usage_batches, webhook_workers, purges, journal_cursors, visitor_salts, migrations
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
