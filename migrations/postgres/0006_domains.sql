-- Branded hosts of workspaces, and the certificates of hosts.

-- Several workspaces may claim a host; the first one that proves it holds it.
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
  -- Those of its URLs (root_redirect_url, not_found_url, expired_url) whose host the operator has blocked.
  blocked_urls text[] not null default '{}',
  -- Why the last order for the certificate was refused, while ssl_status is 'failed'.
  ssl_failure_reason text,
  -- When the certificate is ordered again, while that failed or a share is used up.
  ssl_next_attempt_at timestamptz,
  unique (workspace_id, hostname)
);
create unique index domains_by_held_host on domains (hostname) where status in ('verified', 'misconfigured');
create unique index domains_by_default on domains (workspace_id) where is_default;
create index domains_by_workspace on domains (workspace_id, created_at desc, id desc);
create index domains_to_check on domains (next_check_at);
create index domains_with_blocked_urls on domains (id) where blocked_urls <> '{}';
create index domains_without_certificate on domains (hostname) where status = 'verified' and ssl_status = 'none';
select wall_off('domains');

-- Whether another workspace holds a host. A request learns nothing else about claims of others.
create function is_host_held(claimed text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from domains
    where hostname = claimed and status in ('verified', 'misconfigured')
      and workspace_id <> current_setting('signpost.workspace_id', true))
$$;

-- Accounts of this installation at certificate authorities (ACME, RFC 8555).
create table tls_accounts (
  -- Address of the directory of the authority.
  directory text primary key,
  key_sealed bytea not null,
  -- Names the account in requests; null until the authority has registered the key.
  url text,
  created_at timestamptz not null
);

-- Hosts whose certificates the edges order and renew.
create table tls_certificates (
  hostname text collate "C" primary key,
  -- Not written any more: owner_id took its place.
  ordered_for text,
  -- PEM, the certificate of the host first; null until there is one.
  chain text,
  key_sealed bytea,
  -- The directory of the authority that issued it, or that is asked for it.
  directory text not null,
  not_after timestamptz,
  -- The order under way: another edge goes on with it when the lease of its holder has ended.
  order_url text,
  order_key_sealed bytea,
  holder text,
  lease_until timestamptz,
  next_attempt_at timestamptz not null,
  failures integer not null default 0,
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- How the next attempt has the host validated, after a success or a failed validation; null: by the first of
  -- ACME_CHALLENGES.
  challenge text,
  -- The user who owns the workspace of the domain, and the registrable domain of the host; null for a host of the
  -- settings.
  owner_id text,
  zone text collate "C"
);
create index tls_certificates_by_workspace on tls_certificates (ordered_for, created_at) where ordered_for is not null;
create index tls_certificates_due on tls_certificates (next_attempt_at);

-- Answers to the questions of authorities, which every edge gives (HTTP-01).
create table tls_challenges (
  hostname text collate "C" not null,
  token text collate "C" not null,
  answer text not null,
  created_at timestamptz not null,
  primary key (hostname, token)
);

-- Orders at certificate authorities, for the shares of accounts and registrable domains. Rows are kept for a week.
create table tls_orders (
  hostname text collate "C" not null,
  owner_id text not null,
  zone text collate "C" not null,
  ordered_at timestamptz not null
);
create index tls_orders_by_time on tls_orders (ordered_at);
create index tls_orders_by_host on tls_orders (hostname);
