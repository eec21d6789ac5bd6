-- The domain and the chosen destination of a click, and views of pages, which are no clicks.
--
-- ClickHouse refuses to change `kind` while projections read it. They are dropped, made again in the
-- same form, and built for the stored rows in the background, which until then are read click by
-- click. Each statement may run again after a crash.

alter table clicks
  drop projection if exists visits,
  drop projection if exists places,
  drop projection if exists agents,
  drop projection if exists sources,
  drop projection if exists campaigns
settings mutations_sync = 1;

alter table clicks
  add column if not exists domain_id LowCardinality(String) default '',
  add column if not exists route LowCardinality(String) default 'default',
  modify column kind Enum8('human' = 1, 'bot' = 2, 'preview' = 3, 'prefetch' = 4, 'view' = 5);

-- One statement: ClickHouse analyses the projections that are there again for each further one.
alter table clicks
  add projection if not exists visits (
    select workspace_id, link_id, kind, toDate(at), count(), uniqCombined64State(visitor)
    group by workspace_id, link_id, kind, toDate(at)
  ),
  add projection if not exists places (
    select workspace_id, link_id, kind, toDate(at), country, region, city, continent, count()
    group by workspace_id, link_id, kind, toDate(at), country, region, city, continent
  ),
  add projection if not exists agents (
    select workspace_id, link_id, kind, toDate(at), device, browser, os, count()
    group by workspace_id, link_id, kind, toDate(at), device, browser, os
  ),
  add projection if not exists sources (
    select workspace_id, link_id, kind, toDate(at), referrer, trigger, destination, count()
    group by workspace_id, link_id, kind, toDate(at), referrer, trigger, destination
  ),
  add projection if not exists campaigns (
    select workspace_id, link_id, kind, toDate(at),
      language, utm_source, utm_medium, utm_campaign, utm_term, utm_content, count()
    group by workspace_id, link_id, kind, toDate(at),
      language, utm_source, utm_medium, utm_campaign, utm_term, utm_content
  );

alter table clicks
  materialize projection visits,
  materialize projection places,
  materialize projection agents,
  materialize projection sources,
  materialize projection campaigns;
