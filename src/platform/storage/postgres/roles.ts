import { OperatorError } from '../../core/errors.ts'
import { sleep } from '../../core/service.ts'
import type { Sql, Tx } from './postgres.ts'

/**
 * Neither role owns a table nor is a superuser, so row-level security binds both. The request role sees one workspace
 * at a time; the worker role serves all workspaces. They cannot log in: the role of DATABASE_URL becomes one of them.
 */
export const REQUEST_ROLE = 'signpost_request'
export const WORKER_ROLE = 'signpost_worker'

type Rights = { readonly [REQUEST_ROLE]?: string; readonly [WORKER_ROLE]?: string }

const USUAL_RIGHTS = 'select, insert, update, delete'
const APPEND_ONLY = 'select, insert'

/** Exceptions from `USUAL_RIGHTS` for both roles, but none for `signpost_request` on a table without a policy for it. */
const TABLE_RIGHTS: Readonly<Record<string, Rights>> = {
  migrations: { [WORKER_ROLE]: 'select' },
  installation: { [WORKER_ROLE]: '' },
  audit_log: { [REQUEST_ROLE]: APPEND_ONLY, [WORKER_ROLE]: APPEND_ONLY },
  audit_pending: { [REQUEST_ROLE]: 'select', [WORKER_ROLE]: 'select' },
  audit_chain: { [REQUEST_ROLE]: 'select', [WORKER_ROLE]: 'select' },
  audit_heads: { [REQUEST_ROLE]: 'select', [WORKER_ROLE]: 'select' },
  // The worker deletes rows by age and by workspace.
  security_log: { [REQUEST_ROLE]: APPEND_ONLY },
  visitor_salts: { [REQUEST_ROLE]: '' },
  deep_link_keys: { [REQUEST_ROLE]: '' },
  deep_link_clicks: { [REQUEST_ROLE]: 'select' },
  deep_link_matches: { [REQUEST_ROLE]: APPEND_ONLY },
  link_quotas: {
    [REQUEST_ROLE]:
      'select, insert (link_id, workspace_id, max_clicks), update (max_clicks), delete',
  },
  link_changes: { [REQUEST_ROLE]: 'insert' },
  // What fellow members may see, so not the hash of a password.
  users: { [REQUEST_ROLE]: 'select (id, name, email, email_key, created_at)' },
  // Fellow members may see that there is a second factor, but not its key.
  two_factor: { [REQUEST_ROLE]: 'select (user_id, confirmed_at)' },
  // The operator sets plan, suspension and limits; sign-in makes and deletes workspaces.
  workspaces: {
    [REQUEST_ROLE]:
      'select, update (name, honors_privacy_signals, timezone, brand_color, logo_media_id, updated_at)',
  },
  subscriptions: { [REQUEST_ROLE]: 'select' },
  // Without the address of the reporter.
  abuse_reports: {
    [REQUEST_ROLE]:
      'select (id, url, reason, details, workspace_id, link_id, created_at, resolved_at)',
  },
  blocks: { [REQUEST_ROLE]: 'select (kind, value, lifted_at)' },
  link_blocks: { [REQUEST_ROLE]: 'select' },
  // The worker folds clicks; answers read which months are folded.
  click_folds: { [REQUEST_ROLE]: 'select' },
}

/** Functions that run as the owner of the tables, and those for migrations and triggers. */
const FUNCTION_CALLERS: Readonly<Record<string, readonly string[]>> = {
  'make_day_partitions(date, date)': [WORKER_ROLE],
  'drop_day_partitions(date)': [WORKER_ROLE],
  'wall_off(regclass, text)': [],
  'make_audit_head()': [],
  'chain_audit_rows(text, integer)': [],
  'chain_pending_audit_rows(integer, integer)': [WORKER_ROLE],
  'chain_own_audit_rows(integer)': [REQUEST_ROLE],
  'prepare_audit_row()': [],
  'refuse_change()': [],
  'announce_person()': [],
  'announce_workspace()': [],
  'copy_link_ranks(integer)': [WORKER_ROLE],
  'is_host_held(text)': [REQUEST_ROLE, WORKER_ROLE],
}

const COLLISIONS = new Set(['42710', '23505', 'XX000'])
const ATTEMPTS = 5
const RETRY_MS = 100
const REFUSALS = new Set(['42501', '42704'])

export async function makeRoles(sql: Sql): Promise<void> {
  // Roles are server-wide: another process may be making them, uncommitted.
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    if (await areRolesUsable(sql)) return
    for (const role of [REQUEST_ROLE, WORKER_ROLE]) {
      await attempt(sql, `create role ${role} nologin`)
      await attempt(sql, `grant ${role} to current_user`)
    }
    if (attempts > 0) await sleep(RETRY_MS)
  }
  if (await areRolesUsable(sql)) return
  throw await refusal(sql)
}

async function refusal(sql: Sql): Promise<OperatorError> {
  const [row] = await sql<{ name: string; present: string[] }[]>`
    select quote_ident(current_user) as name, array(
      select rolname::text from pg_roles where rolname in (${REQUEST_ROLE}, ${WORKER_ROLE})) as present`
  const { name, present } = row!
  const missing = [REQUEST_ROLE, WORKER_ROLE].filter((role) => !present.includes(role))
  const statements = [
    ...missing.map((role) => `create role ${role} nologin;`),
    `grant ${REQUEST_ROLE}, ${WORKER_ROLE} to ${name};`,
  ].join(' ')
  return new OperatorError(
    `The PostgreSQL role ${name} of DATABASE_URL may not make the roles that Signpost works as; let a superuser run "${statements}" once, then start again (docs/operations.md).`,
  )
}

/** Runs in the transaction of each migration, so tables, columns and functions may not exist yet. */
export async function grantTables(tx: Tx): Promise<void> {
  const both = `${REQUEST_ROLE}, ${WORKER_ROLE}`
  const tables = await tx<{ name: string; hasPolicy: boolean; columns: string[] }[]>`
    select relname as name, exists (
      select from pg_policy p
      where p.polrelid = c.oid and ${REQUEST_ROLE}::regrole = any (p.polroles)) as has_policy,
      array(select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
    from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`
  const functions = await tx<{ name: string }[]>`
    select name from unnest(${Object.keys(FUNCTION_CALLERS)}::text[]) as name
    where to_regprocedure(name) is not null`
  const statements = [
    `grant usage on schema public to ${both}`,
    `grant ${USUAL_RIGHTS} on all tables in schema public to ${both}`,
    `grant usage on all sequences in schema public to ${both}`,
    `grant execute on all functions in schema public to ${both}`,
    ...tables.flatMap(({ name, hasPolicy, columns }) => {
      const rights = { ...(!hasPolicy && { [REQUEST_ROLE]: '' }), ...TABLE_RIGHTS[name] }
      return Object.entries(rights).flatMap(([role, list]) => [
        `revoke all on "${name}" from ${role}`,
        ...(list ? [`grant ${withKnown(list, columns)} on "${name}" to ${role}`] : []),
      ])
    }),
    ...functions.flatMap(({ name }) => [
      `revoke execute on function ${name} from public, ${both}`,
      ...FUNCTION_CALLERS[name]!.map((role) => `grant execute on function ${name} to ${role}`),
    ]),
  ]
  await tx.unsafe(statements.join(';\n'))
}

function withKnown(list: string, columns: readonly string[]): string {
  return list.replace(/\(([^)]+)\)/g, (_, names: string) => {
    const known = names.split(', ').filter((name) => columns.includes(name))
    return `(${known.join(', ')})`
  })
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
    if (!COLLISIONS.has(code) && !REFUSALS.has(code)) throw error
  }
}
