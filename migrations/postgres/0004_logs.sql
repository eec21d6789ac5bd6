-- The security log and the audit log.

-- What concerns the safety of accounts: sign-ins, keys, secrets, members. Rows of a person that belong to no workspace
-- in particular (sign-ins) have no workspace_id.
create table security_log (
  id text primary key,
  workspace_id text references workspaces on delete cascade,
  -- The account it is about; null when an address has no account.
  user_id text references users on delete set null,
  type text not null,
  outcome text not null check (outcome in ('success', 'failure')),
  actor_type text not null check (actor_type in ('user', 'api_key', 'system', 'anonymous')),
  actor_id text,
  actor_name text,
  actor_email text,
  -- Never a secret.
  details json not null,
  ip_address text,
  user_agent text,
  country text,
  request_id text not null,
  created_at timestamptz not null
);
create index security_log_by_workspace on security_log (workspace_id, created_at desc, id desc);
create index security_log_by_user on security_log (user_id, created_at desc, id desc);
create index security_log_by_actor on security_log (actor_id, created_at desc, id desc);
alter table security_log enable row level security;
alter table security_log force row level security;
-- What concerns a person alone is seen by the workspaces they belong or belonged to, of the time of the membership.
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
create policy every_workspace on security_log to signpost_worker using (true) with check (true);

-- The audit log is append-only and a chain of hashes, one chain per workspace.
--
--   audit_log      what happened; its rows are inserted and never touched again
--   audit_pending  rows that are not in the chain yet
--   audit_chain    one entry per row: its place, the hash before it, its own hash
--   audit_heads    place and hash of the last entry, so that a cut-off end is missed too
--
-- Whoever may alter tables can rewrite all of them; what they cannot do is rewrite one unnoticed.

create table audit_log (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  action text not null,
  actor_type text not null,
  actor_id text not null,
  target_type text not null,
  target_id text not null,
  target_name text,
  -- {field: {old, new}}; never a secret.
  changes json not null,
  ip_address text,
  user_agent text,
  request_id text not null,
  created_at timestamptz not null,
  -- Who it was, as they were called then.
  actor_name text,
  actor_email text
);
create index audit_log_by_workspace on audit_log (workspace_id, created_at desc, id desc);
-- Filters by actor and target; led by the id, which is also looked for across workspaces.
create index audit_log_by_actor on audit_log (actor_id, workspace_id, created_at desc, id desc);
create index audit_log_by_target on audit_log (target_id, workspace_id, created_at desc, id desc);
select wall_off('audit_log');

-- Rows enter the chain of their workspace after their transaction, some at once, so that no write waits for the head of
-- the chain.
create table audit_pending (
  workspace_id text not null references workspaces on delete cascade,
  -- The order in the chain.
  n bigint generated always as identity,
  row_id text not null,
  primary key (workspace_id, n)
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
select wall_off('audit_pending');

create table audit_chain (
  workspace_id text not null references workspaces on delete cascade,
  -- 1, 2, 3, … without a gap.
  position bigint not null,
  row_id text not null unique,
  prev_hash bytea not null,
  hash bytea not null,
  primary key (workspace_id, position)
);
select wall_off('audit_chain');

-- Made with its workspace, so that no two transactions ever make one while they wait for another.
create table audit_heads (
  workspace_id text primary key references workspaces on delete cascade,
  position bigint not null,
  hash bytea not null
) with (fillfactor = 70);
select wall_off('audit_heads');

create function make_audit_head() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_heads (workspace_id, position, hash)
    values (new.id, 0, decode(repeat('00', 32), 'hex'));
  return null;
end
$$;
create trigger make_audit_head after insert on workspaces
  for each row execute function make_audit_head();

-- Who acts is written down as they are called now, also when they have just left the workspace.
create function prepare_audit_row() returns trigger
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
create trigger prepare_audit_row before insert on audit_log
  for each row execute function prepare_audit_row();

-- A field as it is hashed: its length in bytes, a colon, its text; a dash for null. So no two rows have the same text.
-- src/services/audit-log/verify.ts says it a second time.
create function audit_field(value text) returns text
language sql stable as $$
  select coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-')
$$;

create function audit_text(entry audit_log) returns text
language sql stable as $$
  select 'v1'
    || audit_field(entry.id) || audit_field(entry.workspace_id) || audit_field(entry.action)
    || audit_field(entry.actor_type) || audit_field(entry.actor_id)
    || audit_field(entry.actor_name) || audit_field(entry.actor_email)
    || audit_field(entry.target_type) || audit_field(entry.target_id) || audit_field(entry.target_name)
    || audit_field(entry.changes::text)
    || audit_field(entry.ip_address) || audit_field(entry.user_agent) || audit_field(entry.request_id)
    || audit_field(to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
$$;

-- Puts pending rows into the chain of their workspace, in the order of their inserts, at most `at_most`. The lock of
-- the head decides between two calls. Returns the number of rows.
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

-- What a statement of a client may not do to a table, whoever sends it; what triggers and cascades do is let through.
-- Entries and heads the two roles may not even make (src/storage/roles.ts).
create function refuse_change() returns trigger
language plpgsql as $$
begin
  if pg_trigger_depth() > 1 then
    if tg_op = 'DELETE' then
      return old;
    end if;
    return new;
  end if;
  raise exception 'rows of % are written once, by the program''s own rules', tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;
create trigger append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger append_only before update or delete on audit_chain
  for each row execute function refuse_change();
create trigger append_only before delete on audit_heads
  for each row execute function refuse_change();
create trigger no_truncate before truncate on audit_log
  for each statement execute function refuse_change();
create trigger no_truncate before truncate on audit_chain
  for each statement execute function refuse_change();
create trigger no_truncate before truncate on audit_heads
  for each statement execute function refuse_change();

-- Whether an id that a filter names is a person, key or resource of other workspaces alone, so that it is refused as
-- FORBIDDEN where an unknown one matches nothing (spec, Authentication 7).
create function is_foreign(own_workspace text, named text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select not (
      named = own_workspace
      or exists (select from members where workspace_id = own_workspace and user_id = named)
      or exists (select from api_keys where workspace_id = own_workspace and id = named)
      or exists (select from audit_log where actor_id = named and workspace_id = own_workspace)
      or exists (select from audit_log where target_id = named and workspace_id = own_workspace)
      or exists (select from security_log where actor_id = named and workspace_id = own_workspace)
      or exists (select from security_log where user_id = named and workspace_id = own_workspace)
    ) and (
      exists (select from users where id = named)
      or exists (select from workspaces where id = named)
      or exists (select from api_keys where id = named)
      or exists (select from audit_log where target_id = named)
      or exists (select from audit_log where actor_id = named and actor_type <> 'system')
    )
$$;
