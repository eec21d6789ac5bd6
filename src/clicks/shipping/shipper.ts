import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Clock } from '../../platform/core/clock.ts'
import { OperatorError } from '../../platform/core/errors.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Keys } from '../../platform/core/secrets.ts'
import { aborted, sleep, type Service, WakeSignal } from '../../platform/core/service.ts'
import type { ToShortUrl } from '../../platform/facts/click-data.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { holdLock, isLockHeld, LockHeldError } from '../../platform/storage/installation/lock.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { JOURNAL_LOCK, listJournals } from '../journal/format.ts'
import { listSealedSegments, sealLeftovers } from '../journal/reader.ts'
import type { Fault } from './batch.ts'
import { createLedger, type Ledger } from './cursor.ts'
import { createDeepLinkFingerprints } from './deep-links.ts'
import { createEnrich, type EnrichDeps } from './enrich.ts'
import { JournalShipper } from './journal-shipper.ts'
import type { Meters } from './meters.ts'
import type { JournalReports } from './reports.ts'
import { BatchShipper } from './ship.ts'
import { createClickTable, type ClickTable } from './table.ts'
import { createPrivacySignals, createVisitors } from './visitor.ts'

/** Far below the interval of sealing, so that polling hardly delays a click. */
const POLL_EVERY_MS = 50
/** Segments are announced; polling also finds one whose announcement was lost. */
const POLL_ANNOUNCED_EVERY_MS = 1_000
const FIND_LEFTOVERS_EVERY_MS = 5_000
const SHUTDOWN_MS = 5_000
/** Enough to find rows that ClickHouse refuses. */
const OPERATOR_ATTEMPTS = 10
/** A younger folder without segments may belong to a process that is starting. */
const EMPTY_FOLDER_MS = 60_000

export type ShipperDeps = Pick<EnrichDeps, 'locate' | 'ownHosts'> & {
  sql: SystemSql
  clickhouse: ClickHouseClient
  secrets: Keys
  clock: Clock
  log: Log
  meters: Meters
  /** `DATA_DIR/quarantine`, for rows that ClickHouse refuses. */
  quarantineDir: string
  reports: Pick<JournalReports, 'retire'>
  /** The short URL that was clicked, for click.received; `host` is the visitor's Host header. */
  toShortUrl: ToShortUrl
}

export type ShipperParts = {
  table?: ClickTable
  ledger?: Ledger
  fault?: Fault
  settleMs?: number
}

export type ShipperOptions = {
  /** `DATA_DIR/journal`: one folder per process that ever answered redirects here. */
  journalDir: string
  /** Woken when a segment may have been sealed; without it the shipper polls often. */
  sealed?: WakeSignal
}

/**
 * The service that ships the journals of a data directory: each running process's journal on its own, and the
 * journals of ended processes one after the other. All state is in the folders, so nothing is lost however the
 * service ends. Close the journals before aborting the signal: then they are shipped to their end, within five
 * seconds, and the next start ships the rest.
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
      // Leaving unfinished work behind is as safe as a kill.
      await Promise.race([work, sleep(SHUTDOWN_MS, timeout.signal)])
      timeout.abort()
    },
  }
}

/**
 * Ships a rescued journal: a folder named by its journal id, or one that contains such folders. Shipping a
 * journal or a copy of it again changes nothing, because the cursor has its name.
 * @returns the number of segments; all of them are shipped
 * @throws OperatorError when the folder is not a journal, is in use, or cannot be shipped in time
 */
export async function shipFolder(
  directory: string,
  deps: ShipperDeps,
  signal: AbortSignal,
  parts: ShipperParts = {},
): Promise<number> {
  const folder = resolve(directory)
  const isJournal = (await listJournals(dirname(folder))).includes(basename(folder))
  const folders = isJournal
    ? [folder]
    : (await listJournals(folder)).map((journalId) => join(directory, journalId))
  if (folders.length === 0)
    throw new OperatorError(
      `There is no click journal in ${directory}. The folder of a journal has a name of 16 hexadecimal digits.`,
    )
  const pipeline = openPipeline(deps, parts)
  let segments = 0
  for (const journal of folders) {
    try {
      segments += await adopt(journal, pipeline, signal, OPERATOR_ATTEMPTS)
      if (signal.aborted) throw new Error('the time was up before its last segment')
    } catch (error) {
      throw new OperatorError(
        `The journal ${journal} was not shipped: ${(error as Error).message}.`,
      )
    }
  }
  return segments
}

type Pipeline = {
  shipper: JournalShipper
  fault: Fault
  reports: ShipperDeps['reports']
}

type Journals = ShipperDeps &
  ShipperOptions & {
    parts: ShipperParts
    busy: Set<string>
  }

/** Ships the journal of each running process, as soon as its folder is found. */
async function followEach(all: Journals, signal: AbortSignal): Promise<void> {
  const { journalDir, clock, busy, sealed = new WakeSignal() } = all
  const pollEveryMs = all.sealed === undefined ? POLL_EVERY_MS : POLL_ANNOUNCED_EVERY_MS
  void aborted(signal).then(() => sealed.wake())
  const following: Promise<void>[] = []
  while (!signal.aborted) {
    const seen = sealed.count
    for (const folder of await listShippable(journalDir, clock())) {
      if (busy.has(folder) || !isHeld(folder)) continue
      busy.add(folder)
      const followed = follow(folder, all, sealed, pollEveryMs, signal)
      following.push(followed.finally(() => busy.delete(folder)))
    }
    await sealed.givenSince(seen, pollEveryMs)
  }
  await Promise.all(following)
}

async function follow(
  folder: string,
  all: Journals,
  sealed: WakeSignal,
  pollEveryMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { shipper } = openPipeline(all, all.parts)
  while (!signal.aborted) {
    try {
      const seen = sealed.count
      const segments = await listSealedSegments(folder, false)
      await shipper.ship(segments, signal, Infinity)
      if (segments.length > 0) continue
      if (!isHeld(folder)) return
      await sealed.givenSince(seen, pollEveryMs)
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
  // Journals of processes that ended with this one may still be in work.
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
  { shipper, fault, reports }: Pipeline,
  signal: AbortSignal,
  attempts: number,
): Promise<number> {
  using _lock = holdJournal(folder)
  await sealLeftovers(folder, () => fault('tail-cut', basename(folder)))
  const segments = await listSealedSegments(folder, true)
  // An attempt that is running when the signal is aborted ends later, without a caller.
  await Promise.race([shipper.ship(segments, signal, attempts), aborted(signal)])
  if (!signal.aborted) {
    await reports.retire(basename(folder))
    await removeEmptyJournal(folder)
  }
  return segments.length
}

function openPipeline(deps: ShipperDeps, parts: ShipperParts): Pipeline {
  const { sql, secrets, clock } = deps
  const { fault = () => {}, settleMs } = parts
  const ledger = parts.ledger ?? createLedger({ ...deps, fault })
  const table = parts.table ?? createClickTable(deps.clickhouse)
  const visitors = createVisitors({ sql, secrets, clock })
  const signals = createPrivacySignals({ sql })
  const shipper = new JournalShipper({
    ...deps,
    enrich: createEnrich({ ...deps, visitors, signals }),
    visitors,
    signals,
    fingerprints: createDeepLinkFingerprints({ sql, secrets, clock }),
    batches: new BatchShipper({ ...deps, table, ledger, fault, settleMs }),
    ledger,
    fault,
  })
  return { shipper, fault, reports: deps.reports }
}

async function listShippable(journalDir: string, nowMs: number): Promise<string[]> {
  const folders: string[] = []
  for (const journalId of await listJournals(journalDir).catch(() => [])) {
    const folder = join(journalDir, journalId)
    if (!(await isStarting(folder, nowMs))) folders.push(folder)
  }
  return folders
}

function isHeld(folder: string): boolean {
  return isLockHeld(join(folder, JOURNAL_LOCK))
}

/** Locks the journal for its shipper. @throws LockHeldError while the process that writes it is alive */
export function holdJournal(folder: string) {
  const since = new Date().toISOString()
  return holdLock(join(folder, JOURNAL_LOCK), `process ${process.pid} since ${since}`)
}

async function removeEmptyJournal(folder: string): Promise<void> {
  const names = await readdir(folder)
  // No process waits for the lock that is removed with the folder: journal ids are never reused.
  if (names.every((name) => name.startsWith(JOURNAL_LOCK))) await rm(folder, { recursive: true })
}

/** A process creates its folder and, directly after it, its lock. */
async function isStarting(folder: string, nowMs: number): Promise<boolean> {
  try {
    const names = await readdir(folder)
    return names.length === 0 && nowMs - (await stat(folder)).mtimeMs < EMPTY_FOLDER_MS
  } catch {
    return true
  }
}
