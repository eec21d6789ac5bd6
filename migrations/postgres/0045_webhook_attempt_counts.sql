-- Attempts of an endpoint by hour, outcome and time of the answer, as differences that only ever are added, like
-- webhook_tallies; a chore folds the rows, and deletes those older than a day.
create table webhook_attempt_counts (
  workspace_id text not null,
  endpoint_id text not null,
  hour timestamptz not null,
  is_success boolean not null,
  -- The place of the response time among the bounds of src/delivery/attempt-counts.ts; null without an answer.
  bucket smallint,
  n bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index webhook_attempt_counts_by_endpoint on webhook_attempt_counts (endpoint_id, hour);
select wall_off('webhook_attempt_counts');
