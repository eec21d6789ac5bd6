-- What workspaces use of their limits, and the subscriptions that stand behind their plans.

-- What a workspace has used of each limit. `period` is 'YYYY-MM' for monthly limits, '' for standing ones. The monthly
-- use of a workspace without a limit is the sum of several rows, so that parallel writes do not wait for each other;
-- under a limit only row 0 grows, and its lock makes the limit exact.
create table usage_counters (
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  period text not null,
  used bigint not null check (used >= 0),
  shard smallint not null default 0,
  primary key (workspace_id, name, period, shard)
);
select wall_off('usage_counters');

-- The last batch of counted API calls that each process has added to usage_counters: a batch whose answer was lost is
-- sent again, and is not added twice.
create table usage_batches (
  process_id text primary key,
  sequence bigint not null,
  added_at timestamptz not null
);
alter table usage_batches enable row level security;
alter table usage_batches force row level security;
create policy every_workspace on usage_batches to signpost_worker using (true) with check (true);

-- What stands behind the plan of a workspace, for those that have more than the plan.
create table subscriptions (
  workspace_id text primary key references workspaces on delete cascade,
  status text not null check (status in ('active', 'trialing', 'past_due', 'canceled')),
  current_period_start timestamptz,
  current_period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  -- Whose it is at the billing provider; null: set by the operator alone.
  provider text,
  customer_id text,
  subscription_id text,
  -- When it was made there: a later one replaces an earlier one.
  subscribed_at timestamptz,
  updated_at timestamptz not null
);
create unique index subscriptions_by_provider on subscriptions (provider, subscription_id);
select wall_off('subscriptions');

-- Subscriptions at a billing provider that are to be ended there, because their workspace was deleted. No column is
-- called workspace_id: the row outlives its workspace.
create table subscription_ends (
  provider text not null,
  subscription_id text not null,
  -- The id that the workspace had, for the log.
  workspace text not null,
  requested_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  -- Null: it may still cost somebody money.
  ended_at timestamptz,
  primary key (provider, subscription_id)
);
create index subscription_ends_due on subscription_ends (next_attempt_at) where ended_at is null;
alter table subscription_ends enable row level security;
alter table subscription_ends force row level security;
create policy every_workspace on subscription_ends to signpost_worker using (true) with check (true);

-- Events of the billing provider that were acted upon: none acts twice.
create table billing_events (
  provider text not null,
  id text not null,
  received_at timestamptz not null,
  primary key (provider, id)
);
create index billing_events_by_time on billing_events (received_at);
alter table billing_events enable row level security;
alter table billing_events force row level security;
create policy every_workspace on billing_events to signpost_worker using (true) with check (true);
