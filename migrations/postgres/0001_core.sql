-- People, workspaces and what they own. Ids are a prefix and a ULID. Times are the program's clock.

create table users (
  id text primary key,
  name text not null,
  email text not null,
  -- The address as it is compared: lower-cased by the program, never by the database.
  email_key text not null unique,
  password_hash text,
  email_verified_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table workspaces (
  id text primary key,
  name text not null,
  plan text not null default 'self_hosted',
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table members (
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  created_at timestamptz not null,
  primary key (workspace_id, user_id)
);
create index members_by_user on members (user_id);

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
  -- A key dies with its owner's membership.
  foreign key (workspace_id, user_id) references members on delete cascade
);
create index api_keys_by_workspace on api_keys (workspace_id, created_at);

create table links (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  -- The author's spelling; slug_key is what is matched, folded by the program.
  slug text not null,
  slug_key text collate "C" not null,
  -- Null: the shared default host, on which slugs are unique across workspaces.
  domain_id text,
  destination_url text not null,
  redirect_type smallint not null default 302 check (redirect_type in (301, 302, 307, 308)),
  status text not null default 'active' check (status in ('active', 'paused', 'archived', 'blocked')),
  expires_at timestamptz,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  metadata json,
  created_by text not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index links_by_slug on links (coalesce(domain_id, ''), slug_key);
create index links_by_workspace on links (workspace_id, created_at desc, id desc);

-- A freed slug stays with its workspace for a while, so that nobody inherits its visitors at once.
create table freed_slugs (
  domain_id text not null,
  slug_key text collate "C" not null,
  workspace_id text not null references workspaces on delete cascade,
  free_at timestamptz not null,
  primary key (domain_id, slug_key)
);

-- Clicks of a link, kept beside it so that counting rewrites no wide row. For lists and limits
-- only: analytics answers come from ClickHouse.
create table link_clicks (
  link_id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  clicks bigint not null,
  last_clicked_at timestamptz
) with (fillfactor = 70);

-- What a workspace has used of each limit. `period` is 'YYYY-MM' for monthly limits, '' for standing ones.
create table usage_counters (
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  period text not null,
  used bigint not null check (used >= 0),
  primary key (workspace_id, name, period)
);

create table audit_log (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  action text not null,
  actor_type text not null,
  actor_id text not null,
  target_type text not null,
  target_id text not null,
  target_name text,
  -- {field: {old, new}}; never a secret.
  changes json not null,
  ip_address text,
  user_agent text,
  request_id text not null,
  created_at timestamptz not null
);
create index audit_log_by_workspace on audit_log (workspace_id, created_at desc, id desc);

-- The outbox: an event row exists exactly when the change that caused it was committed.
create table events (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  type text not null,
  data text not null,
  created_at timestamptz not null
);
create index events_by_workspace on events (workspace_id, created_at);

-- How far each click journal has been shipped. Segments of a journal ship in order, so one row says it all.
create table journal_cursors (
  journal_id text primary key,
  sequence bigint not null,
  updated_at timestamptz not null
);

-- Key material of visitor pseudonyms: replaced every 90 days, the old one is overwritten.
create table visitor_salts (
  workspace_id text primary key references workspaces on delete cascade,
  salt bytea not null,
  created_at timestamptz not null
);
