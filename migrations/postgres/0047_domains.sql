-- Branded hosts of workspaces. Several workspaces may claim a host; the first one that proves it holds it.
create table domains (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- ASCII (punycode), lower case, without a port or a dot at its end.
  hostname text collate "C" not null,
  -- 32 hexadecimal digits, the proof that the owner of the host publishes.
  token text not null,
  -- Short URLs on the host redirect while it is verified or misconfigured.
  status text not null default 'pending'
    check (status in ('pending', 'verified', 'failed', 'misconfigured')),
  failure_reason text check (failure_reason in
    ('not_found', 'not_configured', 'token_mismatch', 'conflicting_records', 'lookup_error')),
  is_default boolean not null default false,
  case_sensitive boolean not null default false,
  root_redirect_url text,
  not_found_url text,
  expired_url text,
  apple_app_site_association json,
  asset_links json,
  -- What the last check found, a row for each record that is shown.
  records json,
  last_checked_at timestamptz,
  verified_at timestamptz,
  -- Since when the proof of a host that was verified is missing.
  misconfigured_since timestamptz,
  -- Moved ahead by the process that checks, so that no other one checks at the same time.
  next_check_at timestamptz not null,
  ssl_status text not null default 'none',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (workspace_id, hostname)
);
create unique index domains_by_held_host on domains (hostname) where status in ('verified', 'misconfigured');
create unique index domains_by_default on domains (workspace_id) where is_default;
create index domains_by_workspace on domains (workspace_id, created_at desc, id desc);
create index domains_to_check on domains (next_check_at);
select wall_off('domains');

-- Whether another workspace holds a host. A request learns nothing else about claims of others.
create function is_host_held(claimed text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from domains
    where hostname = claimed and status in ('verified', 'misconfigured')
      and workspace_id <> current_setting('signpost.workspace_id', true))
$$;

-- A link on a domain keeps the domain from being deleted, also when both happen at the same time.
alter table links add constraint links_domain foreign key (domain_id) references domains;
create index links_by_domain on links (domain_id, created_at desc, id desc) include (status)
  where domain_id is not null;
