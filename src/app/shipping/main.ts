import { parentPort, workerData } from 'node:worker_threads'
import { OperatorError } from '../../base/errors.ts'
import { openLog } from '../../base/log.ts'
import { openKeys } from '../../base/secrets.ts'
import { lowerThreadPriority } from '../../base/thread-priority.ts'
import { WakeSignal } from '../../base/wake-signal.ts'
import type { Meters } from '../../clicks/meters.ts'
import { createShipper, shipFolder, type ShipperDeps } from '../../clicks/shipper.ts'
import { createLocate } from '../../facts/country.ts'
import { openClickHouse } from '../../storage/clickhouse.ts'
import { Notices } from '../../storage/notices.ts'
import { createPools } from '../../storage/pools.ts'
import { toShipperDeps } from './deps.ts'
import type { FromThread, Order, Task, ToThread } from './messages.ts'

/**
 * The thread that ships journals. It reads them and writes to the databases itself; what belongs to the whole process, such
 * as the log, metrics and notices, goes to the main thread as messages.
 */

/** Two journals at a time, each with one batch that is stored and one that is prepared. */
const MAX_CONNECTIONS = 4
/** Segments are announced; looking for them as well costs little and finds one whose message was lost. */
const LOOK_EVERY_MS = 1_000

/** A third of the share that the event loop gets when both are busy: a lower one would let the journal grow. */
const NICENESS = 5

const METERS: Record<keyof Meters, true> = {
  shipped: true,
  discarded: true,
  quarantined: true,
  repaired: true,
  surplus: true,
  fenced: true,
  failed: true,
  took: true,
}

const order = workerData as Order
const port = parentPort!
const stop = new AbortController()
const sealed = new WakeSignal()
const retirements = new Map<string, PromiseWithResolvers<void>>()
let { clockOffsetMs } = order
let locate = createLocate(order.geo)
/** Of the signals, when a journal was looked at last. */
let lastSeen = 0

port.on('message', (message: ToThread) => {
  if (message.type === 'retired') return settleRetirement(message)
  if (message.type === 'stop') stop.abort()
  else {
    clockOffsetMs = message.clockOffsetMs
    if (message.geo !== undefined) locate = createLocate(message.geo)
  }
  sealed.wake()
})

lowerThreadPriority(NICENESS)
await run()
// The main thread ends this one, which connections of an attempt that was cut off would keep alive.
post({ type: 'done' })

async function run(): Promise<void> {
  await using opening = new AsyncDisposableStack()
  const deps = openDeps(opening)
  await perform(order.task, deps)
}

async function perform(task: Task, deps: ShipperDeps): Promise<void> {
  if (task.kind === 'own') {
    const { kind: _kind, ...journals } = task
    return createShipper({ ...deps, ...journals, untilSealed }).run(stop.signal)
  }
  try {
    const segments = await shipFolder(task.directory, deps, stop.signal)
    post({ type: 'shipped', segments })
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    post({ type: 'refused', message: error.message })
  }
}

function openDeps(opening: AsyncDisposableStack): ShipperDeps {
  const { settings, databases, keys } = order
  const notices = new Notices(async (gathered) => post({ type: 'notices', notices: gathered }))
  const { openSystem } = createPools({ ...databases, notices }, opening)
  const systemSql = openSystem('signpost-shipper', { maxConnections: MAX_CONNECTIONS })
  const clickhouse = openClickHouse(databases.clickhouseUrl, {
    maxConnections: MAX_CONNECTIONS,
    cluster: databases.clickhouseCluster,
  })
  opening.defer(() => clickhouse.close())
  const stores = { systemSql, clickhouse, secrets: openKeys(keys) }
  return toShipperDeps(settings, stores, {
    log: openLog(settings.logLevel, { write: (line) => post({ type: 'log', line }) }),
    clock: () => Date.now() + clockOffsetMs,
    locate: (ip) => locate(ip),
    meters: sendMeasures(),
    reports: { retire },
  })
}

async function untilSealed(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await sealed.givenSince(lastSeen, LOOK_EVERY_MS)
  lastSeen = sealed.count
}

/** The main thread reports on the journals, and must not restore a report that is being removed. */
function retire(journalId: string): Promise<void> {
  const retirement = Promise.withResolvers<void>()
  retirements.set(journalId, retirement)
  post({ type: 'retire', journalId })
  return retirement.promise
}

function settleRetirement({ journalId, error }: ToThread & { type: 'retired' }): void {
  const retirement = retirements.get(journalId)
  retirements.delete(journalId)
  if (error === null) retirement?.resolve()
  else retirement?.reject(new Error(error))
}

function sendMeasures(): Meters {
  const names = Object.keys(METERS) as (keyof Meters)[]
  const send =
    (meter: keyof Meters) =>
    (...values: unknown[]) =>
      post({ type: 'measured', meter, values })
  return Object.fromEntries(names.map((meter) => [meter, send(meter)])) as Meters
}

function post(message: FromThread): void {
  port.postMessage(message)
}
