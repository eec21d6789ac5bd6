-- Operators, who manage the server in the dashboard, and when each sweep last succeeded, for its page of health.

-- Set by the command line alone.
alter table users add column is_operator boolean not null default false;

-- By the clock of this database; null until the first run succeeds.
alter table sweep_leases add column succeeded_at timestamptz;
