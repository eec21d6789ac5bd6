import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../platform/core/log.ts'
import { createOutageWarning } from '../../platform/core/service.ts'
import { holdLock, type Lock } from '../../platform/storage/installation/lock.ts'
import { JOURNAL_LOCK, encodeRecord, newBootId, newSeed, type ClickRecord } from './format.ts'
import {
  beginSegment,
  closeSegment,
  cutSegment,
  isSyncing,
  sealSegment,
  syncSegment,
  tryFolder,
  TRIAL_BYTES,
  type JournalFiles,
  type OpenSegment,
  type Outcome,
  type Waiter,
} from './open-segment.ts'
import { JournalSize } from './size.ts'

export type JournalDeps = {
  /** `DATA_DIR/journal`; each journal creates its own folder in it. */
  root: string
  durability: 'write' | 'fsync'
  /** On a disk error: `serve` answers and counts the click as dropped, `refuse` answers 503. */
  onFailure: 'serve' | 'refuse'
  log: Log
  sealEveryMs?: number
  sealBytes?: number
  /** For all journals under `root` together; beyond it clicks are lost as `journal_full`. */
  maxBytes?: number
  writers?: number
  /** After a failed write, clicks are lost for this long without another attempt. */
  retryMs?: number
  files?: JournalFiles
  onSealed?: () => void
}

type LossReason = 'disk_full' | 'io_error' | 'journal_full' | 'closed'
type Losses = Record<LossReason, number>

const SEAL_EVERY_MS = 500
const SEAL_BYTES = 4 * 1024 * 1024
const MAX_BYTES = 2 * 1024 ** 3
const RETRY_MS = 200
const BATCH_BYTES = 256 * 1024
/** A batch of this size is written before the end of the turn. */
const MAX_BATCH_BYTES = 4 * BATCH_BYTES

export function openJournal(deps: JournalDeps): Journal {
  const folder = join(deps.root, newBootId())
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const holder = `process ${process.pid} since ${new Date().toISOString()}`
  const lock = holdLock(join(folder, JOURNAL_LOCK), holder)
  return new Journal(deps, folder, lock)
}

/**
 * Writer of the click journal. The path of a click:
 *
 *   append ──▶ batch of this turn ──one write──▶ segment ─────────────▶ settled 'journaled'
 *                     │                             └─fsync: sync──┘         │
 *                     └── disk error ──▶ settled 'dropped' or 'refused' ─────┘ then it is answered
 *
 * Invariants: 'journaled' means that the kernel (with `fsync`: the disk) has the bytes; every click
 * is settled exactly once; no segment is sealed while a lower one is open, because the shipper's
 * cursor never moves back.
 *
 * Writes are synchronous: asynchronous ones can wait for a full thread pool for a second, while the
 * write of a turn's clicks takes a few hundredths of a millisecond. Only syncs use the pool.
 */
export class Journal {
  readonly folder: string
  readonly #deps: Required<Omit<JournalDeps, 'root' | 'maxBytes' | 'writers'>>
  readonly #lock: Lock
  readonly #folderFd: number
  readonly #size: JournalSize
  /** One for all segments, so that a batch can be encoded before its segment is known. */
  readonly #seed = newSeed()
  readonly #dropped = noLosses()
  readonly #refused = noLosses()
  #journaled = 0
  #unsettled = 0

  #batch = Buffer.allocUnsafe(BATCH_BYTES)
  #used = 0
  /** The end of each click in the batch, and its waiter. */
  #ends: number[] = []
  #waiters: Waiter[] = []

  #sequence = 0
  #current: OpenSegment | null = null
  /** Complete segments that wait for a sync, or whose rename failed; in order. */
  readonly #retired: OpenSegment[] = []
  #timer: NodeJS.Timeout | null = null
  #closing: Promise<void> | null = null
  #failedUntilMs = -Infinity
  #lastReason: LossReason = 'io_error'
  /** Attempts follow within a second, and the log may be on the full disk. */
  readonly #warn: ReturnType<typeof createOutageWarning>
  #onSynced: (() => void) | null = null

  constructor(deps: JournalDeps, folder: string, lock: Lock) {
    const { durability, onFailure, log, files = fs } = deps
    const { sealEveryMs = SEAL_EVERY_MS, sealBytes = SEAL_BYTES, retryMs = RETRY_MS } = deps
    const times = { sealEveryMs, sealBytes, retryMs }
    this.#deps = {
      durability,
      onFailure,
      log,
      files,
      ...times,
      onSealed: deps.onSealed ?? (() => {}),
    }
    this.#warn = createOutageWarning(log, 'error')
    this.#lock = lock
    this.folder = folder
    this.#folderFd = fs.openSync(folder, 'r')
    this.#size = new JournalSize(deps.root, deps.maxBytes ?? MAX_BYTES, deps.writers)
  }

  append(click: ClickRecord, waiter: Waiter, linkPart?: string): void {
    this.#unsettled++
    if (this.#closing !== null) {
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

  stats() {
    return {
      journaled: this.#journaled,
      dropped: { ...this.#dropped },
      refused: { ...this.#refused },
      unsettled: this.#unsettled,
      bytes: this.#size.upperBound(),
    }
  }

  requireWritable(): void {
    if (this.#closing !== null) throw new Error('the click journal is closed')
    if (this.#size.isFull(TRIAL_BYTES)) throw new Error('the click journal is full')
    tryFolder(this.#deps.files, this.folder)
  }

  /** Writes and seals everything, then unlocks the folder. Later clicks are lost as `closed`. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    this.#flush()
    if (this.#current !== null) this.#retire(this.#current)
    const synced = new Promise<void>((resolve) => (this.#onSynced = resolve))
    this.#sealRetired()
    await synced
    if (this.#timer !== null) clearTimeout(this.#timer)
    // A segment that still cannot be renamed stays `.open`: the next start cuts and seals it.
    for (const segment of this.#retired) closeSegment(this.#deps.files, segment)
    fs.closeSync(this.#folderFd)
    this.#lock.release()
  }

  #makeRoom(): void {
    if (this.#batch.length < MAX_BATCH_BYTES)
      this.#batch = Buffer.concat([this.#batch], this.#batch.length * 2)
    else this.#flush()
  }

  readonly #flush = (): void => {
    const waiters = this.#waiters
    if (waiters.length === 0) return
    const kept = this.#write()
    this.#used = 0
    this.#ends = []
    this.#waiters = []
    if (this.#deps.durability === 'write') this.#settle(waiters, kept)
    if (kept < waiters.length) this.#lose(waiters.slice(kept), this.#lastReason)
    if (this.#current !== null && this.#current.sizeBytes >= this.#deps.sealBytes)
      this.#retire(this.#current)
    this.#syncDue()
    this.#sealRetired()
  }

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
        // A torn record may follow the last whole one; the rest goes into a new segment.
        cutSegment(this.#deps.files, this.#current, this.#current.sizeBytes)
        this.#retire(this.#current)
      }
    }
    this.#fail(null)
    return kept
  }

  #writeFrom(kept: number): number {
    const start = kept === 0 ? 0 : this.#ends[kept - 1]!
    const wanted = this.#used - start
    let written: number
    let segment: OpenSegment
    try {
      segment = this.#current ??= this.#begin()
      written = this.#deps.files.writeSync(
        segment.fd,
        this.#batch,
        start,
        wanted,
        segment.sizeBytes,
      )
    } catch (error) {
      this.#lastReason = toLossReason(error)
      return kept
    }
    let whole = this.#ends.length
    if (written < wanted) {
      this.#lastReason = 'disk_full'
      whole = this.#ends.findIndex((end) => end > start + written)
    }
    const bytes = (whole === 0 ? 0 : this.#ends[whole - 1]!) - start
    segment.sizeBytes += bytes
    this.#size.add(bytes)
    return whole
  }

  #begin(): OpenSegment {
    this.#sequence++
    const segment = beginSegment(this.#deps.files, this.folder, this.#sequence, this.#seed)
    this.#size.add(segment.sizeBytes)
    this.#arm()
    return segment
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      if (this.#current !== null) this.#retire(this.#current)
      this.#sealRetired()
      if (this.#retired.length > 0) this.#arm()
    }, this.#deps.sealEveryMs)
  }

  #retire(segment: OpenSegment): void {
    this.#retired.push(segment)
    if (segment === this.#current) this.#current = null
  }

  /** Seals retired segments in order, up to one that is syncing or cannot be renamed. */
  #sealRetired(): void {
    while (this.#retired.length > 0) {
      const segment = this.#retired[0]!
      if (isSyncing(segment)) break
      try {
        sealSegment(this.#deps.files, this.folder, segment)
      } catch (error) {
        const { sequence } = segment
        this.#deps.log.error({ err: error, sequence }, 'journal segment could not be sealed')
        if (this.#closing === null) this.#arm()
        break
      }
      this.#retired.shift()
      this.#deps.onSealed()
    }
    if (!this.#retired.some(isSyncing)) this.#onSynced?.()
  }

  #syncDue(): void {
    for (const segment of this.#retired) this.#sync(segment)
    if (this.#current !== null) this.#sync(this.#current)
  }

  /** Group commit: the next sync covers clicks that arrive during this one. */
  #sync(segment: OpenSegment): void {
    if (segment.isSyncing || segment.unsynced.length === 0) return
    const covered = segment.unsynced
    const coveredBytes = segment.sizeBytes
    segment.unsynced = []
    segment.isSyncing = true
    syncSegment(this.#deps.files, this.#folderFd, segment, (error) => {
      segment.isSyncing = false
      if (error) this.#failSync(segment, covered, error)
      else {
        segment.syncedBytes = coveredBytes
        this.#settle(covered, covered.length)
        this.#sync(segment)
      }
      this.#sealRetired()
    })
  }

  /** The disk's content is unknown: no click after `syncedBytes` was answered, so that part is cut off and lost. */
  #failSync(segment: OpenSegment, covered: Waiter[], error: Error): void {
    const lost = [...covered, ...segment.unsynced]
    segment.unsynced = []
    cutSegment(this.#deps.files, segment, segment.syncedBytes)
    if (segment === this.#current) this.#retire(segment)
    this.#lastReason = toLossReason(error)
    this.#fail(error)
    this.#lose(lost, this.#lastReason)
  }

  #fail(error: Error | null): void {
    this.#failedUntilMs = performance.now() + this.#deps.retryMs
    const reason = this.#lastReason
    this.#warn({ err: error, reason }, 'click journal cannot be written, clicks are lost')
  }

  #settle(waiters: Waiter[], count: number): void {
    this.#journaled += count
    for (let i = 0; i < count; i++) this.#settleOne(waiters[i]!, 'journaled')
  }

  #lose(lost: Waiter[], reason: LossReason): void {
    const isServing = this.#deps.onFailure === 'serve'
    const losses = isServing ? this.#dropped : this.#refused
    losses[reason] += lost.length
    for (const waiter of lost) this.#settleOne(waiter, isServing ? 'dropped' : 'refused')
  }

  #settleOne(waiter: Waiter, outcome: Outcome): void {
    this.#unsettled--
    try {
      waiter.settled(outcome)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'a redirect failed after its click was written')
    }
  }
}

function noLosses(): Losses {
  return { disk_full: 0, io_error: 0, journal_full: 0, closed: 0 }
}

function toLossReason(error: unknown): LossReason {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'disk_full' : 'io_error'
}
