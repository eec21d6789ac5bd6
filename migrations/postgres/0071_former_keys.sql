-- Keys that a former SECRET_KEY derived and that stored data still depends on (src/storage/former-keys.ts),
-- sealed with the present one.
create table former_keys (
  -- The purpose and a digest of the former key, so that a repeated rotation adds none twice.
  id text primary key,
  purpose text not null,
  key_sealed bytea not null,
  -- When a newer key took its place: data from before depends on this one.
  retired_at timestamptz not null,
  created_at timestamptz not null default now()
);
