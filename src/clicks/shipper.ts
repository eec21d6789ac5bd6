import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Registry } from 'prom-client'
import type { Clock } from '../base/clock.ts'
import { OperatorError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Secrets } from '../base/secrets.ts'
import { aborted, sleep, type Service } from '../base/service.ts'
import type { ClickHouseClient } from '../storage/clickhouse.ts'
import { JOURNAL_LOCK, listJournals } from '../journal/format.ts'
import { LockHeldError, holdLock } from '../storage/lock.ts'
import type { SystemSql } from '../storage/postgres.ts'
import { createLedger, type Ledger } from './cursor.ts'
import type { Fault } from './fault.ts'
import { createLane, type Lane } from './lane.ts'
import { metersOf, type Meters } from './meters.ts'
import { sealLeftovers, sealedSegments, type Segment } from '../journal/segment-reader.ts'
import { createShipping } from './ship.ts'
import { createSteps, type Facts } from './steps.ts'
import { createClickTable, type ClickTable } from './table.ts'
import { createVisitors } from './visitor.ts'

/** Well below the interval of sealing, so that looking adds little to when a click is seen. */
const LOOK_EVERY_MS = 50
const LOOK_FOR_LEFTOVERS_EVERY_MS = 5_000
/** How long a shutdown may take over what is sealed; the rest waits for the next start. */
const LAST_SHIPPING_MS = 5_000
/** A folder without segments may belong to a process that has just made it. */
const EMPTY_FOLDER_MS = 60_000
/** Enough for the search of rows that are refused. */
const TRIES_BY_HAND = 10

export type ShipperDeps = {
  sql: SystemSql
  clickhouse: ClickHouseClient
  secrets: Secrets
  facts: Facts
  clock: Clock
  log: Log
  registry: Registry
  /** Where rows go that ClickHouse refuses: `DATA_DIR/quarantine`. */
  quarantineDir: string
  /** The short URL that was clicked, for click.received; `host` is what the visitor asked for. */
  shortUrlOf: (host: string, slug: string) => string
}

/** What tests put in the place of a part, or take away from its timing. */
export type ShipperParts = {
  table?: ClickTable
  ledger?: Ledger
  fault?: Fault
  settleMs?: number
}

export type ShipperOptions = {
  /** `DATA_DIR/journal`: holds one folder per process that ever answered redirects here. */
  journalDir: string
  /** The folder that this process writes to; null when it answers no redirects. */
  ownFolder: string | null
}

/**
 * The service that ships this process's own journal, and the journals of processes that died.
 * Close the own journal before the signal is aborted: then what it holds is shipped, within five
 * seconds, and the rest lies safe for the next start.
 */
export function createShipper(deps: ShipperDeps & ShipperOptions, parts?: ShipperParts): Service {
  const { clock, log, journalDir, ownFolder } = deps
  const meters = metersOf(deps.registry)

  return {
    name: 'shipper',
    async run(signal) {
      const last = new AbortController()
      const work = Promise.all([shipOwn(signal, last.signal), shipLeftovers(signal)])
      await aborted(signal)
      // What is still under way then is as safe as if the process had been killed.
      await Promise.race([work, sleep(LAST_SHIPPING_MS, last.signal)])
      last.abort()
    },
  }

  async function shipOwn(signal: AbortSignal, last: AbortSignal): Promise<void> {
    if (ownFolder === null) return
    const lane = buildLane(deps, meters, parts)
    while (!signal.aborted) {
      try {
        const segments = await sealedSegments(ownFolder, false)
        await measure(meters, 'own', segments)
        await lane.ship(segments, signal, Infinity)
        if (segments.length === 0) await sleep(LOOK_EVERY_MS, signal)
      } catch (error) {
        if (signal.aborted) break
        log.error({ err: error, folder: ownFolder }, 'the click journal cannot be shipped')
        await sleep(LOOK_FOR_LEFTOVERS_EVERY_MS, signal)
      }
    }
    // The journal is closed by now, so that its folder can be taken over and cleared away.
    try {
      await adopt(ownFolder, { lane, meters, fault: parts?.fault }, last, 1)
    } catch (error) {
      if (!(error instanceof LockHeldError) && !last.aborted)
        log.warn({ err: error, folder: ownFolder }, 'clicks are left for the next start')
    }
  }

  async function shipLeftovers(signal: AbortSignal): Promise<void> {
    const lane = buildLane(deps, meters, parts)
    while (!signal.aborted) {
      for (const journalId of await listJournals(journalDir).catch(() => [])) {
        const folder = join(journalDir, journalId)
        const isOwn = ownFolder !== null && resolve(folder) === resolve(ownFolder)
        if (isOwn || signal.aborted || (await isBeingMade(folder, clock()))) continue
        await adopt(folder, { lane, meters, fault: parts?.fault }, signal, Infinity).catch(
          (error: unknown) => {
            if (error instanceof LockHeldError || signal.aborted) return
            log.error({ err: error, folder }, 'a journal that was left behind cannot be shipped')
          },
        )
      }
      await sleep(LOOK_FOR_LEFTOVERS_EVERY_MS, signal)
    }
  }
}

/**
 * Ships a rescued journal: a folder named by its journal id, or one that holds such folders.
 * Shipping one again, or a copy of one, changes nothing: its cursor is known by that name.
 * @returns how many segments there were; all of them are shipped
 * @throws OperatorError when the folder is no journal, is in use, or can't be shipped in time
 */
export async function shipFolder(
  directory: string,
  deps: ShipperDeps,
  signal: AbortSignal,
  parts?: ShipperParts,
): Promise<number> {
  const parent = dirname(resolve(directory))
  const isJournal = (await listJournals(parent)).includes(basename(resolve(directory)))
  const folders = isJournal
    ? [resolve(directory)]
    : (await listJournals(directory)).map((journalId) => join(directory, journalId))
  if (folders.length === 0)
    throw new OperatorError(
      `There is no click journal at ${directory}; its folder is named by 16 hexadecimal digits.`,
    )
  const meters = metersOf(deps.registry)
  const tools = { lane: buildLane(deps, meters, parts), meters, fault: parts?.fault }
  let segments = 0
  for (const folder of folders) {
    try {
      segments += await adopt(folder, tools, signal, TRIES_BY_HAND)
      if (signal.aborted) throw new Error('time was up before its last segment')
    } catch (error) {
      throw new OperatorError(`The journal ${folder} was not shipped: ${(error as Error).message}.`)
    }
  }
  return segments
}

type Tools = { lane: Lane; meters: Meters; fault: Fault | undefined }

/** @throws LockHeldError when its process is alive */
async function adopt(
  folder: string,
  { lane, meters, fault }: Tools,
  signal: AbortSignal,
  tries: number,
): Promise<number> {
  const since = new Date().toISOString()
  using _lock = holdLock(join(folder, JOURNAL_LOCK), `process ${process.pid} since ${since}`)
  await sealLeftovers(folder, () => fault?.('tail-cut', basename(folder)))
  const segments = await sealedSegments(folder, true)
  await measure(meters, 'inherited', segments)
  // A try that is under way when time is up ends on its own; nobody waits for it.
  await Promise.race([lane.ship(segments, signal, tries), aborted(signal)])
  if (signal.aborted) return segments.length
  await measure(meters, 'inherited', [])
  await removeEmpty(folder)
  return segments.length
}

/** Journal ids are never used twice, so nobody will look for the lock that goes with the folder. */
async function removeEmpty(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.every((name) => name.startsWith(JOURNAL_LOCK))) await rm(folder, { recursive: true })
}

/** A process makes its folder first and its lock at once after it. */
async function isBeingMade(folder: string, nowMs: number): Promise<boolean> {
  try {
    const names = await readdir(folder)
    return names.length === 0 && nowMs - (await stat(folder)).mtimeMs < EMPTY_FOLDER_MS
  } catch {
    return true
  }
}

function buildLane(deps: ShipperDeps, meters: Meters, parts: ShipperParts = {}): Lane {
  const { sql, secrets, clock, log, quarantineDir } = deps
  const visitors = createVisitors({ sql, secrets, clock })
  const ledger = parts.ledger ?? createLedger({ ...parts, sql, clock, shortUrlOf: deps.shortUrlOf })
  const table = parts.table ?? createClickTable(deps.clickhouse)
  const shipping = createShipping({ ...parts, table, ledger, quarantineDir, meters, log })
  const steps = createSteps(deps.facts, visitors)
  return createLane({ ...parts, steps, visitors, shipping, ledger, meters, log, clock })
}

async function measure(
  meters: Meters,
  journal: 'own' | 'inherited',
  segments: readonly Segment[],
): Promise<void> {
  const sizes = await Promise.all(
    segments.map(({ sealedFile }) =>
      stat(sealedFile).then(
        (file) => file.size,
        () => 0,
      ),
    ),
  )
  meters.waitingSegments.set({ journal }, segments.length)
  meters.waitingBytes.set(
    { journal },
    sizes.reduce((sum, size) => sum + size, 0),
  )
}
