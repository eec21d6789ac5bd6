-- Links that were deleted in the last hour. Their history and the count of their redirects are kept as long, and
-- a job deletes all three. To every other part of the program such a link does not exist.
create table deleted_links (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- The row with the aliases, as the program reads it.
  link json not null,
  -- The operation on many links that deleted it; null for a single deletion.
  operation_id text,
  deleted_at timestamptz not null
);
create index deleted_links_by_workspace on deleted_links (workspace_id);
create index deleted_links_of_operation on deleted_links (operation_id) where operation_id is not null;
create index deleted_links_by_age on deleted_links (deleted_at);
select wall_off('deleted_links');

-- What operations on many links have changed in the last hour.
create table link_undo (
  operation_id text not null,
  link_id text not null,
  workspace_id text not null references workspaces on delete cascade,
  -- The former values of the fields that changed; null for a link that the operation created.
  previous json,
  -- updated_at of the link right after the operation: with another one it was changed since.
  changed_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (operation_id, link_id)
);
create index link_undo_by_workspace on link_undo (workspace_id);
create index link_undo_by_age on link_undo (recorded_at);
select wall_off('link_undo');
