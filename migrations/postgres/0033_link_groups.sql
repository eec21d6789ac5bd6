-- What groups links: folders, campaigns and tags; the id that a link has in another system; and templates
-- from which links take UTM parameters.

create table folders (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  -- The name as it is compared, folded by the program.
  name_key text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index folders_by_name on folders (workspace_id, name_key);
select wall_off('folders');

create table campaigns (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  description text,
  status text not null default 'active'
    check (status in ('draft', 'active', 'paused', 'completed', 'archived')),
  starts_at timestamptz,
  ends_at timestamptz,
  goal json,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  tags text[],
  -- The event of the completion was published; it is kept when the campaign is made active again.
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index campaigns_by_workspace on campaigns (workspace_id, created_at desc, id desc);
create index campaigns_to_complete on campaigns (ends_at) where completed_at is null and ends_at is not null;
select wall_off('campaigns');

create table utm_templates (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index utm_templates_by_workspace on utm_templates (workspace_id, created_at desc, id desc);
select wall_off('utm_templates');

-- Folder and campaign may name a row that was deleted, until a job has cleared them: reads show null then.
alter table links
  add column folder_id text,
  add column campaign_id text,
  add column external_id text collate "C",
  -- In the author's order; null for none.
  add column tags text[];
create unique index links_by_external_id on links (workspace_id, external_id)
  where external_id is not null;
create index links_by_folder on links (workspace_id, folder_id, created_at desc, id desc)
  where folder_id is not null;
create index links_by_campaign on links (workspace_id, campaign_id, created_at desc, id desc)
  where campaign_id is not null;

-- The tags of links, one row each, so that links are found by them. Triggers keep it equal to `links.tags`.
create table link_tags (
  workspace_id text not null references workspaces on delete cascade,
  tag text collate "C" not null,
  -- Of the link, which never changes: the order of a list.
  created_at timestamptz not null,
  link_id text not null,
  primary key (workspace_id, tag, created_at, link_id)
);
select wall_off('link_tags');

create function keep_link_tags() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from link_tags t using unnest(old.tags) as tag
      where t.workspace_id = old.workspace_id and t.tag = tag.tag collate "C"
        and t.created_at = old.created_at and t.link_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into link_tags (workspace_id, tag, created_at, link_id)
      select new.workspace_id, tag, new.created_at, new.id from unnest(new.tags) as tag;
  end if;
  return null;
end
$$;
create trigger keep_tags_of_new after insert on links
  for each row when (new.tags is not null) execute function keep_link_tags();
create trigger keep_tags_of_changed after update of tags on links
  for each row when (old.tags is distinct from new.tags) execute function keep_link_tags();
create trigger keep_tags_of_deleted after delete on links
  for each row when (old.tags is not null) execute function keep_link_tags();
