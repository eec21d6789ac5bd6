-- Signing up and in. Nothing here belongs to a workspace: only the worker role sees it.

alter table users
  -- Set by the operator: the person cannot sign in, and is signed out everywhere.
  add column suspended_at timestamptz;

create table sessions (
  id text primary key,
  -- SHA-256 of the token, which is in the person's cookie alone.
  token_hash bytea not null unique,
  user_id text not null references users on delete cascade,
  -- The workspace its requests act in, while the person belongs to it.
  active_workspace_id text references workspaces on delete set null,
  -- How the person signed in.
  method text not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  -- Written at most once an hour.
  last_seen_at timestamptz not null,
  -- When it ends if it is not used.
  expires_at timestamptz not null,
  -- When it ends however much it is used.
  ends_at timestamptz not null
);
create index sessions_by_user on sessions (user_id, created_at);
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_workspace on sessions (active_workspace_id);

-- What somebody typed who says that an address is theirs. Several may say so of one address.
create table pending_sign_ups (
  id text primary key,
  email text not null,
  email_key text not null,
  name text not null,
  password_hash text not null,
  -- The unverified account that it belongs to; null: the account is made when the link is used.
  user_id text references users on delete cascade,
  -- SHA-256 of what the browser that typed the password keeps in a cookie.
  browser_hash bytea not null,
  token_hash bytea not null unique,
  token_expires_at timestamptz not null,
  -- Passwords tried on the page of this link.
  attempts integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index pending_sign_ups_by_address on pending_sign_ups (email_key, created_at);
create index pending_sign_ups_by_user on pending_sign_ups (user_id);
create index pending_sign_ups_by_expiry on pending_sign_ups (expires_at);

-- Links in mails to people with an account: one of a kind, since a newer one voids the older.
create table auth_tokens (
  user_id text not null references users on delete cascade,
  kind text not null check (kind in ('reset_password', 'approve_email', 'verify_email')),
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  primary key (user_id, kind)
);
create index auth_tokens_by_expiry on auth_tokens (expires_at);

-- A change of address under way: the old address approves it and the new one is verified.
create table email_changes (
  user_id text primary key references users on delete cascade,
  email text not null,
  email_key text not null,
  approved_at timestamptz,
  verified_at timestamptz,
  expires_at timestamptz not null
);

do $$
declare
  walled text;
begin
  foreach walled in array array['sessions', 'pending_sign_ups', 'auth_tokens', 'email_changes']
  loop
    execute format('alter table %I enable row level security', walled);
    execute format('alter table %I force row level security', walled);
    execute format('create policy every_workspace on %I to signpost_worker using (true) with check (true)', walled);
  end loop;
end
$$;
