-- A write of one link costs few statements, and waits for no other write of its workspace.

-- Changed links, which every edge reads some times a second and forgets (src/edge/link-changes.ts). A
-- reader asks for the rows that its last snapshot did not see, since transactions commit in another
-- order than they begin. Deleted by the edges after some minutes.
create table link_changes (
  xact xid8 not null default pg_current_xact_id(),
  -- `<domain id, or empty>\n<slug key>`, or `*<workspace id>` for all links of a workspace.
  key text not null,
  changed_at timestamptz not null default now()
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index link_changes_by_xact on link_changes (xact);
alter table link_changes enable row level security;
alter table link_changes force row level security;
create policy every_workspace on link_changes to signpost_worker using (true) with check (true);
create policy written_by_requests on link_changes for insert to signpost_request with check (true);

-- The monthly use of a workspace without a limit is the sum of several rows, so that parallel writes do
-- not wait for each other; under a limit only row 0 grows, and its lock makes the limit exact.
alter table usage_counters add column shard smallint not null default 0;
alter table usage_counters drop constraint usage_counters_pkey;
alter table usage_counters add primary key (workspace_id, name, period, shard);

-- Audit rows enter the chain of their workspace after their transaction, some at once, so that no
-- write waits for the head of the chain. Until then a row is in audit_pending, which its insert fills.
create table audit_pending (
  workspace_id text not null references workspaces on delete cascade,
  -- The order in the chain.
  n bigint generated always as identity,
  row_id text not null,
  primary key (workspace_id, n)
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
select wall_off('audit_pending');

drop trigger chain_audit_row on audit_log;
drop function chain_audit_row();

create or replace function prepare_audit_row() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.actor_type = 'user' then
    select name, email into new.actor_name, new.actor_email from users where id = new.actor_id;
  elsif new.actor_type = 'api_key' then
    select k.name, u.email into new.actor_name, new.actor_email
      from api_keys k left join users u on u.id = k.user_id
      where k.id = new.actor_id and k.workspace_id = new.workspace_id;
  end if;
  insert into audit_pending (row_id, workspace_id) values (new.id, new.workspace_id);
  return new;
end
$$;

-- Puts pending rows into the chain of their workspace, in the order of their inserts, at most `at_most`.
-- The lock of the head decides between two calls. Returns the number of rows.
create function chain_audit_rows(chained_workspace text, at_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_heads;
  entry audit_log;
  next_hash bytea;
  chained integer := 0;
begin
  if not exists (select from audit_pending where workspace_id = chained_workspace) then
    return 0;
  end if;
  -- A deletion of the workspace, which locks its row first, takes the rows with it.
  perform from workspaces where id = chained_workspace for key share skip locked;
  if not found then
    return 0;
  end if;
  select * into head from audit_heads where workspace_id = chained_workspace for update;
  if not found then
    return 0;
  end if;
  for entry in
    with taken as (
      delete from audit_pending where workspace_id = chained_workspace and n in (
        select n from audit_pending where workspace_id = chained_workspace
        order by n limit at_most for update skip locked)
      returning n, row_id
    )
    select a.* from audit_log a join taken on taken.row_id = a.id order by taken.n
  loop
    next_hash := sha256(head.hash
      || convert_to(audit_field((head.position + 1)::text) || audit_text(entry), 'UTF8'));
    insert into audit_chain (workspace_id, position, row_id, prev_hash, hash)
      values (chained_workspace, head.position + 1, entry.id, head.hash, next_hash);
    head.position := head.position + 1;
    head.hash := next_hash;
    chained := chained + 1;
  end loop;
  if chained > 0 then
    update audit_heads set position = head.position, hash = head.hash
      where workspace_id = chained_workspace;
  end if;
  return chained;
end
$$;

-- Of every workspace, at most `workspaces` of them at once.
create function chain_pending_audit_rows(workspaces integer, at_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  select coalesce(sum(chain_audit_rows(workspace_id, at_most)), 0)::integer from (
    select distinct workspace_id from audit_pending order by workspace_id limit workspaces
  ) as w
$$;

-- For a request: of its own workspace alone.
create function chain_own_audit_rows(at_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  select chain_audit_rows(current_setting('signpost.workspace_id', true), at_most)
$$;
