-- What a credential's check needs to know of a workspace and a key, beside who they belong to.

alter table workspaces
  -- Set by the operator: its credentials are refused and its links do not redirect.
  add column suspended_at timestamptz,
  -- The operator's own rate limit for this workspace; null: the plan's, or the installation's.
  add column api_requests_per_minute integer check (api_requests_per_minute > 0);

alter table api_keys
  -- Empty: any address.
  add column ip_allowlist cidr[] not null default '{}',
  add column last_used_ip text;

-- What concerns the safety of accounts: sign-ins, keys, secrets, members. Rows of a person that
-- belong to no workspace in particular (sign-ins) have no workspace_id.
create table security_log (
  id text primary key,
  workspace_id text references workspaces on delete cascade,
  -- The account it is about; null when an address has no account.
  user_id text references users on delete set null,
  type text not null,
  outcome text not null check (outcome in ('success', 'failure')),
  actor_type text not null check (actor_type in ('user', 'api_key', 'system', 'anonymous')),
  actor_id text,
  actor_name text,
  actor_email text,
  -- Never a secret.
  details json not null,
  ip_address text,
  user_agent text,
  country text,
  request_id text not null,
  created_at timestamptz not null
);
create index security_log_by_workspace on security_log (workspace_id, created_at desc, id desc);
create index security_log_by_user on security_log (user_id, created_at desc, id desc);
alter table security_log enable row level security;
alter table security_log force row level security;
create policy one_workspace on security_log to signpost_request
  using (
    workspace_id = current_setting('signpost.workspace_id', true)
    or (workspace_id is null and exists (select from members m where m.user_id = security_log.user_id))
  )
  with check (workspace_id = current_setting('signpost.workspace_id', true));
create policy every_workspace on security_log to signpost_worker using (true) with check (true);
