-- Daily rows of clicks whose own rows were deleted after CLICK_RETENTION_DAYS: one row per link, kind,
-- day and combination of the labels of a group. Projections of `clicks` disappear with their parts;
-- the groups here are theirs, and so are the columns. Labels are '' outside of their group.
--
-- `fold` is an attempt at one month (click_folds in PostgreSQL, docs/decisions/0043). A partition holds
-- the rows of one attempt, so that an attempt that was cut off can be dropped. Only the rows of attempts
-- that PostgreSQL knows as folded may be counted.

create table if not exists click_days (
  fold String,
  workspace_id LowCardinality(String),
  link_id String,
  kind Enum8('human' = 1, 'bot' = 2, 'preview' = 3, 'prefetch' = 4, 'view' = 5),
  day Date,
  grp Enum8(
    'visits' = 1, 'places' = 2, 'agents' = 3, 'sources' = 4, 'campaigns' = 5, 'destinations' = 6),
  country LowCardinality(String),
  region LowCardinality(String),
  city LowCardinality(String),
  continent LowCardinality(String),
  device LowCardinality(String),
  browser LowCardinality(String),
  os LowCardinality(String),
  referrer LowCardinality(String),
  trigger LowCardinality(String),
  domain_id LowCardinality(String),
  route LowCardinality(String),
  language LowCardinality(String),
  utm_source LowCardinality(String),
  utm_medium LowCardinality(String),
  utm_campaign LowCardinality(String),
  utm_term LowCardinality(String),
  utm_content LowCardinality(String),
  destination LowCardinality(String),
  clicks UInt64,
  -- Without visitor 0. Filled in the group `visits` alone: states per label would take more space than
  -- the clicks. Two precisions, since states of different ones cannot be merged: that of the projections
  -- of workspaces, and that of the projection of links.
  workspace_visitors AggregateFunction(uniqCombined64(14), UInt64),
  link_visitors AggregateFunction(uniqCombined64, UInt64)
)
engine = {engine:click_days}
partition by (toYYYYMM(day), fold)
order by (workspace_id, grp, link_id, day)
settings fsync_after_insert = 1, fsync_part_directory = 1;
