-- Bio pages. The address of one is a row of link_addresses with the id of the page as its `link_id` and with
-- `is_alias`, so that links and pages share one unique index.
create table bio_pages (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- Null: the shared host.
  domain_id text,
  -- In its author's spelling, without the `p/` of the shared host.
  slug text not null,
  -- Answers at the root of its domain too.
  is_root boolean not null,
  title text not null,
  description text,
  avatar_media_id text,
  theme jsonb not null,
  -- In their order.
  blocks jsonb not null,
  socials jsonb not null,
  seo jsonb not null,
  status text not null check (status in ('draft', 'published')),
  -- Null: a draft.
  published_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index bio_pages_by_workspace on bio_pages (workspace_id, created_at desc, id desc);
create index bio_pages_by_domain on bio_pages (domain_id) where domain_id is not null;
select wall_off('bio_pages');

-- The links that blocks of a page show.
create table bio_page_links (
  page_id text not null references bio_pages on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  link_id text not null,
  -- The page has created the link.
  is_own boolean not null,
  primary key (page_id, link_id)
);
create index bio_page_links_by_link on bio_page_links (link_id);
create index bio_page_links_by_workspace on bio_page_links (workspace_id);
select wall_off('bio_page_links');

-- Views of people, counted with their journal segment.
create table bio_page_views (
  page_id text primary key references bio_pages on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  views bigint not null
);
create index bio_page_views_by_workspace on bio_page_views (workspace_id);
select wall_off('bio_page_views');
