-- Versions of links carry what an hour can take back: operations on many links, and deletions. Two tables held the same
-- beside them.
-- contract: no release has the two tables

alter table link_versions
  -- created: the first version, of a link that an operation created; other links have no row for it.
  -- updated: one of the history.
  -- deleted: of a link that does not exist, for the hour in which it can be restored.
  add column kind text not null default 'updated' check (kind in ('created', 'updated', 'deleted')),
  -- The operation on many links, until it is taken back or an hour has passed.
  add column operation_id text,
  -- What an undo needs beside `changes`. Of a link that the operation created or changed, its updated_at after that (with
  -- another one it was changed since) and the hash of a password before it; of a deleted one the row with the aliases, as
  -- the program reads it. A job clears it after an hour, or deletes what it belongs to.
  add column undo_data json;
create index link_versions_of_operation on link_versions (operation_id) where operation_id is not null;
create index link_versions_by_age on link_versions (kind, changed_at) where undo_data is not null;

-- The owner of the tables may not inherit from the roles that the policies name.
alter table link_versions no force row level security;
alter table link_undo no force row level security;
alter table deleted_links no force row level security;

update link_versions v
set operation_id = u.operation_id,
  undo_data = (
    jsonb_build_object('updatedAt', to_char(u.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    || case when u.previous::jsonb ? 'passwordHash'
      then jsonb_build_object('passwordHash', u.previous -> 'passwordHash') else '{}' end)::json
from link_undo u
where u.previous is not null and v.workspace_id = u.workspace_id and v.link_id = u.link_id
  and v.version = (
    select max(w.version) from link_versions w
    where w.workspace_id = u.workspace_id and w.link_id = u.link_id and w.changed_at = u.recorded_at);

insert into link_versions (id, workspace_id, link_id, version, kind, changes, bytes, operation_id, undo_data,
  actor_type, actor_id, changed_at)
select regexp_replace(link_id, '^lnk_', 'hst_'), workspace_id, link_id, 1, 'created', '{}', 2, operation_id,
  json_build_object('updatedAt', to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'system',
  'upgrade', recorded_at
from link_undo where previous is null;

insert into link_versions (id, workspace_id, link_id, version, kind, changes, bytes, operation_id, undo_data,
  actor_type, actor_id, changed_at)
select 'del_' || d.id, d.workspace_id, d.id,
  coalesce((
    select max(v.version) from link_versions v where v.workspace_id = d.workspace_id and v.link_id = d.id), 1) + 1,
  'deleted', '{}', 2, d.operation_id, d.link, 'system', 'upgrade', d.deleted_at
from deleted_links d;

drop table link_undo;
drop table deleted_links;
alter table link_versions force row level security;
