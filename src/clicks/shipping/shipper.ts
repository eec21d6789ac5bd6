import { basename, dirname, join, resolve } from 'node:path'
import type { Clock } from '../../platform/core/clock.ts'
import { OperatorError } from '../../platform/core/errors.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Keys } from '../../platform/core/secrets.ts'
import type { ToShortUrl } from '../../platform/facts/click-data.ts'
import { aborted, sleep, type Service } from '../../platform/core/service.ts'
import { WakeSignal } from '../../platform/core/wake-signal.ts'
import { listJournals } from '../journal/format.ts'
import { listSealedSegments, sealLeftovers } from '../journal/reader.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { LockHeldError } from '../../platform/storage/installation/lock.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { createLedger, type Ledger } from './cursor.ts'
import { createEnrich, type Facts } from './enrich.ts'
import { createDeepLinkFingerprints } from './fingerprints.ts'
import type { Fault } from './fault.ts'
import { JournalShipper } from './journal-shipper.ts'
import { holdJournal, isHeld, listShippable, retireJournal } from './journals.ts'
import type { Meters } from './meters.ts'
import type { JournalReports } from './reports.ts'
import { Shipping } from './ship.ts'
import { createPrivacySignals } from './signals.ts'
import { createClickTable, type ClickTable } from './table.ts'
import { createVisitors } from './visitor.ts'

/** Far below the interval of sealing, so that polling adds little to the time until a click is visible. */
const POLL_EVERY_MS = 50
/** Segments are announced; looking for them as well costs little and finds one whose message was lost. */
const LOOK_EVERY_MS = 1_000
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
  /** Woken when a segment may have been sealed; without it the shipper looks often. */
  sealed?: WakeSignal
}

/**
 * Service that ships the journals of a data directory: those of processes that run, which hold their locks, each by
 * itself, and those of processes that have ended, one after the other. Nothing but the folders tells what is to be done, so
 * an end in any way loses nothing. Close the journals before the signal is aborted: then they are shipped to their
 * end, within five seconds, and the next start ships the rest.
 */
export function createShipper(
  deps: ShipperDeps & ShipperOptions,
  parts: ShipperParts = {},
): Service {
  return {
    name: 'shipper',
    async run(signal) {
      const timeout = new AbortController()
      const all = { ...deps, parts, busy: new Set<string>() }
      const work = Promise.all([
        followEach(all, signal),
        shipLeftovers(all, openPipeline(deps, parts), signal, timeout.signal),
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

type Journals = ShipperDeps &
  ShipperOptions & {
    parts: ShipperParts
    /** Folders that are being shipped: two pipelines would write the same files. */
    busy: Set<string>
  }

/** Ships the journal of each process that runs, from when its folder is found. */
async function followEach(all: Journals, signal: AbortSignal): Promise<void> {
  const { journalDir, clock, busy, sealed = new WakeSignal() } = all
  const lookEveryMs = all.sealed === undefined ? POLL_EVERY_MS : LOOK_EVERY_MS
  void aborted(signal).then(() => sealed.wake())
  const following: Promise<void>[] = []
  while (!signal.aborted) {
    const seen = sealed.count
    for (const folder of await listShippable(journalDir, clock())) {
      if (busy.has(folder) || !isHeld(folder)) continue
      busy.add(folder)
      const untilSealed = (since: number) => sealed.givenSince(since, lookEveryMs)
      const followed = follow(folder, all, { count: () => sealed.count, untilSealed }, signal)
      following.push(followed.finally(() => busy.delete(folder)))
    }
    await sealed.givenSince(seen, lookEveryMs)
  }
  await Promise.all(following)
}

type Seals = { count: () => number; untilSealed: (since: number) => Promise<unknown> }

async function follow(
  folder: string,
  all: Journals,
  { count, untilSealed }: Seals,
  signal: AbortSignal,
): Promise<void> {
  const { journals } = openPipeline(all, all.parts)
  while (!signal.aborted) {
    try {
      const seen = count()
      const segments = await listSealedSegments(folder, false)
      await journals.ship(segments, signal, Infinity)
      if (segments.length > 0) continue
      if (!isHeld(folder)) return
      await untilSealed(seen)
    } catch (error) {
      if (signal.aborted) return
      all.log.error({ err: error, folder }, 'the click journal could not be shipped')
      await sleep(FIND_LEFTOVERS_EVERY_MS, signal)
    }
  }
}

async function shipLeftovers(
  all: Journals,
  pipeline: Pipeline,
  signal: AbortSignal,
  timeout: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await shipEachLeftover(all, pipeline, signal, Infinity)
    await sleep(FIND_LEFTOVERS_EVERY_MS, signal)
  }
  // Journals of processes that ended with this one; the last work on them may still be running.
  while (all.busy.size > 0 && !timeout.aborted) await sleep(POLL_EVERY_MS, timeout)
  await shipEachLeftover(all, pipeline, timeout, 1)
}

async function shipEachLeftover(
  { journalDir, clock, log, busy }: Journals,
  pipeline: Pipeline,
  signal: AbortSignal,
  attempts: number,
): Promise<void> {
  for (const folder of await listShippable(journalDir, clock())) {
    if (signal.aborted) break
    if (busy.has(folder)) continue
    busy.add(folder)
    await adopt(folder, pipeline, signal, attempts)
      .catch((error: unknown) => {
        if (error instanceof LockHeldError || signal.aborted) return
        log.error({ err: error, folder }, 'the journal of another process could not be shipped')
      })
      .finally(() => busy.delete(folder))
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
