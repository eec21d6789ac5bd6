-- Counts of a whole workspace, which the rows by link do not serve: they are as many as the clicks
-- (docs/decisions/0041). Visitors in states of 12 kB instead of 98, since there is one for each hour.
-- The rows of sources get route and domain. In those of a workspace the destination, of which every link
-- has its own, is apart, so that it does not multiply them.
--
-- Stored rows get their projections in the background, and are read click by click until then. Each
-- statement may run again after a crash.

alter table clicks
  drop projection if exists sources
settings mutations_sync = 1;

alter table clicks
  add projection if not exists sources (
    select workspace_id, link_id, kind, toDate(at),
      referrer, trigger, destination, route, domain_id, count()
    group by workspace_id, link_id, kind, toDate(at),
      referrer, trigger, destination, route, domain_id
  ),
  add projection if not exists workspace_visits (
    select workspace_id, kind, toDate(at), count(), uniqCombined64State(14)(visitor)
    group by workspace_id, kind, toDate(at)
  ),
  add projection if not exists workspace_hours (
    select workspace_id, kind, toStartOfHour(at), count(), uniqCombined64State(14)(visitor)
    group by workspace_id, kind, toStartOfHour(at)
  ),
  add projection if not exists workspace_places (
    select workspace_id, kind, toDate(at), country, region, city, continent, count()
    group by workspace_id, kind, toDate(at), country, region, city, continent
  ),
  add projection if not exists workspace_agents (
    select workspace_id, kind, toDate(at), device, browser, os, count()
    group by workspace_id, kind, toDate(at), device, browser, os
  ),
  add projection if not exists workspace_sources (
    select workspace_id, kind, toDate(at), referrer, trigger, route, domain_id, count()
    group by workspace_id, kind, toDate(at), referrer, trigger, route, domain_id
  ),
  add projection if not exists workspace_campaigns (
    select workspace_id, kind, toDate(at),
      language, utm_source, utm_medium, utm_campaign, utm_term, utm_content, count()
    group by workspace_id, kind, toDate(at),
      language, utm_source, utm_medium, utm_campaign, utm_term, utm_content
  ),
  add projection if not exists workspace_destinations (
    select workspace_id, kind, toDate(at), destination, count()
    group by workspace_id, kind, toDate(at), destination
  );

alter table clicks
  materialize projection sources,
  materialize projection workspace_visits,
  materialize projection workspace_hours,
  materialize projection workspace_places,
  materialize projection workspace_agents,
  materialize projection workspace_sources,
  materialize projection workspace_campaigns,
  materialize projection workspace_destinations;
