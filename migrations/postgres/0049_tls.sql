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
  -- Workspace whose verification caused the first order, also when its domain is gone; null for a host of the settings.
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
  updated_at timestamptz not null
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

-- Verified domains that have no certificate ordered yet.
create index domains_without_certificate on domains (hostname) where status = 'verified' and ssl_status = 'none';
