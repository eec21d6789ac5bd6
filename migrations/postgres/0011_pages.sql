-- Images of workspaces, and bio pages.

-- Logos, avatars, cards. The same bytes are one row.
create table media (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  filename text not null,
  content_type text not null,
  -- Of the file as it was uploaded, in bytes.
  size integer not null,
  width integer not null,
  height integer not null,
  frames integer not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  unique (workspace_id, sha256)
);
create index media_by_workspace on media (workspace_id, created_at desc, id desc) include (size);
select wall_off('media');

-- The bytes: as they were uploaded, and in the sizes that the public sees. Apart from what lists read.
create table media_files (
  media_id text not null references media on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  kind text not null check (kind in ('original', 'small', 'wide', 'card')),
  content_type text not null,
  sha256 bytea not null,
  bytes bytea not null,
  primary key (media_id, kind)
);
-- Images do not shrink any further. PostgreSQL 15 does not take this with the column.
alter table media_files alter column bytes set storage external;
create index media_files_by_workspace on media_files (workspace_id);
select wall_off('media_files');

-- What shows an image. It is public while one of its rows is.
create table media_uses (
  media_id text not null references media on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  type text not null check (type in ('link', 'bio_page')),
  -- Id of the link or the page.
  used_by text not null,
  is_public boolean not null,
  primary key (media_id, used_by)
);
create index media_uses_by_user on media_uses (used_by);
create index media_uses_by_workspace on media_uses (workspace_id);
create index media_uses_public on media_uses (media_id) where is_public;
select wall_off('media_uses');

-- Registers the images that a link shows, whichever way the link is written: that of its card, which is public while
-- the link is not blocked, and the logo of its QR codes. An image of another workspace is none of its own, and is not
-- registered.
create function keep_images_of_link() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from media_uses where used_by = old.id and workspace_id = old.workspace_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into media_uses (media_id, workspace_id, type, used_by, is_public)
      select media.id, new.workspace_id, 'link', new.id, bool_or(shown.is_public) and new.status <> 'blocked'
      from (values
        (substring(new.options -> 'card' ->> 'image' from '/media-public/(med_[0-9A-Z]{26})(?:\?|$)'), true),
        (new.options ->> 'qrLogoMediaId', false)
      ) as shown (id, is_public)
      join media on media.id = shown.id and media.workspace_id = new.workspace_id
      group by media.id;
  end if;
  return null;
end
$$;
create trigger keep_images_of_new after insert on links
  for each row when (coalesce(new.options ->> 'card', new.options ->> 'qrLogoMediaId') is not null)
  execute function keep_images_of_link();
create trigger keep_images_of_changed after update of options on links
  for each row when (
    old.options ->> 'card' is distinct from new.options ->> 'card'
    or old.options ->> 'qrLogoMediaId' is distinct from new.options ->> 'qrLogoMediaId')
  execute function keep_images_of_link();
create trigger keep_images_of_blocked after update of status on links
  for each row when (
    (old.status = 'blocked') is distinct from (new.status = 'blocked')
    and coalesce(new.options ->> 'card', new.options ->> 'qrLogoMediaId') is not null)
  execute function keep_images_of_link();
create trigger keep_images_of_deleted after delete on links
  for each row when (coalesce(old.options ->> 'card', old.options ->> 'qrLogoMediaId') is not null)
  execute function keep_images_of_link();

-- The address of a page is a row of link_addresses with the id of the page as its `link_id` and with `is_alias`, so
-- that links and pages share one unique index.
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

-- Makes the edges forget the pages that show a link whose short URL changes, or that is deleted, whichever way it is
-- written. Pages leave out links that do not redirect, and the times of a link are part of the page.
create function announce_pages_of_link() returns trigger language plpgsql as $$
begin
  insert into link_changes (key)
    select a.domain_id || E'\n' || a.slug_key
    from bio_page_links s join link_addresses a on a.link_id = s.page_id and a.is_alias
    where s.link_id = old.id;
  return null;
end
$$;
create trigger announce_pages_of_moved after update of slug, domain_id on links
  for each row when (old.slug is distinct from new.slug or old.domain_id is distinct from new.domain_id)
  execute function announce_pages_of_link();
create trigger announce_pages_of_changed after update of status, expires_at, options on links
  for each row when (
    old.status is distinct from new.status
    or old.expires_at is distinct from new.expires_at
    or old.options ->> 'startsAt' is distinct from new.options ->> 'startsAt')
  execute function announce_pages_of_link();
create trigger announce_pages_of_deleted after delete on links
  for each row execute function announce_pages_of_link();

-- The same for a link whose clicks are used up, or are not any more.
create function announce_pages_of_quota() returns trigger language plpgsql as $$
begin
  insert into link_changes (key)
    select a.domain_id || E'\n' || a.slug_key
    from bio_page_links s join link_addresses a on a.link_id = s.page_id and a.is_alias
    where s.link_id = old.link_id;
  return null;
end
$$;
create trigger announce_pages_of_used_up after update on link_quotas
  for each row when ((old.served >= old.max_clicks) is distinct from (new.served >= new.max_clicks))
  execute function announce_pages_of_quota();
create trigger announce_pages_of_unlimited after delete on link_quotas
  for each row when (old.served >= old.max_clicks)
  execute function announce_pages_of_quota();

-- The same for a page one of whose images is deleted by force.
create function announce_page_of_image() returns trigger language plpgsql as $$
begin
  insert into link_changes (key)
    select domain_id || E'\n' || slug_key from link_addresses where link_id = old.used_by and is_alias;
  return null;
end
$$;
create trigger announce_page_of_image after delete on media_uses
  for each row when (old.type = 'bio_page') execute function announce_page_of_image();
