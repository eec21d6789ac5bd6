-- Answers to requests with an Idempotency-Key, kept for 24 hours: one row exists exactly when the write of its
-- request was committed, since both are one transaction.

create table idempotency_keys (
  -- Digest of workspace, route and key.
  id text primary key,
  workspace_id text not null,
  -- AES-256-GCM, bound to this row: the answer, and a digest of the request.
  answer_sealed bytea not null,
  created_at timestamptz not null
);
create index idempotency_keys_of_workspace on idempotency_keys (workspace_id);
create index idempotency_keys_by_time on idempotency_keys (created_at);
select wall_off('idempotency_keys');
