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

-- Replaces the one of 0012, for the new table.
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
    billing_events, usage_batches, webhook_workers, purges, subscription_ends, journal_cursors,
    visitor_salts, migrations
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
