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
  /** One digest for each table that was written to: the sum of those of its rows. */
  tables: Record<string, string>
  audited: number
  noted: number
}

/**
 * Reads a digest of all that the program has stored since the reader was created, and how long its two logs are. Triggers
 * note the digests of the rows that a statement removes and adds, so that a read takes as long however many rows there are.
 */
export async function createStateReader(sql: Sql): Promise<() => Promise<State>> {
  const found = await sql<{ name: string }[]>`
    select relname as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname`
  const names = found.map(({ name }) => name).filter((name) => !NO_STATE.has(name))
  await sql.unsafe(`
    drop schema if exists writes cascade;
    create schema writes;
    create table writes.changes (name text, digest numeric);
    ${names.map(noteWritesOf).join('')}`)
  const digests = new Map<string, bigint>()
  return async () => {
    const changes = await sql<{ name: string; digest: string }[]>`
      delete from writes.changes returning name, digest::text`
    for (const { name, digest } of changes)
      digests.set(name, (digests.get(name) ?? 0n) + BigInt(digest))
    const [logs] = await sql<{ audited: number; noted: number }[]>`
      select (select count(*)::int from audit_log) as audited,
        (select count(*)::int from security_log) as noted`
    const tables = Array.from(digests, ([name, digest]) => [name, String(digest)] as const)
    return { tables: Object.fromEntries(tables), ...logs! }
  }
}

const EVENTS = {
  insert: 'new table as added',
  update: 'old table as removed new table as added',
  delete: 'old table as removed',
}

function noteWritesOf(name: string): string {
  const note = (rows: string, sign: string) => `
    insert into writes.changes select '${name}',
      ${sign}sum(hashtextextended((to_jsonb(r) ${VOLATILE[name] ?? ''})::text, 0))
    from ${rows} r ${LEFT_OUT[name] ?? ''} having count(*) > 0;`
  const triggers = Object.entries(EVENTS).map(
    ([event, rows]) => `
    create trigger note_${event} after ${event} on ${name} referencing ${rows}
      for each statement execute function writes.note_${name}();`,
  )
  return `
    create function writes.note_${name}() returns trigger language plpgsql security definer as $$
    begin
      if tg_op <> 'INSERT' then ${note('removed', '-')} end if;
      if tg_op <> 'DELETE' then ${note('added', '')} end if;
      return null;
    end $$;
    ${triggers.join('')}`
}

/** Names of the tables that differ. */
export function changedTables(before: State, after: State): string[] {
  return Object.keys(after.tables).filter(
    (name) => (before.tables[name] ?? '0') !== after.tables[name],
  )
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
