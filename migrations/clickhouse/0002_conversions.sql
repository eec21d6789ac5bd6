-- A copy of the settled conversions of PostgreSQL, which is their source of truth, with the labels of their clicks:
-- the columns of `clicks`, so that the same conditions select both. `link_id` is empty for a conversion that is
-- attributed to no link. Not partitioned: a client may report what happened in any year.

create table if not exists conversions (
  workspace_id LowCardinality(String),
  id String,
  -- The rows that were copied together: the unit of exactly-once.
  batch UInt64,
  link_id String,
  click_id String,
  -- When it happened.
  at DateTime64(3, 'UTC'),
  type Enum8('lead' = 1, 'sale' = 2, 'custom' = 3),
  event_name String,
  currency LowCardinality(String),
  value Int64,
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
  domain_id LowCardinality(String),
  route LowCardinality(String)
)
engine = {engine:conversions}
order by (workspace_id, link_id, at)
settings {settings};
