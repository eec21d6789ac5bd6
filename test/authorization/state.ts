import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'

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
  // Written by the worker.
  'sweep_leases',
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
 * Reads all that the program has stored, as digests, and how long its two logs are. A sequence for each table counts
 * the statements that wrote to it, so that only the rows of tables written since are read again.
 */
export async function createStateReader(sql: Sql): Promise<() => Promise<State>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname`
  const names = tables.map(({ name }) => name).filter((name) => !NO_STATE.has(name))
  await sql.unsafe(`
    drop schema if exists writes cascade;
    create schema writes;
    create function writes.count() returns trigger language plpgsql security definer as $$
      begin perform nextval(format('writes.%I', tg_argv[0])); return null; end $$;
    ${names.map(countWritesOf).join(';')}`)
  const seen = new Map<string, { writes: string; digest: string }>()
  return async () => {
    const counted = await sql<{ name: string; writes: string }[]>`
      select sequencename as name, coalesce(last_value, 0)::text as writes
      from pg_sequences where schemaname = 'writes'`
    const written = counted.filter(({ name, writes }) => seen.get(name)?.writes !== writes)
    const digests = await digestsOf(
      sql,
      written.map(({ name }) => name),
    )
    for (const { name, writes } of written) seen.set(name, { writes, digest: digests[name]! })
    const [logs] = await sql<{ audited: number; noted: number }[]>`
      select (select count(*)::int from audit_log) as audited,
        (select count(*)::int from security_log) as noted`
    return {
      tables: Object.fromEntries(names.map((name) => [name, seen.get(name)!.digest])),
      ...logs!,
    }
  }
}

function countWritesOf(name: string): string {
  return `create sequence writes.${name};
    create trigger count_writes after insert or update or delete or truncate on ${name}
      for each statement execute function writes.count('${name}')`
}

async function digestsOf(sql: Sql, names: string[]): Promise<Record<string, string>> {
  if (names.length === 0) return {}
  const statement = names.map(digestOf).join(' union all ')
  const rows = await sql.unsafe<{ name: string; digest: string }[]>(statement)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

/** Statement that reads all rows of a table but for what is volatile. */
function digestOf(name: string): string {
  const row = `md5((to_jsonb(r) ${VOLATILE[name] ?? ''})::text)`
  return `select '${name}' as name, md5(coalesce(string_agg(${row}, '' order by ${row}), '')) as digest
    from ${name} r ${LEFT_OUT[name] ?? ''}`
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
