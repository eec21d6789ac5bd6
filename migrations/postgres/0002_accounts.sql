-- People, workspaces, and who belongs to them.

create table users (
  id text primary key,
  name text not null,
  email text not null,
  -- The address as it is compared: lower-cased by the program, never by the database.
  email_key text not null unique,
  password_hash text,
  email_verified_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Set by the operator: the person cannot sign in, and is signed out everywhere.
  suspended_at timestamptz,
  -- What the user has chosen for every client: only the fields that are set (src/services/auth/preferences.ts).
  preferences jsonb not null default '{}'
    check (jsonb_typeof(preferences) = 'object' and octet_length(preferences::text) <= 1024)
);

create table workspaces (
  id text primary key,
  name text not null,
  plan text not null default 'self_hosted',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Set by the operator: its credentials are refused and its links do not redirect.
  suspended_at timestamptz,
  -- The operator's own rate limit for this workspace; null: the plan's, or the installation's.
  api_requests_per_minute integer check (api_requests_per_minute > 0),
  -- Whether visitors who ask not to be tracked (Sec-GPC, DNT) are counted without a pseudonym.
  honors_privacy_signals boolean not null default true,
  -- An IANA name. Members who have chosen no zone of their own see this one.
  timezone text not null default 'UTC' check (octet_length(timezone) between 1 and 64)
);
select wall_off('workspaces', 'id');

create table members (
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  created_at timestamptz not null,
  -- The last request of the member with a session in this workspace, exact to the minute.
  last_active_at timestamptz,
  primary key (workspace_id, user_id)
);
create index members_by_user on members (user_id);
select wall_off('members');

-- Who belonged to a workspace, and when: the security log goes on showing what happened to their accounts in that time.
-- An account that is deleted takes its rows along.
create table former_members (
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  joined_at timestamptz not null,
  left_at timestamptz not null,
  primary key (workspace_id, user_id, joined_at)
);
create index former_members_by_user on former_members (user_id);
select wall_off('former_members');

-- People are seen by the workspaces they belong to.
alter table users enable row level security;
alter table users force row level security;
create policy fellow_members on users for select to signpost_request
  using (exists (select from members m where m.user_id = users.id));
create policy every_workspace on users to signpost_worker using (true) with check (true);

create table api_keys (
  id text primary key,
  workspace_id text not null,
  user_id text not null,
  name text not null,
  -- First and last characters, for people to tell keys apart.
  prefix text not null,
  -- SHA-256 of the whole key; the key itself is shown once and never stored.
  key_hash bytea not null unique,
  -- Null: everything the owner's role may do.
  scopes text[],
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Empty: any address.
  ip_allowlist cidr[] not null default '{}',
  last_used_ip text,
  -- A key dies with its owner's membership.
  foreign key (workspace_id, user_id) references members on delete cascade
);
create index api_keys_by_workspace on api_keys (workspace_id, created_at);
select wall_off('api_keys');

-- An address that is asked to join a workspace. The states are drawn in the program, at the head of
-- src/services/invitations/invitations.ts; `expired` is a pending one whose time is over.
create table invitations (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  email text not null,
  -- The address as it is compared, like users.email_key.
  email_key text not null,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected', 'canceled')),
  -- SHA-256; the token itself is in the mail alone.
  token_hash bytea not null unique,
  -- Null when the account is gone.
  invited_by text references users on delete set null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- SHA-256 of the token of a link that the inviter copies. Unlike the token of the mail, it does not prove access to
  -- the invited mailbox.
  link_hash bytea unique
);
-- One open invitation per address and workspace: inviting again renews it.
create unique index invitations_pending on invitations (workspace_id, email_key) where status = 'pending';
create index invitations_by_workspace on invitations (workspace_id, created_at desc, id desc);
create index invitations_by_address on invitations (email_key) where status = 'pending';
select wall_off('invitations');

-- Workspaces that are being deleted, and those that were not long ago: what comes in late for them is removed, too.
-- No column is called workspace_id: the row outlives its workspace.
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

-- Which workspace owns a row, so that another's can be refused as FORBIDDEN and an unknown one as NOT_FOUND (spec,
-- Authentication 7). It tells nothing else of the row. It reads as the owner of the tables, so it reads tables of that
-- owner alone: a view or a policy that somebody else made would run somebody else's functions.
create function workspace_of(owned regclass, row_id text) returns text
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
