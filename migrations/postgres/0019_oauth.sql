-- Where the user allowed the app that holds the key: the host it returned to, or `device`. Null: made in the settings.
alter table api_keys add column app text;

-- Apps that ask for a key and wait for a user to answer. Strangers write them, so their number is bounded.
create table oauth_requests (
  -- In the address of the page that asks the user; of a device the code that the user types.
  id text primary key,
  client_id text not null,
  app_name text not null,
  scopes text[] not null,
  -- Null for a device, as are the two after it.
  redirect_uri text,
  code_challenge text,
  state text,
  -- SHA-256 of what the device waits with.
  device_hash bytea unique,
  expires_at timestamptz not null
);
create index oauth_requests_by_expiry on oauth_requests (expires_at);

-- What an allowed app shows to get its key, and to prolong it.
create table oauth_grants (
  key_id text primary key references api_keys on delete cascade,
  client_id text not null,
  redirect_uri text,
  code_challenge text,
  -- SHA-256 of the code of the app or of the device.
  code_hash bytea not null unique,
  -- SHA-256 of the part that all refresh tokens of the grant share; null until the code was used.
  family_hash bytea unique,
  -- SHA-256 of the newest refresh token.
  refresh_hash bytea,
  refreshed_at timestamptz,
  -- When the code, or the newest refresh token, ends; the key is deleted then.
  expires_at timestamptz not null
);
create index oauth_grants_by_expiry on oauth_grants (expires_at);

do $$
declare
  walled text;
begin
  foreach walled in array array['oauth_requests', 'oauth_grants']
  loop
    execute format('alter table %I enable row level security', walled);
    execute format('alter table %I force row level security', walled);
    execute format('create policy every_workspace on %I to signpost_worker using (true) with check (true)', walled);
  end loop;
end
$$;
