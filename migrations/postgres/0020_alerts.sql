-- What members watch: the clicks of a workspace or a link, and whether the destination of a link answers.

create table alerts (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- Null: the whole workspace.
  link_id text references links on delete cascade,
  watches text[] not null check (watches <@ array['clicks', 'destination'] and watches <> '{}'),
  -- Addresses of members, as they are compared.
  recipients text[] not null,
  is_active boolean not null,
  -- Of the last full hour that was judged.
  clicks_state text not null default 'usual' check (clicks_state in ('usual', 'high', 'low')),
  clicks_since timestamptz,
  clicks integer,
  clicks_usual integer,
  destination_state text not null default 'ok' check (destination_state in ('ok', 'failing')),
  destination_since timestamptz,
  -- Checks that failed one after another.
  destination_failures smallint not null default 0,
  checked_at timestamptz,
  next_check_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Nothing leads a workspace anywhere.
  constraint alerts_destination check (link_id is not null or not 'destination' = any (watches))
);
create unique index alerts_of_target on alerts (workspace_id, coalesce(link_id, ''));
create index alerts_of_link on alerts (link_id) where link_id is not null;
create index alerts_due on alerts (next_check_at) where is_active;
select wall_off('alerts');
