-- Second factors, and other ways to sign in. They belong to people, not to workspaces: only the
-- worker role sees them.

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
  foreach walled in array array['two_factor', 'backup_codes', 'pending_sign_ins', 'passkeys',
    'passkey_challenges', 'linked_accounts', 'used_callbacks']
  loop
    execute format('alter table %I enable row level security', walled);
    execute format('alter table %I force row level security', walled);
    execute format('create policy every_workspace on %I to signpost_worker using (true) with check (true)', walled);
  end loop;
end
$$;
