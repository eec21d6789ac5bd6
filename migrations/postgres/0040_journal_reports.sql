-- What each click journal has not shipped yet. The process that owns a journal writes its row about twice a
-- second, and the shipper deletes the row once every click of the journal is stored, so the row of a killed
-- process stays for as long as its clicks are missing. `meta.asOf` is the earliest of the rows
-- (src/clicks/shipped-through.ts).
create table journal_reports (
  journal_id text primary key,
  -- Every click that was answered before this time, by the clock of the edge, is in both databases.
  shipped_before timestamptz not null,
  -- By the clock of this database, as are all comparisons of these two.
  reported_at timestamptz not null,
  -- Start of the reports that followed each other without a long gap.
  reporting_since timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table journal_reports enable row level security;
alter table journal_reports force row level security;
create policy every_workspace on journal_reports to signpost_worker using (true) with check (true);
