-- Reports: files that jobs make of the data of a workspace, on demand or by a schedule.
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
  -- Bytes of the file.
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
create index reports_by_expiry on reports (expires_at) where expires_at is not null;
select wall_off('reports');

-- Files in pieces of one size, compressed and sealed. They can be large, so the purge deletes them before the row
-- of their workspace.
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
