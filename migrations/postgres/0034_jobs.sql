-- Work that outlives its request, and the clicks that imported links had before.

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

-- Clicks that a link had in another service, per day, and per value of a dimension where that service
-- gives them. They are not part of any analytics yet.
create table imported_clicks (
  workspace_id text not null,
  link_id text not null,
  -- The service: bitly, dub, …
  source text not null,
  -- Of a mere total: the day on which the link was created there, or that of the import.
  day date not null,
  dimension text,
  label text,
  clicks bigint not null check (clicks >= 0)
);
create unique index imported_clicks_of_link on imported_clicks
  (workspace_id, link_id, source, day, coalesce(dimension, ''), coalesce(label, ''));
select wall_off('imported_clicks');
