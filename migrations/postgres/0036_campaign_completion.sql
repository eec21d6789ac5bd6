-- A campaign may be completed, made active again and completed again; its event is published once.
alter table campaigns add column is_completion_published boolean not null default false;

-- Only running campaigns are completed by their end. `completed_at` is null again for one that was reopened.
drop index campaigns_to_complete;
create index campaigns_to_complete on campaigns (ends_at)
  where status in ('active', 'paused') and ends_at is not null;
