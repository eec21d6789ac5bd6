import type { TestContext } from 'node:test'
import { newId, ulid } from '../../src/platform/core/ids.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { Purge } from '../../src/operator/purge.ts'
import type { PurgeStep } from '../../src/platform/resources/purge-steps.ts'
import {
  closePostgres,
  openPostgres,
  type Sql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { freshDatabases, type TestDatabases } from './engines.ts'
import { addMembership, addUser, addWorkspace } from './fixtures.ts'
import { NEVER } from './never.ts'
import { selectRows } from './click-rows.ts'

export const NOW_MS = Date.now()

export async function openDeps(t: TestContext) {
  const databases = await freshDatabases(t)
  const systemSql = openPostgres(databases.postgresUrl, { role: WORKER_ROLE })
  t.after(() => closePostgres(systemSql))
  const time = { ms: NOW_MS }
  const deps = {
    sql: systemSql,
    clickhouse: databases.clickhouse,
    clock: () => time.ms,
    log: openLog('silent'),
  }
  const open = (steps?: readonly PurgeStep[]) => new Purge({ ...deps, ...(steps && { steps }) })
  /** Both sweeps. */
  const sweep = async (purge = open()) => {
    await purge.finishAll(NEVER)
    await purge.deleteLateClicks(NEVER)
  }
  return { ...databases, systemSql, time, open, sweep }
}

/** Every table of a catalog that holds rows of workspaces; partitions count as their parent. */
export async function tenantTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`
  return rows.map(({ name }) => name)
}

/**
 * A row in each of these tables for a workspace, made of what the catalog says of their columns, so
 * that a table of tomorrow is filled as well. Rules of other columns are put aside by switching
 * triggers off, which holds foreign keys, too.
 */
export async function fill(sql: Sql, workspaceId: string): Promise<void> {
  await addWorkspace(sql, { id: workspaceId, nowMs: NOW_MS })
  const { id: userId } = await addUser(sql, { nowMs: NOW_MS })
  await addMembership(sql, { workspaceId, userId, nowMs: NOW_MS })
  const [endpointId, jobId] = [newId('whe', NOW_MS), newId('job', NOW_MS)]
  const mediaId = newId('med', NOW_MS)
  const reportId = newId('rep', NOW_MS)
  const pageId = newId('bio', NOW_MS)
  const known: Record<string, string> = {
    workspace_id: workspaceId,
    user_id: userId,
    endpoint_id: endpointId,
    job_id: jobId,
    media_id: mediaId,
    report_id: reportId,
    page_id: pageId,
    role: 'owner',
    outcome: 'success',
    actor_type: 'system',
    reason: 'other',
  }
  const valueOf = (column: string, type: string, word: string | null): string => {
    if (known[column] !== undefined) return `'${known[column]}'`
    if (type === 'text' && word !== null) return `'${word}'`
    if (type === 'timestamp with time zone') return `'${new Date(NOW_MS).toISOString()}'`
    if (type === 'date') return `'2026-01-01'`
    if (type === 'json' || type === 'jsonb') return `'{}'`
    if (type === 'bytea') return `sha256('${newId('x', NOW_MS)}')`
    if (type === 'boolean') return 'true'
    if (type === 'uuid') return 'gen_random_uuid()'
    if (type.endsWith('[]')) return `'{${word ?? ''}}'`
    if (/int|numeric|double|real/.test(type)) return '302'
    return `'${column === 'status' ? 'active' : newId('x', NOW_MS)}'`
  }
  const tables = await tenantTables(sql)
  const late = [
    ...['webhook_endpoint_stats', 'webhook_lanes', 'webhook_subscriptions'],
    ...['job_chunks', 'import_rows', 'report_chunks', 'bio_page_links', 'bio_page_views'],
  ]
  for (const table of [...tables.filter((each) => !late.includes(each)), ...late]) {
    const [has] = await sql`select 1 from ${sql(table)} where workspace_id = ${workspaceId} limit 1`
    if (has) continue
    // The first word that a check allows, for columns with a list of them.
    const columns = await sql<{ name: string; type: string; word: string | null }[]>`
      select attname as name, format_type(atttypid, atttypmod) as type, (
        select (regexp_match(pg_get_constraintdef(c.oid), '''([^'']+)'''))[1] from pg_constraint c
        where c.conrelid = attrelid and c.contype = 'c' and c.conkey = array[attnum] limit 1
      ) as word
      from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
        and (attnotnull and not atthasdef or attname in ('workspace_id', 'user_id'))`
    const names = columns.map(({ name }) => name)
    const values = columns.map(({ name, type, word }) => valueOf(name, type, word))
    if (table === 'webhook_endpoints') values[names.indexOf('id')] = `'${endpointId}'`
    if (table === 'media') values[names.indexOf('id')] = `'${mediaId}'`
    if (table === 'bio_pages') values[names.indexOf('id')] = `'${pageId}'`
    if (table === 'jobs') values[names.indexOf('id')] = `'${jobId}'`
    if (table === 'reports') values[names.indexOf('id')] = `'${reportId}'`
    if (table === 'webhook_log') values[names.indexOf('status')] = '2'
    if (table === 'invitations' && !names.includes('status')) {
      names.push('status')
      values.push(`'pending'`)
    }
    await sql.unsafe(`insert into ${table} (${names.join(', ')}) values (${values.join(', ')})`)
  }
}

export async function clicksOf(
  { clickhouse }: TestDatabases,
  workspaceId: string,
): Promise<number> {
  const [row] = await selectRows<{ n: number }>(
    clickhouse,
    `select count() as n from (
      select workspace_id as id from clicks union all select workspace_id from click_days
      union all select workspace_id from conversions
    ) where id = {workspaceId:String}`,
    { workspaceId },
  )
  return row!.n
}

export async function addClicks({ clickhouse }: TestDatabases, workspaceId: string, count = 3) {
  await clickhouse.insert({
    table: 'click_days',
    format: 'JSONEachRow',
    values: [{ workspace_id: workspaceId, link_id: 'lnk_1', day: '2020-01-01', grp: 'visits' }],
  })
  await clickhouse.insert({
    table: 'conversions',
    format: 'JSONEachRow',
    values: [{ workspace_id: workspaceId, id: 'cnv_1', batch: 1, at: '2020-01-01 00:00:00' }],
  })
  await clickhouse.insert({
    table: 'clicks',
    format: 'JSONEachRow',
    values: Array.from({ length: count }, (_, i) => ({
      workspace_id: workspaceId,
      link_id: 'lnk_1',
      click_id: ulid(NOW_MS + i),
      at: new Date(NOW_MS - i * 86_400_000 * 20).toISOString().slice(0, 19).replace('T', ' '),
      segment: 'a-1',
      kind: 'human',
      visitor: i,
    })),
  })
}

/** Tables with rows of the workspace, and how many clicks there are. */
export async function leftOf(deps: TestDatabases, workspaceId: string): Promise<string[]> {
  const left: string[] = []
  for (const table of await tenantTables(deps.sql)) {
    const rows =
      await deps.sql`select 1 from ${deps.sql(table)} where workspace_id = ${workspaceId}`
    if (rows.length > 0) left.push(table)
  }
  const [row] = await deps.sql`select 1 from workspaces where id = ${workspaceId}`
  if (row) left.push('workspaces')
  if ((await clicksOf(deps, workspaceId)) > 0) left.push('clicks')
  return left
}
