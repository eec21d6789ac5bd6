-- The audit log becomes append-only and a chain of hashes, one chain per workspace.
--
--   audit_log     what happened; its rows are inserted and never touched again
--   audit_chain   one entry per row, made at commit: its place, the hash before it, its own hash
--   audit_heads   place and hash of the last entry, so that a cut-off end is missed too
--
-- Whoever may alter tables can rewrite all three; what they cannot do is rewrite one unnoticed.

alter table audit_log
  -- Who it was, as they were called then.
  add column actor_name text,
  add column actor_email text;

create table audit_chain (
  workspace_id text not null references workspaces on delete cascade,
  -- 1, 2, 3, … without a gap, in the order of the commits.
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
insert into audit_heads (workspace_id, position, hash)
  select id, 0, decode(repeat('00', 32), 'hex') from workspaces;

-- Filters by actor and target; led by the id, which is also looked for across workspaces.
create index audit_log_by_actor on audit_log (actor_id, workspace_id, created_at desc, id desc);
create index audit_log_by_target on audit_log (target_id, workspace_id, created_at desc, id desc);

-- A field as it is hashed: its length in bytes, a colon, its text; a dash for null. So no two rows
-- have the same text. src/services/audit-log/verify.ts says it a second time.
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

-- At commit, so that the head's lock is the last one its transaction takes and no lock order can
-- cross it. One that writes into several workspaces takes their heads in the order of their ids.
create function chain_audit_row() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  audited text[] := string_to_array(
    coalesce(nullif(current_setting('signpost.audited', true), ''), new.workspace_id), ' ');
  entry audit_log;
  head audit_heads;
  link bytea;
begin
  -- Read back: the workspace may have been deleted, its log with it, since the insert.
  select * into entry from audit_log where id = new.id;
  if not found then
    return null;
  end if;
  if cardinality(audited) > 1 then
    perform from audit_heads where workspace_id = any (audited) order by workspace_id for update;
  end if;
  select * into strict head from audit_heads where workspace_id = new.workspace_id for update;
  link := sha256(head.hash
    || convert_to(audit_field((head.position + 1)::text) || audit_text(entry), 'UTF8'));
  insert into audit_chain (workspace_id, position, row_id, prev_hash, hash)
    values (new.workspace_id, head.position + 1, new.id, head.hash, link);
  update audit_heads set position = head.position + 1, hash = link
    where workspace_id = new.workspace_id;
  return null;
end
$$;
create constraint trigger chain_audit_row after insert on audit_log
  deferrable initially deferred for each row execute function chain_audit_row();

-- Rows of before the chain are written anew, oldest first, and so pass the trigger.
with earlier as (delete from audit_log returning *)
insert into audit_log (id, workspace_id, action, actor_type, actor_id, actor_name, actor_email,
  target_type, target_id, target_name, changes, ip_address, user_agent, request_id, created_at)
select e.id, e.workspace_id, e.action, e.actor_type, e.actor_id, coalesce(u.name, k.name), u.email,
  e.target_type, e.target_id, e.target_name, e.changes, e.ip_address, e.user_agent, e.request_id,
  e.created_at
from earlier e
left join users u on e.actor_type = 'user' and u.id = e.actor_id
left join api_keys k on e.actor_type = 'api_key' and k.id = e.actor_id
order by e.created_at, e.id;
set constraints chain_audit_row immediate;
set constraints chain_audit_row deferred;

-- Before the insert: who acts is written down as they are called now, also when they have just left
-- the workspace, and the workspace is noted for the order of locks above.
create function prepare_audit_row() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  audited text := coalesce(current_setting('signpost.audited', true), '');
begin
  if new.actor_type = 'user' then
    select name, email into new.actor_name, new.actor_email from users where id = new.actor_id;
  elsif new.actor_type = 'api_key' then
    select k.name, u.email into new.actor_name, new.actor_email
      from api_keys k left join users u on u.id = k.user_id
      where k.id = new.actor_id and k.workspace_id = new.workspace_id;
  end if;
  if not new.workspace_id = any (string_to_array(audited, ' ')) then
    perform set_config('signpost.audited', ltrim(audited || ' ' || new.workspace_id), true);
  end if;
  return new;
end
$$;
create trigger prepare_audit_row before insert on audit_log
  for each row execute function prepare_audit_row();

-- What a statement of a client may not do to a table, whoever sends it; what triggers and cascades
-- do is let through. Entries and heads the two roles may not even make (narrow_grants).
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

-- Run after each migration has granted its tables (src/storage/roles.ts): what the roles may not do
-- although they may in general. A later migration that has more to take away replaces it.
create function narrow_grants() returns void
language plpgsql as $$
begin
  revoke update, delete, truncate on audit_log from signpost_request, signpost_worker;
  revoke insert, update, delete, truncate on audit_chain, audit_heads
    from signpost_request, signpost_worker;
end
$$;

-- Whether an id that a filter names is a person, key or resource of other workspaces alone, so that
-- it is refused as FORBIDDEN where an unknown one matches nothing (spec, Authentication 7).
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

-- The security log: what concerns a person alone is seen by the workspaces they belong to, from the
-- day they joined.
drop policy one_workspace on security_log;
create policy one_workspace on security_log to signpost_request
  using (
    workspace_id = current_setting('signpost.workspace_id', true)
    or (workspace_id is null and exists (
      select from members m
      where m.user_id = security_log.user_id and m.created_at <= security_log.created_at))
  )
  with check (workspace_id = current_setting('signpost.workspace_id', true));
create index security_log_by_actor on security_log (actor_id, created_at desc, id desc);
