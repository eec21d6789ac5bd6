-- One row per answered redirect. No materialized view may read from this table: a retried insert
-- would run it again. {engine} is CLICKHOUSE_ENGINE.

create table if not exists clicks (
  workspace_id LowCardinality(String),
  link_id String,
  click_id FixedString(26),
  at DateTime64(3, 'UTC'),
  -- Journal id and sequence of the segment that brought the row: the unit of exactly-once.
  segment String,
  kind Enum8('human' = 1, 'bot' = 2, 'preview' = 3, 'prefetch' = 4),
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

  -- Daily counts, kept by ClickHouse inside each part: they are exact under retried inserts and are
  -- what a link's answer is read from (src/services/analytics/clicks-sql.ts, docs/decisions/0003).
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
  projection sources (
    select workspace_id, link_id, kind, toDate(at), referrer, trigger, destination, count()
    group by workspace_id, link_id, kind, toDate(at), referrer, trigger, destination
  ),
  projection campaigns (
    select workspace_id, link_id, kind, toDate(at),
      language, utm_source, utm_medium, utm_campaign, utm_term, utm_content, count()
    group by workspace_id, link_id, kind, toDate(at),
      language, utm_source, utm_medium, utm_campaign, utm_term, utm_content
  )
)
engine = {engine}
partition by toYYYYMM(at)
order by (workspace_id, link_id, at)
settings {settings};
