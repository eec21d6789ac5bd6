import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { JOURNAL_LOCK, encodeRecord, newBootId, newSeed, type ClickRecord } from './format.ts'
import { holdLock } from '../storage/lock.ts'
import { createJournalSize, type JournalSize } from './size.ts'
import {
  beginSegment,
  closeSegment,
  cutSegment,
  isEmpty,
  isSyncing,
  sealSegment,
  syncSegment,
  type JournalFiles,
  type Outcome,
  type Segment,
  type Waiter,
} from './segment-writer.ts'

/**
 * The click journal's writer. A click goes this way, and only this way:
 *
 *   append ──▶ batch of this turn ──one write──▶ segment ─────────────▶ settled 'journaled'
 *                     │                             └─fsync: sync──┘         │
 *                     └── the disk refuses ──▶ settled 'dropped' or 'refused'┘ then it is answered
 *
 * What must stay true: nobody is told 'journaled' before the bytes are with the kernel (with
 * `fsync`: on the disk); every click is settled exactly once; no segment is sealed while a lower
 * one is open, because the shipper's cursor passes over what it has left behind.
 *
 * Writes are synchronous: the thread pool behind asynchronous ones can be full for a second,
 * while one write of a turn's clicks takes some hundredths of a millisecond. Only syncs, which
 * may wait for a disk, go through the pool.
 */

export type JournalDeps = {
  /** `DATA_DIR/journal`; this journal makes its own folder in it. */
  root: string
  durability: 'write' | 'fsync'
  /** When the disk refuses a click: answer and count it as dropped, or do not answer (503). */
  onFailure: 'serve' | 'refuse'
  log: Log
  sealEveryMs?: number
  sealBytes?: number
  /** All journals under `root` together; beyond it clicks are dropped as `journal_full`. */
  maxBytes?: number
  /** After a failed write, how long clicks are dropped before the disk is tried again. */
  retryMs?: number
  /** A segment is ready to be shipped. */
  onSeal?: (sequence: number) => void
  files?: JournalFiles
}

export type LossReason = 'disk_full' | 'io_error' | 'journal_full' | 'closed'
export type Losses = Record<LossReason, number>

export type JournalStats = {
  journaled: number
  /** Answered although the click could not be kept. */
  dropped: Losses
  /** Not answered because the click could not be kept. */
  refused: Losses
  /** Appended and not yet settled. */
  unsettled: number
  /** Upper bound of what all journals under `root` take on the disk. */
  bytes: number
}

export type Journal = {
  readonly bootId: string
  readonly folder: string
  /**
   * `waiter` is settled after this turn's write, never within this call.
   * @param linkPart `encodeLinkPart(click)`, when it was made before
   */
  append(click: ClickRecord, waiter: Waiter, linkPart?: string): void
  stats(): JournalStats
  /** Writes and seals what there is, then frees the folder. Later clicks are lost as `closed`. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const SEAL_EVERY_MS = 500
const SEAL_BYTES = 4 * 1024 * 1024
const MAX_BYTES = 2 * 1024 ** 3
const RETRY_MS = 200
const BATCH_BYTES = 256 * 1024
/** A batch that has grown by this factor is written before the turn is over. */
const MAX_BATCH_BYTES = 4 * BATCH_BYTES

/**
 * Makes a journal folder of its own under `root` and holds its lock until it is closed.
 * @throws when the folder cannot be made
 */
export function openJournal(deps: JournalDeps): Journal {
  const bootId = newBootId()
  const folder = join(deps.root, bootId)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const holder = `process ${process.pid} since ${new Date().toISOString()}`
  const lock = holdLock(join(folder, JOURNAL_LOCK), holder)
  const folderFd = fs.openSync(folder, 'r')
  const writer = new JournalWriter(deps, folder, folderFd)
  let closing: Promise<void> | null = null

  function close(): Promise<void> {
    closing ??= writer.close().finally(() => {
      fs.closeSync(folderFd)
      lock.release()
    })
    return closing
  }

  return {
    bootId,
    folder,
    append: (click, waiter, linkPart) => writer.append(click, waiter, linkPart),
    stats: () => writer.stats(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

class JournalWriter {
  readonly #deps: Required<Omit<JournalDeps, 'root' | 'maxBytes'>>
  readonly #folder: string
  readonly #folderFd: number
  readonly #size: JournalSize
  /** One for all segments, so that a batch need not know which segment it will land in. */
  readonly #seed = newSeed()
  readonly #dropped = noLosses()
  readonly #refused = noLosses()
  #journaled = 0
  #unsettled = 0

  #batch = Buffer.allocUnsafe(BATCH_BYTES)
  #used = 0
  /** Where each click of the batch ends in it, and who waits for it. */
  #ends: number[] = []
  #waiters: Waiter[] = []

  #sequence = 0
  #current: Segment | null = null
  /** Written to the end, waiting for their sync or for a rename that failed; in order. */
  readonly #retired: Segment[] = []
  #timer: NodeJS.Timeout | null = null
  #isClosed = false
  #failedUntilMs = -Infinity
  #lastReason: LossReason = 'io_error'
  #onQuiet: (() => void) | null = null

  constructor(deps: JournalDeps, folder: string, folderFd: number) {
    const { root, maxBytes = MAX_BYTES, ...rest } = deps
    this.#deps = {
      sealEveryMs: SEAL_EVERY_MS,
      sealBytes: SEAL_BYTES,
      retryMs: RETRY_MS,
      onSeal: () => {},
      files: fs,
      ...rest,
    }
    this.#folder = folder
    this.#folderFd = folderFd
    this.#size = createJournalSize(root, maxBytes)
  }

  append(click: ClickRecord, waiter: Waiter, linkPart?: string): void {
    this.#unsettled++
    if (this.#isClosed) {
      setImmediate(() => this.#lose([waiter], 'closed'))
      return
    }
    if (this.#waiters.length === 0) setImmediate(this.#flush)
    let end = encodeRecord(this.#batch, this.#used, this.#seed, click, linkPart)
    while (end === -1) {
      this.#makeRoom()
      end = encodeRecord(this.#batch, this.#used, this.#seed, click, linkPart)
    }
    this.#used = end
    this.#ends.push(end)
    this.#waiters.push(waiter)
  }

  stats(): JournalStats {
    return {
      journaled: this.#journaled,
      dropped: { ...this.#dropped },
      refused: { ...this.#refused },
      unsettled: this.#unsettled,
      bytes: this.#size.upperBound(),
    }
  }

  async close(): Promise<void> {
    this.#flush()
    this.#isClosed = true
    if (this.#current !== null) this.#retire(this.#current)
    const quiet = new Promise<void>((resolve) => (this.#onQuiet = resolve))
    this.#drain()
    await quiet
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    // What still cannot be renamed stays `.open`: the next start cuts and seals it.
    for (const segment of this.#retired) closeSegment(this.#deps.files, segment)
    this.#retired.length = 0
  }

  #makeRoom(): void {
    if (this.#batch.length < MAX_BATCH_BYTES)
      this.#batch = Buffer.concat([this.#batch], this.#batch.length * 2)
    else this.#flush()
  }

  /** Writes the batch and settles it, or leaves it to the sync. */
  readonly #flush = (): void => {
    const waiters = this.#waiters
    if (waiters.length === 0) return
    const kept = this.#write()
    this.#used = 0
    this.#ends = []
    this.#waiters = []
    if (this.#deps.durability === 'write') this.#settle(waiters, kept)
    if (kept < waiters.length) this.#lose(waiters.slice(kept), this.#lastReason)
    if (this.#current !== null && this.#current.size >= this.#deps.sealBytes)
      this.#retire(this.#current)
    this.#syncDue()
    this.#drain()
  }

  /** Returns how many leading clicks of the batch are in a segment. */
  #write(): number {
    if (performance.now() < this.#failedUntilMs) return 0
    if (this.#size.isFull(this.#used)) {
      this.#lastReason = 'journal_full'
      return 0
    }
    let kept = 0
    for (let attempt = 0; attempt < 2; attempt++) {
      const before = kept
      kept = this.#writeFrom(before)
      if (this.#deps.durability === 'fsync')
        this.#current?.unsynced.push(...this.#waiters.slice(before, kept))
      if (kept === this.#ends.length) return kept
      if (this.#current !== null) {
        // A torn record may lie behind the last whole one; the rest goes into a new segment.
        cutSegment(this.#deps.files, this.#current, this.#current.size)
        this.#retire(this.#current)
      }
    }
    this.#fail(this.#ends.length - kept, null)
    return kept
  }

  /** One write of the batch from its `kept`-th click on; returns the new count of kept ones. */
  #writeFrom(kept: number): number {
    const start = kept === 0 ? 0 : this.#ends[kept - 1]!
    const wanted = this.#used - start
    let written: number
    let segment: Segment
    try {
      segment = this.#current ??= this.#begin()
      written = this.#deps.files.writeSync(segment.fd, this.#batch, start, wanted, segment.size)
    } catch (error) {
      this.#lastReason = reasonOf(error)
      return kept
    }
    let whole = this.#ends.length
    if (written < wanted) {
      this.#lastReason = 'disk_full'
      whole = this.#ends.findIndex((end) => end > start + written)
    }
    const bytes = (whole === 0 ? 0 : this.#ends[whole - 1]!) - start
    segment.size += bytes
    this.#size.add(bytes)
    return whole
  }

  #begin(): Segment {
    this.#sequence++
    const segment = beginSegment(this.#deps.files, this.#folder, this.#sequence, this.#seed)
    this.#size.add(segment.size)
    this.#arm()
    return segment
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      if (this.#current !== null) this.#retire(this.#current)
      this.#drain()
      if (this.#retired.length > 0) this.#arm()
    }, this.#deps.sealEveryMs)
  }

  #retire(segment: Segment): void {
    this.#retired.push(segment)
    if (segment === this.#current) this.#current = null
  }

  /** Seals retired segments in order; stops at one that is still syncing or cannot be renamed. */
  #drain(): void {
    while (this.#retired.length > 0) {
      const segment = this.#retired[0]!
      if (isSyncing(segment)) break
      try {
        sealSegment(this.#deps.files, this.#folder, segment)
      } catch (error) {
        this.#deps.log.error({ err: error, sequence: segment.sequence }, 'a segment stays open')
        if (!this.#isClosed) this.#arm()
        break
      }
      this.#retired.shift()
      if (!isEmpty(segment)) this.#deps.onSeal(segment.sequence)
    }
    if (!this.#retired.some(isSyncing)) this.#onQuiet?.()
  }

  #syncDue(): void {
    for (const segment of this.#retired) this.#sync(segment)
    if (this.#current !== null) this.#sync(this.#current)
  }

  /** Group commit: what arrives during a sync is covered by the next one. */
  #sync(segment: Segment): void {
    if (segment.isSyncing || segment.unsynced.length === 0) return
    const covered = segment.unsynced
    const coveredSize = segment.size
    segment.unsynced = []
    segment.isSyncing = true
    syncSegment(this.#deps.files, this.#folderFd, segment, (error) => {
      segment.isSyncing = false
      if (error) this.#failSync(segment, covered, error)
      else {
        segment.syncedSize = coveredSize
        this.#settle(covered, covered.length)
        this.#sync(segment)
      }
      this.#drain()
    })
  }

  /**
   * After a failed sync nobody knows what the disk holds. Nothing behind `syncedSize` has been
   * answered, so it is cut off and lost as a whole.
   */
  #failSync(segment: Segment, covered: Waiter[], error: Error): void {
    const lost = [...covered, ...segment.unsynced]
    segment.unsynced = []
    cutSegment(this.#deps.files, segment, segment.syncedSize)
    if (segment === this.#current) this.#retire(segment)
    this.#lastReason = reasonOf(error)
    this.#fail(lost.length, error)
    this.#lose(lost, this.#lastReason)
  }

  #fail(lost: number, error: Error | null): void {
    this.#failedUntilMs = performance.now() + this.#deps.retryMs
    const reason = this.#lastReason
    this.#deps.log.error({ err: error, reason, lost }, 'the click journal cannot be written')
  }

  #settle(waiters: Waiter[], count: number): void {
    this.#journaled += count
    for (let i = 0; i < count; i++) this.#tell(waiters[i]!, 'journaled')
  }

  #lose(lost: Waiter[], reason: LossReason): void {
    const isServing = this.#deps.onFailure === 'serve'
    const losses = isServing ? this.#dropped : this.#refused
    losses[reason] += lost.length
    for (const waiter of lost) this.#tell(waiter, isServing ? 'dropped' : 'refused')
  }

  #tell(waiter: Waiter, outcome: Outcome): void {
    this.#unsettled--
    try {
      waiter.settled(outcome)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'an answer failed after its click was settled')
    }
  }
}

function noLosses(): Losses {
  return { disk_full: 0, io_error: 0, journal_full: 0, closed: 0 }
}

function reasonOf(error: unknown): LossReason {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'disk_full' : 'io_error'
}
