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
