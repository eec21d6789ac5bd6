-- Options of a link, which the edge enforces.

-- One object in the stored form of src/facts/link-options.ts; null for a link without options, so that
-- such links cost nothing. The password is a PHC string of argon2id, apart from the object, which is
-- shown in answers and kept in versions.
alter table links add column options json, add column password_hash text;

-- Redirects served by links with `maxClicks`, claimed by the edges before they answer. The row is there
-- while the option is set, and repeats its value, so that one statement counts and compares.
create table link_quotas (
  link_id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  max_clicks integer not null check (max_clicks > 0),
  served integer not null default 0
) with (fillfactor = 70);
create index link_quotas_by_workspace on link_quotas (workspace_id);
select wall_off('link_quotas');

-- The changes of a link, one row for each version after the first, which its creation made.
create table link_versions (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  link_id text not null,
  -- From 2 on; the oldest rows of a link are dropped.
  version integer not null,
  -- {field: {old, new}} as in the audit log; never a password.
  changes json not null,
  -- Length of `changes`.
  bytes integer not null,
  actor_type text not null,
  actor_id text not null,
  actor_name text,
  changed_at timestamptz not null
);
create unique index link_versions_by_link on link_versions (workspace_id, link_id, version);
select wall_off('link_versions');
