-- Orders at certificate authorities, for the shares of accounts and registrable domains. Rows are kept for a week.
create table tls_orders (
  hostname text collate "C" not null,
  owner_id text not null,
  zone text collate "C" not null,
  ordered_at timestamptz not null
);
create index tls_orders_by_time on tls_orders (ordered_at);
create index tls_orders_by_host on tls_orders (hostname);

-- The user who owns the workspace of the domain, and the registrable domain of the host; null for a host of the settings.
-- owner_id takes the place of ordered_for.
alter table tls_certificates add column owner_id text;
alter table tls_certificates add column zone text collate "C";

-- When the certificate is ordered again, while that failed or a share is used up.
alter table domains add column ssl_next_attempt_at timestamptz;
