import { dirname } from 'node:path'
import { Registry } from 'prom-client'
import {
  holdJournal,
  createShipper,
  shipFolder,
  type ShipperParts,
} from '../../src/clicks/shipping/shipper.ts'
import type { CrashPoint } from '../../src/clicks/shipping/batch.ts'
import { openClickHouse } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { openPostgres, closePostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { shipperDeps } from './shipping-world.ts'
import { mutants, type Mutant } from './shipping-mutants.ts'

/** Arguments of a shipper in another process, as JSON in its first argument. */
export type Orders = {
  folder: string
  /** `own`: like the process that writes to it; `inherited`: like the process that adopts it. */
  as: 'own' | 'inherited'
  quarantineDir: string
  postgresUrl: string
  clickhouseUrl: string
  /** The process sends itself the signal at this point, at the `nth` time. */
  fault?: { point: CrashPoint; signal: 'SIGKILL' | 'SIGSTOP'; nth?: number }
  mutant?: Mutant
}

const orders = JSON.parse(process.argv[2]!) as Orders
const sql = openPostgres(orders.postgresUrl)
const clickhouse = openClickHouse(orders.clickhouseUrl)
const { folder, quarantineDir, fault } = orders
const deps = shipperDeps({ sql, clickhouse, quarantineDir, registry: new Registry() })

let passed = 0
const parts: ShipperParts = {
  settleMs: 0,
  fault(point) {
    if (point !== fault?.point || ++passed !== (fault.nth ?? 1)) return
    process.kill(process.pid, fault.signal)
  },
}
const altered = orders.mutant ? mutants[orders.mutant](parts, deps, folder) : parts
const never = new AbortController().signal
if (orders.as === 'inherited') await shipFolder(folder, deps, never, altered)
else {
  using _lock = holdJournal(folder)
  await createShipper({ ...deps, journalDir: dirname(folder) }, altered).run(never)
}
await closePostgres(sql)
await clickhouse.close()
