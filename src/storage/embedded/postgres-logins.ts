import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REQUEST_ROLE, WORKER_ROLE } from '../roles.ts'
import { readUserName } from './postgres-user.ts'

/**
 * Roles of the embedded PostgreSQL:
 *
 *   signpost         the superuser that initdb makes. No rule admits it: it acts only in single-user
 *                    mode, before the server starts.
 *   signpost_owner   the login of every connection. It owns the database and its objects, and may
 *                    become signpost_request and signpost_worker and no other role.
 */
export const SUPERUSER = 'signpost'
export const DATABASE = 'signpost'
export const LOGIN = 'signpost_owner'

/** In the data directory, once its login and the ownership are as this program expects them. */
export const LOGINS_MARK = 'signpost-logins'

/** Condition for an object of the superuser that belongs neither to PostgreSQL nor to an extension. */
function ownedBy(owner: string, namespace: string, catalog: string, oid: string): string {
  return `${owner} = 10
      and ${namespace}::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')
      and not exists (
        select from pg_depend d
        where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`
}

/**
 * One statement, and therefore one transaction, for the superuser: makes the login and gives it the
 * database with all objects. Can be repeated. `reassign owned` refuses for the role that initdb made.
 * Sequences of columns, indexes and row types follow their tables.
 */
export const MAKE_LOGIN = `do $$
declare
  wanted text;
  command text;
begin
  foreach wanted in array array['${LOGIN}', '${REQUEST_ROLE}', '${WORKER_ROLE}'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I', wanted);
    end if;
  end loop;
  alter role ${LOGIN} login inherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
  grant ${REQUEST_ROLE}, ${WORKER_ROLE} to ${LOGIN};
  alter database ${DATABASE} owner to ${LOGIN};
  for command in
    select format('alter schema %I owner to ${LOGIN}', nspname) from pg_namespace
    where nspowner = 10 and nspname <> 'information_schema' and nspname !~ '^pg_'
    union all
    select format('alter table %s owner to ${LOGIN}', c.oid::regclass) from pg_class c
    where relkind in ('r', 'p', 'v', 'm', 'f') and ${ownedBy('relowner', 'relnamespace', 'pg_class', 'c.oid')}
    union all
    select format('alter sequence %s owner to ${LOGIN}', c.oid::regclass) from pg_class c
    where relkind = 'S' and ${ownedBy('relowner', 'relnamespace', 'pg_class', 'c.oid')}
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to ${LOGIN}', p.oid::regprocedure) from pg_proc p
    where ${ownedBy('proowner', 'pronamespace', 'pg_proc', 'p.oid')}
    union all
    select format('alter type %s owner to ${LOGIN}', t.oid::regtype) from pg_type t
    left join pg_class c on c.oid = t.typrelid
    where (typtype in ('d', 'e', 'r') or (typtype = 'c' and c.relkind = 'c'))
      and ${ownedBy('typowner', 'typnamespace', 'pg_type', 't.oid')}
  loop
    execute command;
  end loop;
end $$`

/** Address of the server whose socket is in `socketDir`. */
export function loginUrl(socketDir: string, port: number): string {
  return `postgres://${LOGIN}@localhost:${port}/${DATABASE}?host=${encodeURIComponent(socketDir)}`
}

/**
 * Writes the rules of who may connect: the operating system's user that runs the program, and root,
 * as the kernel names them, as the login and to its database alone. The files are in the program's
 * directory, not in PostgreSQL's, where a program of root could be led to write through a link.
 */
export function writeRules(runtimeDir: string): { hba_file: string; ident_file: string } {
  const hba_file = join(runtimeDir, 'pg_hba.conf')
  const ident_file = join(runtimeDir, 'pg_ident.conf')
  writeFileSync(hba_file, `local ${DATABASE} ${LOGIN} peer map=signpost\n`, { mode: 0o644 })
  const names = new Set([readUserName(), 'root'])
  const rules = [...names].map((name) => `signpost "${name}" ${LOGIN}\n`)
  writeFileSync(ident_file, rules.join(''), { mode: 0o644 })
  return { hba_file, ident_file }
}
