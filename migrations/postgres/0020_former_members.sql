-- Who belonged to a workspace, and when: the security log goes on showing what happened to their
-- accounts in that time. An account that is deleted takes its rows along.
create table former_members (
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  joined_at timestamptz not null,
  left_at timestamptz not null,
  primary key (workspace_id, user_id, joined_at)
);
create index former_members_by_user on former_members (user_id);
select wall_off('former_members');

-- Replaces the policy of 0007: what concerns a person alone is seen by the workspaces they belong or
-- belonged to, of the time of the membership.
drop policy one_workspace on security_log;
create policy one_workspace on security_log to signpost_request
  using (
    workspace_id = current_setting('signpost.workspace_id', true)
    or (workspace_id is null and (
      exists (
        select from members m
        where m.user_id = security_log.user_id and m.created_at <= security_log.created_at)
      or exists (
        select from former_members f
        where f.user_id = security_log.user_id
          and security_log.created_at between f.joined_at and f.left_at)))
  )
  with check (workspace_id = current_setting('signpost.workspace_id', true));
