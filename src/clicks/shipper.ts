import { basename, dirname, join, resolve } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { OperatorError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Keys } from '../base/secrets.ts'
import type { ToShortUrl } from '../facts/click-data.ts'
import { aborted, sleep, type Service } from '../base/service.ts'
import { listJournals } from '../journal/format.ts'
import { listSealedSegments, sealLeftovers } from '../journal/reader.ts'
import type { ClickHouseClient } from '../storage/clickhouse.ts'
import { LockHeldError } from '../storage/lock.ts'
import type { SystemSql } from '../storage/postgres.ts'
import { createLedger, type Ledger } from './cursor.ts'
import { createEnrich, type Facts } from './enrich.ts'
import { createDeepLinkFingerprints } from './fingerprints.ts'
import type { Fault } from './fault.ts'
import { JournalShipper } from './journal-shipper.ts'
import { holdJournal, listOtherJournals, retireJournal } from './journals.ts'
import type { Meters } from './meters.ts'
import type { JournalReports } from './reports.ts'
import { Shipping } from './ship.ts'
import { createPrivacySignals } from './signals.ts'
import { createClickTable, type ClickTable } from './table.ts'
import { createVisitors } from './visitor.ts'

/** Far below the interval of sealing, so that polling adds little to the time until a click is visible. */
const POLL_EVERY_MS = 50
const FIND_LEFTOVERS_EVERY_MS = 5_000
/** Time for the last segments at a shutdown; the next start ships the rest. */
const SHUTDOWN_MS = 5_000
/** Enough to find rows that ClickHouse refuses. */
const ATTEMPTS_OF_OPERATOR = 10

export type ShipperDeps = {
  sql: SystemSql
  clickhouse: ClickHouseClient
  secrets: Keys
  facts: Facts
  clock: Clock
  log: Log
  meters: Meters
  /** `DATA_DIR/quarantine`: rows that ClickHouse refuses. */
  quarantineDir: string
  reports: Pick<JournalReports, 'retire'>
  /** The short URL that was clicked, for click.received; `host` is the Host header of the visitor. */
  toShortUrl: ToShortUrl
}

/** Parts and times that tests replace. */
export type ShipperParts = {
  table?: ClickTable
  ledger?: Ledger
  fault?: Fault
  settleMs?: number
}

export type ShipperOptions = {
  /** `DATA_DIR/journal`: one folder per process that ever answered redirects here. */
  journalDir: string
  /** The folder that this process writes to; null if it answers no redirects. */
  ownFolder: string | null
  /** False for a process that ships its own journal alone, and leaves the rest of it to the one that started it. */
  adopts?: boolean
  /** Resolves when a segment of it was sealed since the last call, or the signal is aborted; by default, soon. */
  untilSealed?: (signal: AbortSignal) => Promise<void>
}

/**
 * Service that ships the journal of this process, and the journals of processes that died. Close the
 * own journal before the signal is aborted: then its segments are shipped, within five seconds, and
 * the next start ships the rest. Journals of other processes that ended before are shipped too.
 */
export function createShipper(
  deps: ShipperDeps & ShipperOptions,
  parts: ShipperParts = {},
): Service {
  return {
    name: 'shipper',
    async run(signal) {
      const timeout = new AbortController()
      const work = Promise.all([
        shipOwn(deps, openPipeline(deps, parts), signal, timeout.signal),
        deps.adopts === false
          ? null
          : shipLeftovers(deps, openPipeline(deps, parts), signal, timeout.signal),
      ])
      await aborted(signal)
      // Work that exceeds the time is as safe as if the process had been killed.
      await Promise.race([work, sleep(SHUTDOWN_MS, timeout.signal)])
      timeout.abort()
    },
  }
}

/**
 * Ships a rescued journal: a folder that is named by its journal id, or one that holds such folders.
 * Shipping a journal or a copy of it again changes nothing: its cursor has that name.
 * @returns the number of segments; all of them are shipped
 * @throws OperatorError when the folder is not a journal, is in use, or cannot be shipped in time
 */
export async function shipFolder(
  directory: string,
  deps: ShipperDeps,
  signal: AbortSignal,
  parts: ShipperParts = {},
): Promise<number> {
  const parent = dirname(resolve(directory))
  const isJournal = (await listJournals(parent)).includes(basename(resolve(directory)))
  const folders = isJournal
    ? [resolve(directory)]
    : (await listJournals(directory)).map((journalId) => join(directory, journalId))
  if (folders.length === 0)
    throw new OperatorError(
      `There is no click journal in ${directory}. The folder of a journal has a name of 16 hexadecimal digits.`,
    )
  const pipeline = openPipeline(deps, parts)
  let segments = 0
  for (const folder of folders) {
    try {
      segments += await adopt(folder, pipeline, signal, ATTEMPTS_OF_OPERATOR)
      if (signal.aborted) throw new Error('the time was up before its last segment')
    } catch (error) {
      throw new OperatorError(`The journal ${folder} was not shipped: ${(error as Error).message}.`)
    }
  }
  return segments
}

type Pipeline = {
  journals: JournalShipper
  fault: Fault
  reports: ShipperDeps['reports']
}

async function shipOwn(
  deps: ShipperDeps & ShipperOptions,
  pipeline: Pipeline,
  signal: AbortSignal,
  timeout: AbortSignal,
): Promise<void> {
  const { ownFolder, log, adopts } = deps
  if (ownFolder === null) return
  const { untilSealed = (end: AbortSignal) => sleep(POLL_EVERY_MS, end) } = deps
  while (!signal.aborted) {
    try {
      const segments = await listSealedSegments(ownFolder, false)
      await pipeline.journals.ship(segments, signal, Infinity)
      if (segments.length === 0) await untilSealed(signal)
    } catch (error) {
      if (signal.aborted) break
      log.error({ err: error, folder: ownFolder }, 'the click journal could not be shipped')
      await sleep(FIND_LEFTOVERS_EVERY_MS, signal)
    }
  }
  if (adopts === false) return
  // The journal is closed at this point, so its lock is free and its folder can be removed.
  try {
    await adopt(ownFolder, pipeline, timeout, 1)
  } catch (error) {
    if (!(error instanceof LockHeldError) && !timeout.aborted)
      log.warn({ err: error, folder: ownFolder }, 'clicks remain for the next start to ship')
  }
}

async function shipLeftovers(
  deps: ShipperDeps & ShipperOptions,
  pipeline: Pipeline,
  signal: AbortSignal,
  timeout: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await shipEachLeftover(deps, pipeline, signal, Infinity)
    await sleep(FIND_LEFTOVERS_EVERY_MS, signal)
  }
  // Journals of other processes that ended with this one.
  await shipEachLeftover(deps, pipeline, timeout, 1)
}

async function shipEachLeftover(
  { journalDir, ownFolder, clock, log }: ShipperDeps & ShipperOptions,
  pipeline: Pipeline,
  signal: AbortSignal,
  attempts: number,
): Promise<void> {
  for (const folder of await listOtherJournals(journalDir, ownFolder, clock())) {
    if (signal.aborted) break
    await adopt(folder, pipeline, signal, attempts).catch((error: unknown) => {
      if (error instanceof LockHeldError || signal.aborted) return
      log.error({ err: error, folder }, 'the journal of another process could not be shipped')
    })
  }
}

/** @throws LockHeldError when the process of the journal is alive */
async function adopt(
  folder: string,
  { journals, fault, reports }: Pipeline,
  signal: AbortSignal,
  attempts: number,
): Promise<number> {
  using _lock = holdJournal(folder)
  await sealLeftovers(folder, () => fault('tail-cut', basename(folder)))
  const segments = await listSealedSegments(folder, true)
  // An attempt that is running when the signal is aborted ends later, without a caller.
  await Promise.race([journals.ship(segments, signal, attempts), aborted(signal)])
  if (!signal.aborted) await retireJournal(folder, reports)
  return segments.length
}

function openPipeline(deps: ShipperDeps, parts: ShipperParts): Pipeline {
  const { sql, secrets, clock, log, meters, quarantineDir, toShortUrl } = deps
  const { fault = () => {}, settleMs } = parts
  const visitors = createVisitors({ sql, secrets, clock })
  const ledger = parts.ledger ?? createLedger({ sql, clock, toShortUrl, fault })
  const table = parts.table ?? createClickTable(deps.clickhouse)
  const shipping = new Shipping({ table, ledger, quarantineDir, meters, log, fault, settleMs })
  const signals = createPrivacySignals({ sql })
  const enrich = createEnrich(deps.facts, visitors, signals)
  const journals = new JournalShipper({
    enrich,
    visitors,
    signals,
    fingerprints: createDeepLinkFingerprints({ sql, secrets, clock }),
    shipping,
    ledger,
    meters,
    log,
    clock,
    fault,
  })
  return { journals, fault, reports: deps.reports }
}
