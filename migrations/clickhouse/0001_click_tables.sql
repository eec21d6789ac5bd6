-- Clicks, and the days that are left of old ones. {engine} is CLICKHOUSE_ENGINE.

-- One row per answered redirect. No materialized view may read from this table: a retried insert would run it again.
create table if not exists clicks (
  workspace_id LowCardinality(String),
  link_id String,
  click_id FixedString(26),
  at DateTime64(3, 'UTC'),
  -- Journal id and sequence of the segment that brought the row: the unit of exactly-once.
  segment String,
  -- A `view` is one of a page, and no click.
  kind Enum8('human' = 1, 'bot' = 2, 'preview' = 3, 'prefetch' = 4, 'view' = 5),
  visitor UInt64,
  host LowCardinality(String),
  slug String,
  country LowCardinality(String),
  region LowCardinality(String),
  city LowCardinality(String),
  continent LowCardinality(String),
  device LowCardinality(String),
  browser LowCardinality(String),
  os LowCardinality(String),
  referrer LowCardinality(String),
  language LowCardinality(String),
  trigger LowCardinality(String),
  utm_source LowCardinality(String),
  utm_medium LowCardinality(String),
  utm_campaign LowCardinality(String),
  utm_term LowCardinality(String),
  utm_content LowCardinality(String),
  destination LowCardinality(String),
  domain_id LowCardinality(String) default '',
  -- The chosen destination.
  route LowCardinality(String) default 'default',

  -- Daily counts, kept by ClickHouse inside each part: they are exact under retried inserts and are what a link's
  -- answer is read from (src/services/analytics/clicks-sql.ts, docs/decisions/0003).
  projection visits (
    select workspace_id, link_id, kind, toDate(at), count(), uniqCombined64State(visitor)
    group by workspace_id, link_id, kind, toDate(at)
  ),
  projection places (
    select workspace_id, link_id, kind, toDate(at), country, region, city, continent, count()
    group by workspace_id, link_id, kind, toDate(at), country, region, city, continent
  ),
  projection agents (
    select workspace_id, link_id, kind, toDate(at), device, browser, os, count()
    group by workspace_id, link_id, kind, toDate(at), device, browser, os
  ),
  projection campaigns (
    select workspace_id, link_id, kind, toDate(at),
      language, utm_source, utm_medium, utm_campaign, utm_term, utm_content, count()
    group by workspace_id, link_id, kind, toDate(at),
      language, utm_source, utm_medium, utm_campaign, utm_term, utm_content
  ),
  projection sources (
    select workspace_id, link_id, kind, toDate(at),
      referrer, trigger, destination, route, domain_id, count()
    group by workspace_id, link_id, kind, toDate(at),
      referrer, trigger, destination, route, domain_id
  ),

  -- Counts of a whole workspace, which the rows by link do not serve: they are as many as the clicks
  -- (docs/decisions/0041). Visitors in states of 12 kB instead of 98, since there is one for each hour. The
  -- destination, of which every link has its own, is apart from the sources, so that it does not multiply them.
  projection workspace_visits (
    select workspace_id, kind, toDate(at), count(), uniqCombined64State(14)(visitor)
    group by workspace_id, kind, toDate(at)
  ),
  projection workspace_hours (
    select workspace_id, kind, toStartOfHour(at), count(), uniqCombined64State(14)(visitor)
    group by workspace_id, kind, toStartOfHour(at)
  ),
  projection workspace_places (
    select workspace_id, kind, toDate(at), country, region, city, continent, count()
    group by workspace_id, kind, toDate(at), country, region, city, continent
  ),
  projection workspace_agents (
    select workspace_id, kind, toDate(at), device, browser, os, count()
    group by workspace_id, kind, toDate(at), device, browser, os
  ),
  projection workspace_sources (
    select workspace_id, kind, toDate(at), referrer, trigger, route, domain_id, count()
    group by workspace_id, kind, toDate(at), referrer, trigger, route, domain_id
  ),
  projection workspace_campaigns (
    select workspace_id, kind, toDate(at),
      language, utm_source, utm_medium, utm_campaign, utm_term, utm_content, count()
    group by workspace_id, kind, toDate(at),
      language, utm_source, utm_medium, utm_campaign, utm_term, utm_content
  ),
  projection workspace_destinations (
    select workspace_id, kind, toDate(at), destination, count()
    group by workspace_id, kind, toDate(at), destination
  )
)
engine = {engine}
partition by toYYYYMM(at)
order by (workspace_id, link_id, at)
settings {settings};

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
