-- Work that outlives its request, what it makes, and what is shared of the statistics.

create table jobs (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  kind text not null,
  status text not null default 'pending'
    check (status in ('pending', 'processing', 'completed', 'failed', 'canceled')),
  -- The requester: user or key, as audit rows name them.
  asker json not null,
  input json not null,
  -- Progress as of the last committed piece; null before the first.
  state json,
  error json,
  -- Of the same kind, a workspace has at most one that is neither completed, failed nor canceled.
  is_single boolean not null default false,
  -- Attempts at the piece that is next.
  attempts int not null default 0,
  -- The worker that holds the job, until its lease ends. Each lease has a higher epoch than the one before.
  owner text,
  epoch bigint not null default 0,
  lease_until timestamptz,
  -- The earliest time of the next lease; jobs get their turn in this order.
  ready_at timestamptz not null default now(),
  created_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz
);
create index jobs_of_workspace on jobs (workspace_id, kind, created_at desc, id desc);
create index jobs_to_run on jobs (workspace_id, kind, created_at, id)
  where status in ('pending', 'processing');
create unique index jobs_running on jobs (workspace_id, kind) where owner is not null;
create unique index jobs_single on jobs (workspace_id, kind)
  where is_single and status in ('pending', 'processing');
create index jobs_finished on jobs (completed_at) where completed_at is not null;
select wall_off('jobs');

-- Input that is too large for the row of a job; deleted when the job ends.
create table job_chunks (
  job_id text not null references jobs on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  chunk int not null,
  content json not null,
  primary key (job_id, chunk)
);
create index job_chunks_of_workspace on job_chunks (workspace_id);
select wall_off('job_chunks');

-- What has become of each row of an import, or would in a dry run. A workspace keeps the rows of its newest import.
create table import_rows (
  job_id text not null references jobs on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  -- As a spreadsheet numbers it.
  row int not null,
  status text not null check (status in ('created', 'updated', 'skipped', 'failed')),
  short_url text,
  destination_url text,
  note text,
  primary key (job_id, row)
);
create index import_rows_of_workspace on import_rows (workspace_id);
select wall_off('import_rows');

-- Answers to requests with an Idempotency-Key, kept for 24 hours: one row exists exactly when the write of its request
-- was committed, since both are one transaction.
create table idempotency_keys (
  -- Digest of workspace, route and key.
  id text primary key,
  workspace_id text not null,
  -- AES-256-GCM, bound to this row: the answer, and a digest of the request.
  answer_sealed bytea not null,
  created_at timestamptz not null
);
create index idempotency_keys_of_workspace on idempotency_keys (workspace_id);
create index idempotency_keys_by_time on idempotency_keys (created_at);
select wall_off('idempotency_keys');

-- Files that jobs make of the data of a workspace, on demand or by a schedule.
create table reports (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  type text not null,
  format text not null,
  filters json not null,
  -- Null: made once.
  schedule json,
  -- The user or key that asked for it, with whose present rights each run reads.
  asker json not null,
  -- The job of the latest run.
  run_id text not null,
  -- Address keys of the recipients whose mail about the file of a scheduled run is not sent yet; null for none.
  mail_to text[],
  -- The run that made the stored file; null without a file.
  file_run_id text,
  row_count bigint,
  -- Bytes of the file; null once it is deleted.
  size bigint,
  generated_at timestamptz,
  -- The file is deleted at this time.
  expires_at timestamptz,
  next_run_at timestamptz,
  created_at timestamptz not null
);
create index reports_of_workspace on reports (workspace_id, created_at desc, id desc);
create index reports_of_run on reports (run_id);
create index reports_due on reports (next_run_at) where next_run_at is not null;
create index reports_to_mail on reports (generated_at) where mail_to is not null;
create index reports_by_expiry on reports (expires_at) where size is not null;
select wall_off('reports');

-- Files in pieces of one size, compressed and sealed. They can be large, so the purge deletes them before the row of
-- their workspace.
create table report_chunks (
  -- The run and the number of the piece.
  id text primary key,
  workspace_id text not null,
  report_id text not null references reports on delete cascade,
  run_id text not null,
  content_sealed bytea not null,
  created_at timestamptz not null
);
create index report_chunks_of_report on report_chunks (report_id, run_id);
create index report_chunks_of_workspace on report_chunks (workspace_id);
-- The content is compressed already.
alter table report_chunks alter column content_sealed set storage external;
select wall_off('report_chunks');

-- Statistics that a workspace shows to visitors without an account, each under an address with a secret token.
create table dashboards (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  title text not null,
  -- What is shared; the whole workspace without any. A row that was deleted stays named, and the dashboard answers as
  -- if it did not exist.
  link_id text,
  campaign_id text,
  folder_id text,
  days integer not null check (days between 1 and 3650),
  -- argon2id in PHC form; null: open to all that have the address.
  password_hash text,
  show_conversions boolean not null default false,
  do_index boolean not null default false,
  -- SHA-256 of the token, by which a visitor's request finds the row; and the token itself, to show the address again.
  token_hash bytea not null,
  token_sealed bytea not null,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- ISO 4217 code, in lower case, of the currency in which the value of conversions is summed up.
  currency text not null default 'usd',
  check (num_nonnulls(link_id, campaign_id, folder_id) <= 1)
);
create unique index dashboards_by_token on dashboards (token_hash);
create index dashboards_by_workspace on dashboards (workspace_id, created_at desc, id desc);
select wall_off('dashboards');
