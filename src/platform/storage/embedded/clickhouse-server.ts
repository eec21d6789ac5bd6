import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { sleep } from '../../core/service.ts'
import { DiskGuard, reserveOf } from './clickhouse-disk.ts'
import { ClickHouseHttp, type Pools } from './clickhouse-http.ts'
import type { ClickHouseReport, ClickHouseStart } from './clickhouse-engine.ts'
import { Pool } from './clickhouse-pool.ts'
import { EngineSession } from './clickhouse-session.ts'

/**
 * The process of the embedded ClickHouse, a separate one because the engine is big, blocks, and may crash. The IPC
 * channel closes when the parent ends, so this process outlives it by CLOSE_DEADLINE_MS at most. A later start
 * recognizes it by its working directory `spool`, where inserts write their rows.
 */

const MAX_CONNECTIONS = 200
/** Longer than the official client keeps idle connections, so that the client closes them. */
const KEEP_ALIVE_MS = 30_000
const FINISH_MS = 5_000
const CLOSE_DEADLINE_MS = 15_000
const MAX_EXECUTION_SECONDS = 60
const MAX_ANSWER_BYTES = 256 * 1024 ** 2
/** Left by a killed process, or by earlier versions. */
const ROWS_FILE = /^(in|out|statement)-\d+/

process.once('message', (start: ClickHouseStart) => {
  serve(start).catch((error: unknown) => {
    const { message } = error as Error
    process.send?.({ state: 'failed', message } satisfies ClickHouseReport)
    process.disconnect?.()
  })
})

async function serve(start: ClickHouseStart): Promise<void> {
  writeFileSync(start.pidFile, String(process.pid), { mode: 0o600 })
  for (const file of readdirSync('.')) if (ROWS_FILE.test(file)) rmSync(file)
  mkdirSync(start.dataPath, { recursive: true, mode: 0o700 })
  const reserveBytes = reserveOf(start.dataPath)
  const pools = openPools(start, reserveBytes)
  const disk = new DiskGuard(start.dataPath, reserveBytes, pools.control)
  const http = new ClickHouseHttp(pools, disk, start)
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void http.handle(request, response)
  })
  server.maxConnections = MAX_CONNECTIONS
  try {
    await disk.watch()
    await listen(server, start.socketPath)
  } catch (error) {
    closePools(pools)
    throw error
  }
  let closing: Promise<void> | null = null
  const close = () => {
    closing ??= shutDown(server, pools, disk, start.pidFile)
  }
  process.once('disconnect', close)
  process.on('SIGTERM', close)
  process.send?.({ state: 'serving' } satisfies ClickHouseReport)
}

function openPools({ dataPath, memoryBytes }: ClickHouseStart, reserveBytes: number): Pools {
  const memoryPerQuery = Math.floor(memoryBytes / 2)
  const flags = [
    `--config-file=${join(import.meta.dirname, 'clickhouse.xml')}`,
    `--storage_configuration.disks.default.keep_free_space_bytes=${reserveBytes}`,
    `--max_server_memory_usage=${memoryBytes}`,
    '--mark_cache_size=268435456',
    '--index_mark_cache_size=67108864',
    '--primary_index_cache_size=268435456',
  ]
  const defaults = new Map([
    ['max_execution_time', String(MAX_EXECUTION_SECONDS)],
    ['max_memory_usage', String(memoryPerQuery)],
    ['max_bytes_before_external_group_by', String(Math.floor(memoryPerQuery / 2))],
    ['max_bytes_before_external_sort', String(Math.floor(memoryPerQuery / 2))],
    // Server defaults that differ from the command-line engine's.
    ['implicit_select', '0'],
    ['allow_introspection_functions', '0'],
  ])
  const readDefaults = new Map([
    ...defaults,
    ['max_result_bytes', String(MAX_ANSWER_BYTES)],
    ['min_free_disk_space_for_temporary_data', String(reserveBytes)],
    ['readonly', '2'],
  ])
  const open = (count: number, settings: ReadonlyMap<string, string>) =>
    new Pool(Array.from({ length: count }, () => new EngineSession(dataPath, flags, settings)))
  const readers = Math.min(Math.max(availableParallelism(), 2), 4)
  return {
    writers: open(1, defaults),
    readers: open(readers, readDefaults),
    control: open(1, defaults),
  }
}

function closePools({ writers, readers, control }: Pools): void {
  for (const pool of [writers, readers, control]) pool.close()
}

/** The parent has made sure that the former server is gone. */
function listen(server: Server, path: string): Promise<void> {
  rmSync(path, { force: true })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve())
  })
}

/** Every acknowledged row is on the disk already. */
async function shutDown(
  server: Server,
  pools: Pools,
  disk: DiskGuard,
  pidFile: string,
): Promise<void> {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), CLOSE_DEADLINE_MS).unref()
  server.close()
  server.closeIdleConnections()
  await untilIdle(pools)
  server.closeAllConnections()
  await untilIdle(pools)
  disk.close()
  closePools(pools)
  rmSync(pidFile, { force: true })
  if (process.connected) process.disconnect()
}

async function untilIdle({ writers, readers }: Pools): Promise<void> {
  const deadline = performance.now() + FINISH_MS
  while (performance.now() < deadline && !(writers.isIdle && readers.isIdle)) await sleep(10)
}
