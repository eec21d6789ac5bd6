-- Aborts the transaction of a statement that must not be committed; the program reads the reason.
create function refuse(reason text) returns boolean language plpgsql as $$
begin
  raise exception '%', reason using errcode = 'SP001';
end
$$;

-- One row per address: the slug of a link, an alias of it, or a freed slug. Slugs and aliases of one
-- host are unique together, and a freed slug stays with its workspace for a while, so that no other
-- workspace gets its visitors at once.
create table link_addresses (
  -- Empty: the shared default host.
  domain_id text not null,
  slug_key text collate "C" not null,
  workspace_id text not null,
  -- Null: freed.
  link_id text,
  -- In its author's spelling.
  slug text not null,
  is_alias boolean not null default false,
  -- The time from which on every workspace may take a freed slug; null unless freed.
  free_at timestamptz,
  primary key (domain_id, slug_key)
);
-- Rows that are not deleted with the row of their link.
create index link_addresses_of_aliases on link_addresses (link_id) where is_alias;
create index link_addresses_freed on link_addresses (free_at) where link_id is null;
create index link_addresses_by_workspace on link_addresses (workspace_id) where is_alias or link_id is null;

-- Slugs of the shared host are unique across workspaces, so a request must learn that one is taken or
-- reserved.
alter table link_addresses enable row level security;
alter table link_addresses force row level security;
create policy every_workspace on link_addresses to signpost_worker, signpost_request using (true)
  with check (pg_has_role(current_user, 'signpost_worker', 'member')
    or workspace_id = current_setting('signpost.workspace_id', true));

insert into link_addresses (domain_id, slug_key, workspace_id, link_id, slug)
  select coalesce(domain_id, ''), slug_key, workspace_id, id, slug from links;
insert into link_addresses (domain_id, slug_key, workspace_id, slug, free_at)
  select domain_id, slug_key, workspace_id, slug_key, free_at from freed_slugs
  on conflict do nothing;
drop index links_by_slug;
drop table freed_slugs;
