-- Statistics that a workspace shows to visitors without an account, each under an address with a secret token.
create table dashboards (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  title text not null,
  -- What is shared; the whole workspace without any. A row that was deleted stays named, and the dashboard answers
  -- as if it did not exist.
  link_id text,
  campaign_id text,
  folder_id text,
  days integer not null check (days between 1 and 3650),
  -- argon2id in PHC form; null: open to all that have the address.
  password_hash text,
  show_conversions boolean not null default false,
  do_index boolean not null default false,
  -- SHA-256 of the token, by which a visitor's request finds the row; and the token itself, to show the address again.
  token_hash bytea not null,
  token_sealed bytea not null,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (num_nonnulls(link_id, campaign_id, folder_id) <= 1)
);
create unique index dashboards_by_token on dashboards (token_hash);
create index dashboards_by_workspace on dashboards (workspace_id, created_at desc, id desc);
select wall_off('dashboards');
