import { systemClock } from '../../src/platform/core/clock.ts'
import { openPostgres, closePostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { createWorker } from './delivery-worker.ts'

/** Options of a worker in a process of its own, as JSON in its first argument. It ends on SIGTERM. */
export type Orders = { postgresUrl: string; clockOffByMs?: number }

const { postgresUrl, clockOffByMs = 0 } = JSON.parse(process.argv[2]!) as Orders
// The machine's own clock, as far as this process can tell.
const realNow = Date.now
Date.now = () => realNow() + clockOffByMs

const sql = openPostgres(postgresUrl, { role: WORKER_ROLE, maxConnections: 4 })
const worker = createWorker({ sql, clock: systemClock })
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())
process.stdout.write('ready\n')
await worker.engine.run(stopping.signal)
await worker.close()
await closePostgres(sql)
