-- Images of workspaces: logos, avatars, cards. The same bytes are one row.
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
-- Images do not shrink any further.
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
select wall_off('media_uses');
