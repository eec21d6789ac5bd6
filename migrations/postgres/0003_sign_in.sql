-- Signing up and in. Nothing here belongs to a workspace: only the worker role sees it, but for who has a second
-- factor.

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
  expires_at timestamptz not null,
  -- The invitation that the sign-up follows.
  invitation_id text references invitations on delete set null
);
create index pending_sign_ups_by_address on pending_sign_ups (email_key, created_at);
create index pending_sign_ups_by_user on pending_sign_ups (user_id);
create index pending_sign_ups_by_expiry on pending_sign_ups (expires_at);
create index pending_sign_ups_by_invitation on pending_sign_ups (invitation_id)
  where invitation_id is not null;

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

create table two_factor (
  user_id text primary key references users on delete cascade,
  -- The TOTP key, sealed; it opens for this user alone.
  secret_sealed bytea not null,
  -- Null: set up, but no code of it has been shown yet, so nobody is asked for one.
  confirmed_at timestamptz,
  -- The time step of the last accepted code: none of it or before it is accepted again (RFC 6238, 5.2).
  last_step bigint not null default 0,
  created_at timestamptz not null
);
-- Admins see which members sign in with a second factor; the request role reads no other column (src/storage/roles.ts).
create policy fellow_members on two_factor for select to signpost_request
  using (exists (select from members m where m.user_id = two_factor.user_id));

create table backup_codes (
  user_id text not null references two_factor on delete cascade,
  -- A keyed hash: a code is short enough to be guessed from a plain one.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- A sign-in that waits for its second factor.
create table pending_sign_ins (
  token_hash bytea primary key,
  user_id text not null references users on delete cascade,
  method text not null,
  attempts integer not null default 0,
  expires_at timestamptz not null
);
create index pending_sign_ins_by_user on pending_sign_ins (user_id);
create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at);

create table passkeys (
  id text primary key,
  user_id text not null references users on delete cascade,
  name text not null,
  -- As the authenticator names it, base64url.
  credential_id text not null unique,
  -- COSE.
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  -- Kept by a password keeper that copies it to the person's other devices.
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id, created_at);

create table passkey_challenges (
  token_hash bytea primary key,
  challenge text not null,
  -- Who adds a passkey; null for a sign-in.
  user_id text references users on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

create table linked_accounts (
  id text primary key,
  user_id text not null references users on delete cascade,
  provider text not null,
  -- Who vouches for the subject: two issuers behind one setting are two namespaces.
  issuer text not null,
  subject text not null,
  email text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  unique (provider, issuer, subject)
);
create index linked_accounts_by_user on linked_accounts (user_id, created_at);

-- Callbacks of providers that have been answered, so that none is answered twice.
create table used_callbacks (
  state_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_callbacks_by_expiry on used_callbacks (expires_at);

do $$
declare
  walled text;
begin
  foreach walled in array array['sessions', 'pending_sign_ups', 'auth_tokens', 'email_changes', 'two_factor',
    'backup_codes', 'pending_sign_ins', 'passkeys', 'passkey_challenges', 'linked_accounts', 'used_callbacks']
  loop
    execute format('alter table %I enable row level security', walled);
    execute format('alter table %I force row level security', walled);
    execute format('create policy every_workspace on %I to signpost_worker using (true) with check (true)', walled);
  end loop;
end
$$;
