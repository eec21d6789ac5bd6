-- What a user has chosen for every client: only the fields that are set (src/services/auth/preferences.ts).
alter table users add column preferences jsonb not null default '{}'
  check (jsonb_typeof(preferences) = 'object' and octet_length(preferences::text) <= 1024);

-- An IANA name. Members who have chosen no zone of their own see this one.
alter table workspaces add column timezone text not null default 'UTC'
  check (octet_length(timezone) between 1 and 64);

-- The last request of the member with a session in this workspace, exact to the minute.
alter table members add column last_active_at timestamptz;

-- Admins see which members sign in with a second factor; the request role reads no other column (roles.ts).
create policy fellow_members on two_factor for select to signpost_request
  using (exists (select from members m where m.user_id = two_factor.user_id));
