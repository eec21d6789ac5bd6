import { once, EventEmitter } from 'node:events'
import { createSecrets } from '../../platform/core/secrets.ts'
import { isSilent } from '../../clicks/shipping/reports.ts'
import {
  openClickHouse,
  type ClickHouseClient,
} from '../../platform/storage/clickhouse/clickhouse.ts'
import { listDetachedParts } from '../../platform/storage/clickhouse/clickhouse-cluster.ts'
import { readClickHouseState } from '../../platform/storage/clickhouse/clickhouse-ledger.ts'
import { tableSettings } from '../../platform/storage/migrations/clickhouse-migrate.ts'
import {
  isOfFormerSeries,
  readMigrations,
} from '../../platform/storage/migrations/migration-files.ts'
import { listen } from '../../platform/storage/postgres/listen.ts'
import {
  closePostgres,
  openPostgres,
  type PostgresOptions,
  type Sql,
} from '../../platform/storage/postgres/postgres.ts'
import {
  requireClickHouse,
  requirePostgres,
} from '../../platform/storage/installation/reachable.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../platform/storage/postgres/roles.ts'
import { opensCanary } from '../../platform/storage/installation/secret-key.ts'
import type { Addresses } from '../../platform/storage/stores.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

const CHANNEL = 'signpost_doctor'
const NOTICE_TIMEOUT_MS = 5_000
const SMALL_SKEW_MS = 1_000
const LARGE_SKEW_MS = 30_000
const MAX_PARTS_NAMED = 5

type Keys = { secretKey: string | null; clickhouseEngine: string }

export async function checkDatabases(addresses: Addresses, keys: Keys): Promise<Finding[]> {
  const sql = openPostgres(addresses.databaseUrl, { applicationName: 'signpost-doctor' })
  const clickhouse = openClickHouse(addresses.clickhouseUrl)
  try {
    const postgres = await guarded('postgresql', async () => {
      await requirePostgres(sql, addresses.databaseUrl)
      return [
        await describePostgres(sql),
        await checkClock(sql),
        ...(await Promise.all([
          checkRole(addresses.databaseUrl, REQUEST_ROLE),
          checkRole(addresses.databaseUrl, WORKER_ROLE),
        ])),
        await checkListen(sql),
        await checkSchema(sql),
        await checkKey(sql, keys.secretKey),
        await checkJournals(sql),
      ]
    })
    const clicks = await guarded('clickhouse', async () => {
      await requireClickHouse(clickhouse, addresses.clickhouseUrl)
      return [
        await describeClickHouse(clickhouse),
        await checkTables(sql, clickhouse, keys),
        await checkParts(clickhouse),
      ]
    })
    return [...postgres, ...clicks]
  } finally {
    await Promise.all([closePostgres(sql), clickhouse.close()])
  }
}

async function guarded(check: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work()
  } catch (error) {
    const message = (error as Error).message.split('\n', 1)[0]!
    return [fail(check, message, 'start it, or correct its address')]
  }
}

async function describePostgres(sql: Sql): Promise<Finding> {
  const [row] = await sql<[{ version: string; used: number; most: number }]>`
    select current_setting('server_version') as version,
      (select count(*) from pg_stat_activity) as used,
      current_setting('max_connections')::int as most`
  const message = `version ${row.version}, ${row.used} of ${row.most} connections in use`
  return row.used > row.most * 0.9
    ? warn('postgresql', message, 'raise max_connections')
    : ok('postgresql', message)
}

async function checkClock(sql: Sql): Promise<Finding> {
  const [sentMs, [row]] = [
    Date.now(),
    await sql<
      [{ nowMs: number }]
    >`select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`,
  ]
  const skewMs = Math.round(Math.abs(row.nowMs - (sentMs + Date.now()) / 2))
  const message = `this machine and the database differ by ${skewMs} ms`
  const advice = 'synchronize both clocks (NTP)'
  if (skewMs > LARGE_SKEW_MS) return fail('clock', message, advice)
  return skewMs > SMALL_SKEW_MS ? warn('clock', message, advice) : ok('clock', message)
}

async function checkRole(url: string, role: string): Promise<Finding> {
  const options: PostgresOptions = { role, maxConnections: 1, applicationName: 'signpost-doctor' }
  const pool = openPostgres(url, options)
  try {
    await pool`select 1`
    return ok(`role ${role}`, 'the server can use it')
  } catch (error) {
    const { message } = error as Error
    return fail(
      `role ${role}`,
      message,
      'set DATABASE_URL to PostgreSQL itself, and grant the role',
    )
  } finally {
    await closePostgres(pool)
  }
}

async function checkListen(sql: Sql): Promise<Finding> {
  const received = new EventEmitter()
  try {
    const listening = await listen(sql, [CHANNEL], () => received.emit('notice'))
    const arrival = once(received, 'notice', { signal: AbortSignal.timeout(NOTICE_TIMEOUT_MS) })
    const sent = sql`select pg_notify(${CHANNEL}, '')`
    await Promise.all([arrival, sent]).finally(() => listening.close())
    return ok('listen', 'notices arrive')
  } catch {
    return fail(
      'listen',
      'a notice of PostgreSQL did not arrive',
      'a pooler in transaction mode drops LISTEN: set DATABASE_URL to PostgreSQL itself',
    )
  }
}

async function checkSchema(sql: Sql): Promise<Finding> {
  const files = readMigrations().postgres
  const rows = await sql<
    { name: string; checksum: string }[]
  >`select name, checksum from migrations`
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  if (isOfFormerSeries(applied.keys()))
    return fail(
      'schema',
      'an earlier version made it, and this one cannot read its tables',
      'back it up with that version, and restore the backup with this one',
    )
  const unknown = rows.find(({ name }) => !files.some((file) => file.name === name))
  if (unknown)
    return fail(
      'schema',
      `a newer version made it (${unknown.name})`,
      'start that version or later',
    )
  const changed = files.find(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum)
  if (changed)
    return fail('schema', `${changed.name} was changed after it was applied`, 'restore the file')
  const missing = files.filter(({ name }) => !applied.has(name)).length
  return missing > 0
    ? warn('schema', `${missing} migrations are not applied`, 'restart the server')
    : ok('schema', `${files.length} migrations`)
}

async function checkKey(sql: Sql, secretKey: string | null): Promise<Finding> {
  if (secretKey === null)
    return warn('key', 'these settings have no key', 'run doctor with the settings of the server')
  const [row] = await sql<{ id: string; keyCanary: Buffer | null }[]>`
    select id, key_canary from installation`
  if (!row?.keyCanary) return warn('key', 'the installation has none yet', 'start the server once')
  return opensCanary(createSecrets(secretKey), row.id, row.keyCanary)
    ? ok('key', 'it opens the stored secrets')
    : fail('key', 'it does not open the stored secrets', 'restore the former SECRET_KEY')
}

/** Finds journals whose edge is silent while another one reports. */
async function checkJournals(sql: Sql): Promise<Finding> {
  const rows = await sql<{ journalId: string }[]>`
    select r.journal_id from journal_reports r where ${isSilent(sql)}`
  if (rows.length === 0) return ok('journals', 'every edge reports')
  const names = rows.map(({ journalId }) => journalId).join(', ')
  return warn(
    'journals',
    `no edge reports on ${names}`,
    'start that edge again, or ship its folder with "ship --dir FOLDER"',
  )
}

async function describeClickHouse(clickhouse: ClickHouseClient): Promise<Finding> {
  const answer = await clickhouse.query({ query: 'select version()', format: 'JSONCompactEachRow' })
  const [row] = await answer.json<[string]>()
  return ok('clickhouse', `version ${row![0]}`)
}

async function checkTables(sql: Sql, clickhouse: ClickHouseClient, { clickhouseEngine }: Keys) {
  const { tables, installationId } = await readClickHouseState(
    clickhouse,
    readMigrations().clickhouse,
  )
  const [row] = await sql<{ id: string }[]>`select id from installation`
  if (installationId !== row?.id)
    return fail(
      'tables',
      'PostgreSQL and ClickHouse belong to different installations',
      'correct DATABASE_URL or CLICKHOUSE_URL',
    )
  const answer = await clickhouse.query({
    query: `select create_table_query from system.tables
      where database = currentDatabase() and name = 'clicks'`,
    format: 'JSONCompactEachRow',
  })
  const [definition] = await answer.json<[string]>()
  const settings = tableSettings(clickhouseEngine).split(', ')
  const missing = settings.find((setting) => !definition?.[0].includes(setting))
  return missing === undefined
    ? ok('tables', `${tables.size} tables, with the settings that exactly-once inserts need`)
    : fail(
        'tables',
        `clicks lacks the setting ${missing}`,
        `alter table clicks modify setting ${missing}`,
      )
}

async function checkParts(clickhouse: ClickHouseClient): Promise<Finding> {
  const parts = await listDetachedParts(clickhouse)
  if (parts.length === 0) return ok('parts', 'ClickHouse has set none aside')
  const named = parts.slice(0, MAX_PARTS_NAMED).map(({ path }) => path)
  const rest = parts.length - named.length
  return warn(
    'parts',
    `ClickHouse could not read ${parts.length} parts of its tables and has set them aside: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    'run verify; if all counters are right, their rows were stored again: remove these folders; if not, restore a backup',
  )
}
