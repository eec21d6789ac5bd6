-- Null: the reserved address of a deleted workspace, on the shared host.
alter table link_addresses alter column workspace_id drop not null;

-- A request learns of every address that it is taken, writes those of its own workspace, and takes over freed ones.
drop policy every_workspace on link_addresses;
create policy every_workspace on link_addresses to signpost_worker using (true) with check (true);
create policy any_address on link_addresses for select to signpost_request using (true);
create policy one_workspace on link_addresses to signpost_request
  using (workspace_id = current_setting('signpost.workspace_id', true))
  with check (workspace_id = current_setting('signpost.workspace_id', true));
create policy freed_addresses on link_addresses for update to signpost_request
  using (link_id is null and held_for is null)
  with check (workspace_id = current_setting('signpost.workspace_id', true));
