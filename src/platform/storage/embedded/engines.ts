import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../core/log.ts'
import { refuseExternal } from '../installation/data-dir.ts'
import { createClickHouseEngine } from './clickhouse-engine.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import { openRuntimeDir } from './runtime-dir.ts'
import { superviseEngine } from './supervisor.ts'

type EnginesOptions = {
  dataDir: string
  log: Log
  postgres: boolean
  clickhouse: boolean
  redirectProcesses?: number
  signal?: AbortSignal
}

/** For the server process and programs beside it. */
const CONNECTIONS = 60
const CONNECTIONS_PER_EDGE = 8

type Replaced = { databaseUrl: string | null; clickhouseUrl: string | null }

export async function openMissingEngines(
  { databaseUrl, clickhouseUrl }: Replaced,
  options: Omit<EnginesOptions, 'postgres' | 'clickhouse'>,
) {
  const missing = { postgres: databaseUrl === null, clickhouse: clickhouseUrl === null }
  if (missing.postgres || missing.clickhouse) options.log.info('starting the embedded databases')
  const engines = await openEngines({ ...options, ...missing })
  return {
    addresses: {
      databaseUrl: databaseUrl ?? engines.postgresUrl!,
      clickhouseUrl: clickhouseUrl ?? engines.clickhouseUrl!,
    },
    [Symbol.asyncDispose]: () => engines[Symbol.asyncDispose](),
  }
}

export type Engines = Awaited<ReturnType<typeof openEngines>>

export async function openEngines(options: EnginesOptions) {
  const { dataDir, log } = options
  if (options.postgres) refuseExternal(dataDir)
  const runtimeDir = options.postgres || options.clickhouse ? await openRuntimeDir(dataDir) : null
  const own = { runtimeDir: runtimeDir!, log }
  const maxConnections = CONNECTIONS + CONNECTIONS_PER_EDGE * (options.redirectProcesses ?? 0)
  const postgres = options.postgres
    ? createPostgresEngine({ ...own, folder: join(dataDir, 'postgres'), maxConnections })
    : null
  const clickhouse = options.clickhouse
    ? createClickHouseEngine({ ...own, folder: join(dataDir, 'clickhouse') })
    : null
  const starts = await Promise.allSettled(
    [postgres, clickhouse].map(
      async (engine) => engine && superviseEngine(engine, log, options.signal),
    ),
  )
  const supervisors = starts.map((start) => (start.status === 'fulfilled' ? start.value : null))
  const close = async () => {
    await Promise.all(supervisors.map(async (supervisor) => supervisor?.[Symbol.asyncDispose]()))
    if (runtimeDir) rmSync(runtimeDir, { recursive: true, force: true })
  }
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed) {
    await close()
    throw failed.reason
  }
  return {
    postgresUrl: postgres?.url ?? null,
    clickhouseUrl: clickhouse?.url ?? null,
    pids: () => ({
      postgres: supervisors[0]?.pid ?? null,
      clickhouse: supervisors[1]?.pid ?? null,
    }),
    [Symbol.asyncDispose]: close,
  }
}
