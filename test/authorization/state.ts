import type { Sql } from '../../src/storage/postgres.ts'

/** Logs, and what counts or remembers requests as such: a refused request may change them. */
const NO_STATE = new Set([
  'audit_log',
  'audit_chain',
  'audit_heads',
  'audit_pending',
  // Of the worker, as is the copy of conversions.
  'conversion_batches',
  'click_folds',
  // Changed by the worker as well.
  'jobs',
  'job_chunks',
  'import_rows',
  // Written by every edge twice a second.
  'journal_reports',
  // Trimmed by age.
  'link_changes',
  // Copied from link_clicks after some seconds.
  'link_ranks',
  'link_rank_changes',
  // Written by the worker.
  'report_chunks',
  'security_log',
  'usage_batches',
  'webhook_workers',
])
const VOLATILE: Record<string, string> = {
  api_keys: `- 'last_used_at' - 'last_used_ip'`,
  // Changed by the worker.
  conversions: `- 'batch'`,
  members: `- 'last_active_at'`,
  // A run writes these.
  reports: `- 'file_run_id' - 'row_count' - 'size' - 'generated_at' - 'expires_at'`,
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

/**
 * Reads all that the program has stored, as digests, and how long its two logs are. A table whose
 * number of rows and sum of transaction ids are as before has the rows of before: the rows of the
 * others alone are read.
 */
export async function createStateReader(sql: Sql): Promise<() => Promise<State>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname`
  const names = tables.map(({ name }) => name).filter((name) => !NO_STATE.has(name))
  const versions = names.map(
    (name) => `select '${name}' as name, concat(count(*), ' ', sum(xmin::text::bigint)) as digest
      from ${name}`,
  )
  const counts = ['audit_log', 'security_log'].map(
    (name) => `select '${name}' as name, count(*)::text as digest from ${name}`,
  )
  const statement = [...versions, ...counts].join(' union all ')
  const seen = new Map<string, { version: string; digest: string }>()
  return async () => {
    // Prepared, since planning it takes longer than running it.
    const found = await digestsBy(sql, statement, true)
    const { audit_log: audited, security_log: noted, ...now } = found
    const changed = names.filter((name) => seen.get(name)?.version !== now[name])
    const digests =
      changed.length > 0
        ? await digestsBy(sql, changed.map(digestOf).join(' union all '), false)
        : {}
    for (const name of changed) seen.set(name, { version: now[name]!, digest: digests[name]! })
    return {
      tables: Object.fromEntries(names.map((name) => [name, seen.get(name)!.digest])),
      audited: Number(audited),
      noted: Number(noted),
    }
  }
}

/** Statement that reads all rows of a table but for what is volatile. */
function digestOf(name: string): string {
  const row = `md5((to_jsonb(r) ${VOLATILE[name] ?? ''})::text)`
  return `select '${name}' as name, md5(coalesce(string_agg(${row}, '' order by ${row}), '')) as digest
    from ${name} r ${LEFT_OUT[name] ?? ''}`
}

async function digestsBy(
  sql: Sql,
  statement: string,
  prepare: boolean,
): Promise<Record<string, string>> {
  const rows = await sql.unsafe<{ name: string; digest: string }[]>(statement, [], { prepare })
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

/** Names of the tables that differ. */
export function changedTables(before: State, after: State): string[] {
  return Object.keys(after.tables).filter((name) => before.tables[name] !== after.tables[name])
}

const SECRET = /^(key|secret|token|password|newPassword|otpauthUrl|backupCodes|challenge|response)$/
/** The proof of ownership of a host, which its owner publishes in DNS. */
const PUBLISHED = 'verification'
const MIN_CHARS = 8
/** Of WebAuthn; `internal` is in the stack of every error as well. */
const PROTOCOL_WORDS = new Set(['internal', 'public-key'])

/** The values of an answer or a request that only its reader may see. */
export function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') {
    const isKept = isSecret && value.length >= MIN_CHARS && !PROTOCOL_WORDS.has(value)
    return isKept ? [value] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([name]) => name !== PUBLISHED)
    .flatMap(([name, each]) => secretsIn(each, isSecret || SECRET.test(name)))
}

/** The cookies that an answer sets. */
export function cookiesIn(headers: Headers): string[] {
  return headers
    .getSetCookie()
    .map((line) => /=([^;]*)/.exec(line)![1]!)
    .filter((value) => value.length >= MIN_CHARS)
}
