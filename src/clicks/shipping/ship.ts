import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { sleep } from '../../platform/core/service.ts'
import type { Log } from '../../platform/core/log.ts'
import { isNext, type Batch, type Fault } from './batch.ts'
import type { JournalCursor, Ledger } from './cursor.ts'
import {
  findRefusedRows,
  isRefusal,
  quarantine,
  Refusal,
  type ClickTable,
  type RefusedRow,
} from './table.ts'
import type { Meters } from './meters.ts'
import { readRows, temporaryFile, toChunks, type Frozen, type LinkTally, type Row } from './rows.ts'
import { DROP_REASONS, KINDS } from './enrich.ts'

/** A batch being shipped, with its state across attempts. */
export type Work = {
  batch: Batch
  frozen: Frozen
  isInDoubt: boolean
  /** Consecutive refusals of the rows themselves. */
  refusals: number
  quarantined: number
}

export type BatchShipperDeps = {
  table: ClickTable
  ledger: Ledger
  quarantineDir: string
  meters: Meters
  log: Log
  fault: Fault
  settleMs: number | undefined
}

/** `elsewhere`: another shipper had committed it. `changed`: earlier segments, so another batch is next. */
export type Outcome = 'shipped' | 'elsewhere' | 'changed'

const REFUSALS_BEFORE_SEARCH = 5
const MAX_TOKENS = 8
const SETTLE_MS = 2_000

/**
 * Ships one batch of segments, exactly once into both databases.
 *
 *   sealed ──enrich─▶ frozen ──read the cursor──▶ insert, token = batch ────▶ commit ──▶ unlink
 *                                 │   └ shipped ─────────────────────────────────────────▲
 *                                 └ in doubt ──▶ count ──▶ all there ──────────▶ commit ─┘
 *                                                 ▲  └ some missing: insert those, first under
 *                                                 └─── the same token, then token#2, #3 …
 *
 * A batch is in doubt if its rows may have been sent before: after any failure, and if another process left
 * it. Invariants:
 * - The previous commit has chosen the segments of a batch; without that choice it is a single one. So
 * every shipper sends the same rows under its name, even after a crash and from a copy of the journal.
 * - A token depends on the batch's name only, so it is the same at every attempt. ClickHouse drops a
 * repeated token, so the same token may be sent at any time.
 * - In doubt, success for a token proves nothing: ClickHouse stores it before the rows. Only counted rows
 * are there.
 * - Counted rows are never sent again, because ClickHouse forgets tokens after a while.
 * - The commit moves the cursor by compare-and-set and adds the counters in one transaction; of two
 * shippers one succeeds. No file is removed before it.
 *
 * The count reads all replicas of CLICKHOUSE_CLUSTER, because a replica may not have a row yet that another
 * one has acknowledged. A row counts as missing only after `settleMs`, since an insert may still be
 * running.
 */
export class BatchShipper {
  readonly #deps: BatchShipperDeps
  readonly #settleMs: number

  constructor(deps: BatchShipperDeps) {
    this.#deps = deps
    this.#settleMs = deps.settleMs ?? SETTLE_MS
  }

  async ship(
    work: Work,
    cursor: JournalCursor,
    chosen: Promise<number | null>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { fault, ledger, meters } = this.#deps
    const { journalId, sequence, name } = work.batch
    let nextThrough: number | null
    for (;;) {
      const position = await cursor.read()
      const after = position.sequence
      if (after >= sequence) {
        await unlinkSegments(work.batch, fault)
        return 'elsewhere'
      }
      if (!isNext(work.batch, position)) return 'changed'
      await fault('cursor-read', name)
      await this.#store(work, signal)
      await fault('stored', name)
      nextThrough = await chosen
      const { frozen } = work
      const outcome = await ledger.commit({ journalId, sequence, after, frozen, nextThrough })
      if (outcome === 'committed') break
      cursor.forget()
      meters.fenced.inc()
    }
    cursor.movedTo({ sequence, nextThrough })
    await fault('committed', name)
    countShipped(work, meters)
    await unlinkSegments(work.batch, fault)
    return 'shipped'
  }

  async #store(work: Work, signal: AbortSignal): Promise<void> {
    const { batch, frozen } = work
    const { fault, meters, log } = this.#deps
    if (frozen.about.rows === 0) return
    if (!work.isInDoubt) {
      work.isInDoubt = true
      return this.#send(work, frozen.chunks, batch.name)
    }
    if (work.refusals >= REFUSALS_BEFORE_SEARCH) await this.#removeRefused(work, signal)
    for (let round = 1; round <= MAX_TOKENS; round++) {
      let missing = await this.#findMissing(work)
      if (missing.length > 0 && round === 2) {
        await sleep(this.#settleMs, signal)
        missing = await this.#findMissing(work)
      }
      await fault('counted', batch.name)
      if (missing.length === 0) return
      if (round > 1) {
        meters.repaired.inc(missing.length)
        log.warn(
          { segment: batch.name, rows: missing.length },
          'ClickHouse knows the token but lacks rows: sending them under another token',
        )
      }
      const token = round === 1 ? batch.name : `${batch.name}#${round}`
      await this.#send(work, toChunks(missing), token)
    }
    throw new Error(`rows are still missing after ${MAX_TOKENS} tokens`)
  }

  async #send(work: Work, chunks: readonly Buffer[], token: string): Promise<void> {
    try {
      await this.#deps.table.insert(chunks, token)
      work.refusals = 0
    } catch (error) {
      work.refusals = isRefusal(error) ? work.refusals + 1 : 0
      throw error
    }
    await this.#deps.fault('inserted', work.batch.name)
  }

  async #findMissing({ batch, frozen }: Work): Promise<Row[]> {
    const { table, meters, log } = this.#deps
    const { rows: wanted, fromMs, toMs } = frozen.about
    if (wanted === 0) return []
    const span = { segment: batch.name, fromMs, toMs }
    const { ids, surplus } = await table.count(span)
    if (surplus > 0) {
      meters.surplus.inc(surplus)
      const fields = { segment: batch.name, surplus }
      log.error(fields, 'ClickHouse has duplicate rows of a segment')
    }
    if (ids >= wanted) return []
    const present = ids === 0 ? new Set<string>() : await table.clickIds(span)
    const missing: Row[] = []
    for await (const part of readRows(frozen))
      missing.push(...part.filter(({ fields }) => !present.has(fields.click_id)))
    return missing
  }

  /** Goes on without refused rows. First waits for a part that an earlier attempt may have in flight. */
  async #removeRefused(work: Work, signal: AbortSignal): Promise<void> {
    const { table, log, quarantineDir } = this.#deps
    const { name } = work.batch
    await sleep(this.#settleMs, signal)
    const refused = await findRefusedRows(await this.#findMissing(work), async (rows) => {
      signal.throwIfAborted()
      try {
        await table.insert(toChunks(rows), `${name}#${digest(rows)}`)
      } catch (error) {
        throw isRefusal(error) ? new Refusal(error.message, { cause: error }) : error
      }
    })
    work.refusals = 0
    if (refused.length === 0) return
    await quarantine(quarantineDir, name, refused)
    await withdraw(work, refused)
    log.error(
      { segment: name, rows: refused.length, reason: refused[0]?.reason, quarantineDir },
      'ClickHouse refuses rows: they were moved to the quarantine folder',
    )
  }
}

/** Removes the segments first, because they contain client addresses. */
export async function unlinkSegments(
  { name, segments, rowsFile }: Pick<Batch, 'name' | 'segments' | 'rowsFile'>,
  fault: Fault,
): Promise<void> {
  for (const { sealedFile } of segments) await rm(sealedFile, { force: true })
  await fault('unlinked', name)
  for (const file of new Set([...segments.map((segment) => segment.rowsFile), rowsFile])) {
    await rm(file, { force: true })
    await rm(temporaryFile(file), { force: true })
  }
}

function countShipped({ frozen, quarantined }: Work, meters: Meters): void {
  const { kinds, dropped } = frozen.about
  for (const kind of KINDS) meters.shipped.inc({ kind }, kinds[kind])
  for (const reason of DROP_REASONS) meters.discarded.inc({ reason }, dropped[reason] ?? 0)
  meters.quarantined.inc(quarantined)
}

async function withdraw(work: Work, refused: readonly RefusedRow[]): Promise<void> {
  const { about } = work.frozen
  const refusedIds = new Set(refused.map(({ row }) => row.fields.click_id))
  const kept: Row[] = []
  for await (const batch of readRows(work.frozen))
    kept.push(...batch.filter(({ fields }) => !refusedIds.has(fields.click_id)))
  work.frozen = { about, chunks: toChunks(kept) }
  work.quarantined += refused.length
  about.rows = kept.length
  if (about.deepLinks)
    about.deepLinks = about.deepLinks.filter(({ clickId }) => !refusedIds.has(clickId))
  for (const { row } of refused) {
    const { kind, link_id } = row.fields
    about.kinds[kind]--
    if (kind !== 'human' && kind !== 'view') continue
    const tallies = kind === 'human' ? about.tallies : (about.views ?? [])
    const tally = tallies.find(({ linkId }) => linkId === link_id)
    if (tally) tally.clicks--
  }
  const isLeft = ({ clicks }: LinkTally) => clicks > 0
  about.tallies = about.tallies.filter(isLeft)
  if (about.views) about.views = about.views.filter(isLeft)
}

function digest(rows: readonly Row[]): string {
  const hash = createHash('sha256')
  for (const { fields } of rows) hash.update(fields.click_id)
  return hash.digest('hex').slice(0, 16)
}
