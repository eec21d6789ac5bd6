import { openLog } from '../../src/platform/core/log.ts'
import { ClickRetention, type FoldPoint } from '../../src/analytics/retention/retention.ts'
import { openClickHouse } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { openPostgres, closePostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { asSystem } from './privileges.ts'

/** Arguments of the retention of clicks in another process, as JSON in its first argument. */
export type FoldOrders = {
  postgresUrl: string
  clickhouseUrl: string
  nowMs: number
  days: number
  pieceClicks: number
  /** The process sends itself the signal at this point, at the `nth` time. */
  fault: { point: FoldPoint; signal: 'SIGKILL' | 'SIGSTOP'; nth: number }
}

const { postgresUrl, clickhouseUrl, nowMs, days, pieceClicks, fault } = JSON.parse(
  process.argv[2]!,
) as FoldOrders
const sql = openPostgres(postgresUrl)
const clickhouse = openClickHouse(clickhouseUrl)
let passed = 0
await new ClickRetention({
  sql: asSystem(sql),
  clickhouse,
  clock: () => nowMs,
  log: openLog('silent'),
  days,
  pieceClicks,
  graceMs: 0,
  leaseMs: 0,
  fault(point) {
    if (point === fault.point && ++passed === fault.nth) process.kill(process.pid, fault.signal)
  },
}).once()
await closePostgres(sql)
await clickhouse.close()
