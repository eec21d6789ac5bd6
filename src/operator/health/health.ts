import { statfs } from 'node:fs/promises'
import { listUnshipped } from '../../clicks/shipping/reports.ts'
import { readVersion } from '../../platform/config/checkout.ts'
import type { Config } from '../../platform/config/config.ts'
import { withinMs } from '../../platform/core/service.ts'
import type { CheckStates } from '../../platform/processes/readiness.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import { readSweeps } from '../../platform/storage/sweeps.ts'
import { readQueueState } from '../../webhooks/delivery/meters.ts'
import type { ServerHealth } from './schema.ts'

export type HealthDeps = Pick<Dependencies, 'systemSql' | 'clickhouse' | 'clock' | 'mails'> & {
  config: Pick<Config, 'dataDir'>
  readStates: () => Promise<CheckStates>
}

const TIMEOUT_MS = 2_000

/** Mails, checks and versions are those of this process; the rest is of the whole installation. */
export async function readHealth(deps: HealthDeps): Promise<ServerHealth> {
  const { systemSql: sql, clock, mails } = deps
  const [states, sweeps, deliveries, journals, storage] = await Promise.all([
    deps.readStates(),
    readSweeps(sql),
    readQueueState(sql, new Date(clock())),
    listUnshipped(sql),
    measureStorage(deps),
  ])
  const { lastFailure, ...counts } = mails.health
  return {
    version: readVersion(),
    node: process.version,
    startedAt: new Date(clock() - process.uptime() * 1_000).toISOString(),
    checks: Object.entries(states).map(([name, state]) => ({ name, isOk: state === 'ok' })),
    mail: { ...counts, lastFailure: lastFailure && toIsoTimes(lastFailure) },
    deliveries: toIsoTimes(deliveries),
    sweeps: sweeps.map(toIsoTimes),
    journals: journals.map(toIsoTimes),
    storage,
  }
}

/** Null for what cannot be measured, since the page is for times in which something does not work. */
async function measureStorage({
  systemSql,
  clickhouse,
  config,
}: HealthDeps): Promise<ServerHealth['storage']> {
  const postgres = async () => {
    const [row] = await systemSql<[{ total: number; media: number }]>`
      select pg_database_size(current_database()) as total,
        pg_total_relation_size('media_files') as media`
    return row
  }
  const tables = async () => {
    const result = await clickhouse.query({
      query: `select sum(total_bytes) as bytes from system.tables
        where database = currentDatabase()`,
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ bytes: string | number | null }>()
    return Number(row?.bytes ?? 0)
  }
  const [disk, sizes, clickhouseBytes] = await Promise.all([
    orNull(statfs(config.dataDir)),
    orNull(postgres()),
    orNull(tables()),
  ])
  return {
    diskFreeBytes: disk && disk.bavail * disk.bsize,
    diskTotalBytes: disk && disk.blocks * disk.bsize,
    postgresBytes: sizes && sizes.total,
    mediaBytes: sizes && sizes.media,
    clickhouseBytes,
  }
}

function orNull<T>(measure: Promise<T>): Promise<T | null> {
  return withinMs(measure, TIMEOUT_MS).catch(() => null)
}
