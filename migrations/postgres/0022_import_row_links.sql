-- The link of a row, for a bio page of an import. Null: a refused row, a new one of a dry run, or an earlier version.
alter table import_rows add column link_id text;
