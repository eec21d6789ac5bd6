-- Months of clicks that were replaced by daily rows (src/services/analytics/retention.ts). They name no
-- workspace: a month of all of them is folded at once.
create table click_folds (
  -- Of the attempt; its rows in ClickHouse (click_days) have it.
  id text primary key,
  -- Of UTC, as 202511.
  month int not null,
  state text not null default 'copying'
    check (state in ('copying', 'folded', 'deleting', 'done', 'void')),
  -- {journal id: [after, through]}: the segments whose clicks it holds.
  segments jsonb not null,
  -- Rows of `clicks` that were copied; null while they are.
  clicks bigint,
  lease_until timestamptz not null,
  created_at timestamptz not null default now(),
  -- Rows may be deleted from then on: answers that began before the fold was committed are over.
  delete_after timestamptz,
  -- The end of the last state.
  ended_at timestamptz
);
-- A month has one unfinished attempt, so that the segments of its folds have no gaps.
create unique index click_folds_unfinished on click_folds (month)
  where state in ('copying', 'folded', 'deleting');

alter table click_folds enable row level security;
alter table click_folds force row level security;
create policy every_workspace on click_folds to signpost_worker using (true) with check (true);
create policy reading on click_folds for select to signpost_request using (true);
