-- Two ways in which an endpoint changes by itself: the end of a secret's overlap, and a pause after long failure.

alter table webhook_endpoints
  -- The secret before the last rotation, sealed as secret_sealed is; deliveries are signed with both
  -- until previous_secret_until, and then it is deleted.
  add column previous_secret_sealed bytea,
  add column previous_secret_until timestamptz,
  -- Opt-in: hours of failures only after which the endpoint is paused; null: never.
  add column disable_after_hours smallint check (disable_after_hours between 1 and 720),
  add constraint webhook_endpoints_overlap
    check ((previous_secret_sealed is null) = (previous_secret_until is null));
create index webhook_endpoints_by_overlap on webhook_endpoints (previous_secret_until)
  where previous_secret_until is not null;
create index webhook_endpoints_disabling on webhook_endpoints (id)
  where disable_after_hours is not null and status = 'active';

alter table webhook_endpoint_stats
  -- The first failure since the last success or the last resumption; null without one.
  add column failing_since timestamptz,
  -- When the endpoint was paused for failing; null after it was resumed or paused by hand.
  add column auto_paused_at timestamptz;
update webhook_endpoint_stats set failing_since = last_failure_at where failure_count > 0;
create index webhook_endpoint_stats_auto_paused on webhook_endpoint_stats (auto_paused_at)
  where auto_paused_at is not null;
