-- Deferred deep links: an app that is opened for the first time asks which click led to its installation.

-- Keys of fingerprints, one for each workspace and UTC day. A key is deleted after two days, and then no fingerprint of
-- its day can be linked to an address (src/facts/deep-link-fingerprint.ts).
create table deep_link_keys (
  workspace_id text not null references workspaces on delete cascade,
  day date not null,
  salt bytea not null,
  -- Clicks of the day with a fingerprint, also those beyond the bound, which are not stored.
  clicks int not null default 0,
  primary key (workspace_id, day)
);
create index deep_link_keys_by_age on deep_link_keys (day);
select wall_off('deep_link_keys');

-- Clicks that led a phone to an app or its store, for as long as the key of their day.
create table deep_link_clicks (
  workspace_id text not null,
  click_id text collate "C" not null,
  link_id text not null,
  clicked_at timestamptz not null,
  -- `ios` or `android`.
  platform text not null,
  language text not null,
  -- Of the address, and of the user agent.
  fingerprint bytea not null,
  agent bytea not null,
  primary key (workspace_id, click_id)
);
create index deep_link_clicks_by_fingerprint on deep_link_clicks (workspace_id, fingerprint);
create index deep_link_clicks_by_age on deep_link_clicks (clicked_at);
select wall_off('deep_link_clicks');

-- Clicks that have answered an app. A click answers one app.
create table deep_link_matches (
  workspace_id text not null,
  click_id text collate "C" not null,
  clicked_at timestamptz not null,
  primary key (workspace_id, click_id)
);
create index deep_link_matches_by_age on deep_link_matches (clicked_at);
select wall_off('deep_link_matches');
