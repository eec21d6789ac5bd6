-- The second wall: whatever a statement of the request role forgets, it sees one workspace's rows.
-- The roles are made by the program before the first migration (src/storage/roles.ts).

-- Walls off a table by its workspace_id. Every table that has one calls this in its migration.
create function wall_off(walled regclass, workspace_column text default 'workspace_id') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', walled);
  execute format('alter table %s force row level security', walled);
  execute format(
    'create policy one_workspace on %s to signpost_request
       using (%I = current_setting(''signpost.workspace_id'', true))
       with check (%I = current_setting(''signpost.workspace_id'', true))',
    walled, workspace_column, workspace_column);
  execute format('create policy every_workspace on %s to signpost_worker using (true) with check (true)', walled);
end
$$;

select wall_off('workspaces', 'id');
select wall_off('members');
select wall_off('api_keys');
select wall_off('links');
select wall_off('link_clicks');
select wall_off('usage_counters');
select wall_off('audit_log');
select wall_off('events');
select wall_off('visitor_salts');

-- Slugs of the shared host are unique across workspaces, so a request must learn that one is kept.
alter table freed_slugs enable row level security;
alter table freed_slugs force row level security;
create policy every_workspace on freed_slugs to signpost_worker, signpost_request using (true)
  with check (pg_has_role(current_user, 'signpost_worker', 'member')
    or workspace_id = current_setting('signpost.workspace_id', true));

-- People are seen by the workspaces they belong to.
alter table users enable row level security;
alter table users force row level security;
create policy fellow_members on users for select to signpost_request
  using (exists (select from members m where m.user_id = users.id));
create policy every_workspace on users to signpost_worker using (true) with check (true);

-- Which workspace owns a row, so that another's can be refused as FORBIDDEN and an unknown one as
-- NOT_FOUND (spec, Authentication 7). It tells nothing else of the row.
create function workspace_of(owned regclass, row_id text) returns text
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  owner text;
begin
  execute format('select workspace_id from %s where id = $1', owned) into owner using row_id;
  return owner;
end
$$;
