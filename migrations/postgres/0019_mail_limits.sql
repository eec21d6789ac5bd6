-- Failure mails of webhook endpoints: what they say of the last attempt, and how many were sent.

alter table webhook_endpoint_stats
  -- Status of the answer to the last attempt that failed; null when no answer came.
  add column last_failure_status integer,
  -- Why no answer came, a word of the vocabulary of errors; null when one came.
  add column last_failure_error text;

-- One row per mail, kept for a day: the limits per recipient and per workspace count these rows, so
-- that they hold across processes and restarts.
create table webhook_failure_mails (
  workspace_id text not null,
  user_id text not null,
  sent_at timestamptz not null
);
create index webhook_failure_mails_by_workspace on webhook_failure_mails (workspace_id);
create index webhook_failure_mails_by_recipient on webhook_failure_mails (user_id, sent_at);
create index webhook_failure_mails_by_time on webhook_failure_mails (sent_at);
select wall_off('webhook_failure_mails');
