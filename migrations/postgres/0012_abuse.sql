-- Reports of abuse, and what the operator blocks.

-- Reports of visitors about short links. The operator reads them; admins of the workspace read those about its links,
-- without the address of the reporter.
create table abuse_reports (
  id text primary key,
  url text not null,
  reason text not null check (reason in ('phishing', 'malware', 'spam', 'other')),
  details text,
  email text,
  -- The link at the URL when it was reported; null when there was none.
  workspace_id text references workspaces on delete cascade,
  link_id text,
  created_at timestamptz not null,
  resolved_at timestamptz
);
create index abuse_reports_by_age on abuse_reports (created_at desc, id desc);
create index abuse_reports_by_workspace on abuse_reports (workspace_id, created_at desc, id desc);
select wall_off('abuse_reports');

-- Hosts of destinations with their subdomains, links, workspaces, images.
create table blocks (
  id text primary key,
  kind text not null check (kind in ('host', 'link', 'workspace', 'image')),
  -- A host in ASCII and lower case, an id, or the SHA-256 of an uploaded image in hexadecimal digits.
  value text collate "C" not null,
  -- Shown to the workspace whose links are blocked.
  reason text,
  created_by text not null,
  created_at timestamptz not null,
  -- Since when its links are being restored; the row goes with the last of them.
  lifted_at timestamptz,
  -- Passes over all links that a new block of a host has yet to make, the time of the next one, and the link after
  -- which it goes on.
  passes_left smallint not null default 0,
  pass_at timestamptz not null,
  pass_after text collate "C" not null default '',
  -- Whether a blocked workspace was suspended before its block, and stays so after it.
  was_suspended boolean not null default false,
  unique (kind, value)
);
create index blocks_at_work on blocks (pass_at) where passes_left > 0 or lifted_at is not null;
alter table blocks enable row level security;
alter table blocks force row level security;
create policy every_workspace on blocks to signpost_worker using (true) with check (true);
-- Writes of links read which hosts are blocked.
create policy blocked_hosts on blocks for select to signpost_request
  using (kind = 'host' and lifted_at is null);

-- Why a link is blocked, and its status before. The row outlives the link, whose addresses it holds.
create table link_blocks (
  link_id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  block_id text not null,
  reason text,
  former_status text not null,
  blocked_at timestamptz not null
);
create index link_blocks_by_block on link_blocks (block_id, link_id);
create index link_blocks_by_workspace on link_blocks (workspace_id);
select wall_off('link_blocks');
