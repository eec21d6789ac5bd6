-- An address that is asked to join a workspace. The states are drawn in the program, at the head of
-- src/services/invitations/invitations.ts; `expired` is a pending one whose time is over.
create table invitations (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  email text not null,
  -- The address as it is compared, like users.email_key.
  email_key text not null,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected', 'canceled')),
  -- SHA-256; the token itself is in the mail alone.
  token_hash bytea not null unique,
  -- Null when the account is gone.
  invited_by text references users on delete set null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- One open invitation per address and workspace: inviting again renews it.
create unique index invitations_pending on invitations (workspace_id, email_key) where status = 'pending';
create index invitations_by_workspace on invitations (workspace_id, created_at desc, id desc);
create index invitations_by_address on invitations (email_key) where status = 'pending';
select wall_off('invitations');
