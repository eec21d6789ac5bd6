-- Filters, order and columns of the list of links under a name, for one user or for the workspace.
create table link_views (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  name text not null,
  is_shared boolean not null,
  -- Of the page: tag=sale&sort=clicks.
  query text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index link_views_by_workspace on link_views (workspace_id, created_at desc, id desc);
create index link_views_by_user on link_views (user_id);
select wall_off('link_views');
