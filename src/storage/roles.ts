import { OperatorError } from '../base/errors.ts'
import { sleep } from '../base/service.ts'
import type { Sql, Tx } from './postgres.ts'

/**
 * The two roles that Signpost acts as, whoever connects. Neither owns a table nor is a superuser,
 * so row-level security binds both:
 *
 *   signpost_request   answers API requests; sees one workspace at a time (`inWorkspace`)
 *   signpost_worker    edge, shipper, delivery and sign-in, which serve all workspaces; sees every row
 *
 * They cannot log in: the role of DATABASE_URL connects and steps into them.
 */
export const REQUEST_ROLE = 'signpost_request'
export const WORKER_ROLE = 'signpost_worker'

/** duplicate_object, unique_violation: another process makes them at the same moment. */
const COLLISIONS = new Set(['42710', '23505', 'XX000'])
const ATTEMPTS = 5
const RETRY_MS = 100
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Makes the roles and lets the connecting role step into them; does nothing when all is there.
 * @throws OperatorError with the statements an administrator can run instead
 */
export async function makeRoles(sql: Sql): Promise<void> {
  // Roles belong to the whole server: somebody else's attempt may be under way, uncommitted.
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    if (await areRolesUsable(sql)) return
    for (const role of [REQUEST_ROLE, WORKER_ROLE]) {
      await attempt(sql, `create role ${role} nologin`)
      await attempt(sql, `grant ${role} to current_user`)
    }
    if (attempts > 0) await sleep(RETRY_MS)
  }
  if (await areRolesUsable(sql)) return
  const [row] = await sql<{ name: string }[]>`select current_user as name`
  throw new OperatorError(
    `The PostgreSQL role ${row!.name} of DATABASE_URL may not make the roles ${REQUEST_ROLE} and ${WORKER_ROLE}; let an administrator run "create role ${REQUEST_ROLE} nologin; create role ${WORKER_ROLE} nologin; grant ${REQUEST_ROLE}, ${WORKER_ROLE} to ${row!.name};" once.`,
  )
}

/**
 * Tables come and go with migrations, so what the roles may do is granted anew after them. A
 * migration takes some of it away again in the function `narrow_grants`, which runs each time.
 */
export async function grantTables(tx: Tx): Promise<void> {
  await tx.unsafe(`
    grant usage on schema public to ${REQUEST_ROLE}, ${WORKER_ROLE};
    grant select, insert, update, delete on all tables in schema public to ${REQUEST_ROLE}, ${WORKER_ROLE};
    grant usage on all sequences in schema public to ${REQUEST_ROLE}, ${WORKER_ROLE};
    grant execute on all functions in schema public to ${REQUEST_ROLE}, ${WORKER_ROLE};
    revoke insert, update, delete on migrations from ${REQUEST_ROLE}, ${WORKER_ROLE};
    do $$ begin
      if to_regclass('installation') is not null then
        revoke all on installation from ${REQUEST_ROLE}, ${WORKER_ROLE};
      end if;
      if to_regprocedure('narrow_grants()') is not null then perform narrow_grants(); end if;
    end $$;`)
}

async function areRolesUsable(sql: Sql): Promise<boolean> {
  const rows = await sql<{ isMember: boolean }[]>`
    select pg_has_role(current_user, oid, 'member') as is_member
    from pg_roles where rolname in (${REQUEST_ROLE}, ${WORKER_ROLE})`
  return rows.length === 2 && rows.every((row) => row.isMember)
}

async function attempt(sql: Sql, statement: string): Promise<void> {
  try {
    await sql.unsafe(statement)
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (!COLLISIONS.has(code) && code !== INSUFFICIENT_PRIVILEGE) throw error
  }
}
