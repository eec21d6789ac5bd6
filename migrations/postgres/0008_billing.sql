-- Subscriptions: what stands behind the plan of a workspace, for those that have more than the plan.

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

-- The last batch of counted API calls that each process has added to usage_counters: a batch whose
-- answer was lost is sent again, and is not added twice.
create table usage_batches (
  process_id text primary key,
  sequence bigint not null,
  added_at timestamptz not null
);
alter table usage_batches enable row level security;
alter table usage_batches force row level security;
create policy every_workspace on usage_batches to signpost_worker using (true) with check (true);
