import type { Sql } from '../../src/storage/postgres.ts'

/** Logs, and what counts or remembers requests as such: a refused request may change them. */
const NO_STATE = new Set([
  'audit_log',
  'audit_chain',
  'audit_heads',
  'audit_pending',
  // Of the worker.
  'click_folds',
  // Changed by the worker as well.
  'jobs',
  'job_chunks',
  // Written by every edge twice a second.
  'journal_reports',
  // Trimmed by age.
  'link_changes',
  // Copied from link_clicks after some seconds.
  'link_ranks',
  'link_rank_changes',
  'security_log',
  'usage_batches',
  'webhook_workers',
])
const VOLATILE: Record<string, string> = {
  api_keys: `- 'last_used_at' - 'last_used_ip'`,
  members: `- 'last_active_at'`,
  sessions: `- 'last_seen_at' - 'expires_at'`,
}
const LEFT_OUT: Record<string, string> = {
  usage_counters: `where name <> 'api_requests_monthly'`,
}

export type State = {
  /** One digest for each table. */
  tables: Record<string, string>
  audited: number
  noted: number
}

/** Reads all that the program has stored, as digests, and how long its two logs are. */
export async function createStateReader(sql: Sql): Promise<() => Promise<State>> {
  const names = await sql<{ name: string }[]>`
    select relname as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname`
  const digests = names
    .filter(({ name }) => !NO_STATE.has(name))
    .map(({ name }) => {
      const row = `md5((to_jsonb(r) ${VOLATILE[name] ?? ''})::text)`
      return `select '${name}' as name, md5(coalesce(string_agg(${row}, '' order by ${row}), '')) as digest
        from ${name} r ${LEFT_OUT[name] ?? ''}`
    })
    .join(' union all ')
  const counts = ['audit_log', 'security_log'].map(
    (name) => `select '${name}' as name, count(*)::text as digest from ${name}`,
  )
  const statement = [digests, ...counts].join(' union all ')
  return async () => {
    // Prepared, since planning it takes longer than running it.
    const rows = await sql.unsafe<{ name: string; digest: string }[]>(statement, [], {
      prepare: true,
    })
    const {
      audit_log: audited,
      security_log: noted,
      ...tables
    } = Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
    return { tables, audited: Number(audited), noted: Number(noted) }
  }
}

/** Names of the tables that differ. */
export function changedTables(before: State, after: State): string[] {
  return Object.keys(after.tables).filter((name) => before.tables[name] !== after.tables[name])
}

const SECRET = /^(key|secret|token|password|newPassword|otpauthUrl|backupCodes|challenge|response)$/
const MIN_CHARS = 8

/** The values of an answer or a request that only its reader may see. */
export function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret && value.length >= MIN_CHARS ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    secretsIn(each, isSecret || SECRET.test(name)),
  )
}

/** The cookies that an answer sets. */
export function cookiesIn(headers: Headers): string[] {
  return headers
    .getSetCookie()
    .map((line) => /=([^;]*)/.exec(line)![1]!)
    .filter((value) => value.length >= MIN_CHARS)
}
