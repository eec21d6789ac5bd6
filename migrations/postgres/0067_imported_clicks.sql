-- Clicks of other services count in analytics, and go with the import that brought them.
alter table imported_clicks
  -- The import, and its time; null for those of earlier versions, which cannot be undone.
  add column job_id text,
  add column imported_at timestamptz,
  -- The later import of the same link and service whose row counts instead, until that import is undone.
  add column replaced_by text,
  add column replaced_at timestamptz;
drop index imported_clicks_of_link;
create unique index imported_clicks_of_link on imported_clicks
  (workspace_id, link_id, source, day, coalesce(dimension, ''), coalesce(label, ''))
  where replaced_by is null;
create index imported_clicks_by_link on imported_clicks (workspace_id, link_id, source);
create index imported_clicks_by_day on imported_clicks (workspace_id, day) include (clicks, link_id)
  where dimension is null and replaced_by is null;
create index imported_clicks_of_import on imported_clicks (job_id) where job_id is not null;
