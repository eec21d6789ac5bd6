import { repeat, type Service } from '../base/service.ts'
import { inTransaction, type Fragment, type SystemSql, type Tx } from '../storage/postgres.ts'
import { countAttemptCounts, deleteOldAttemptCounts, foldAttemptCounts } from './attempt-counts.ts'
import { AutoPause, type AutoPauseDeps } from './auto-pause.ts'
import { FailureMails, type FailureMailsDeps } from './failure-mails.ts'
import { maintainPartitions, type PartitionsDeps } from './partitions.ts'
import { countTallies, foldTallies } from './tallies.ts'

const EVERY_MS = 5_000
const PARTITIONS_EVERY_MS = 3_600_000
const PARTITIONS_AGAIN_MS = 60_000
/** Longer than any transaction that still saw the endpoint and may queue something for it. */
const PURGE_AFTER_MS = 60_000
/** Rows of a deleted endpoint are deleted in batches, so that no lock is held for long. */
const PURGE_ROWS = 5_000
/** Counts are folded when there are this many more rows than the last fold left. */
const FOLD_ABOVE = 500
/** Any constant works, as long as every worker uses the same one. */
const LOCK_KEY = 7_305_117_208

type Counts = {
  countRows: (tx: Tx, limit: number | null) => Promise<number>
  fold: (tx: Tx) => Promise<void>
}
/** Tables of differences that are folded. */
const COUNTS: readonly Counts[] = [
  { countRows: countTallies, fold: foldTallies },
  { countRows: countAttemptCounts, fold: foldAttemptCounts },
]

export type ChoresDeps = FailureMailsDeps &
  PartitionsDeps &
  AutoPauseDeps & {
    /** Deletes the answers to requests with an Idempotency-Key after their 24 hours. */
    deleteKeptAnswers: (signal?: AbortSignal) => Promise<void>
  }

/**
 * Keeps the delivery tables small, and pauses and mails about failing endpoints; one worker at a time does
 * each chore.
 */
export class Chores implements Service {
  readonly name = 'delivery-chores'
  readonly #deps: ChoresDeps
  readonly #autoPause: AutoPause
  readonly #failureMails: FailureMails
  #partitionsAtMs = -Infinity
  #partitionsAfterMs = PARTITIONS_EVERY_MS
  readonly #foldedRows = [0, 0]

  constructor(deps: ChoresDeps) {
    this.#deps = deps
    this.#autoPause = new AutoPause(deps)
    this.#failureMails = new FailureMails(deps)
  }

  run(signal: AbortSignal): Promise<void> {
    const message = 'maintenance of the webhook tables failed; trying again'
    return repeat(signal, EVERY_MS, () => this.once(signal), this.#deps.log, message)
  }

  async once(signal?: AbortSignal): Promise<void> {
    const { sql, clock } = this.#deps
    // A clock that was set back counts as well.
    if (Math.abs(clock() - this.#partitionsAtMs) >= this.#partitionsAfterMs) {
      const isDone = await maintainPartitions(this.#deps)
      this.#partitionsAtMs = clock()
      await deleteOldAttemptCounts(sql, clock())
      this.#partitionsAfterMs = isDone ? PARTITIONS_EVERY_MS : PARTITIONS_AGAIN_MS
    }
    for (const i of COUNTS.keys()) await this.#fold(i)
    await deletePreviousSecrets(sql, new Date(clock()))
    await purgeDeleted(sql, new Date(clock() - PURGE_AFTER_MS), signal)
    await this.#deps.deleteKeptAnswers(signal)
    await this.#autoPause.once()
    await this.#failureMails.once()
  }

  async #fold(i: number): Promise<void> {
    const before = this.#foldedRows[i]!
    const { countRows, fold } = COUNTS[i]!
    this.#foldedRows[i] = await inTransaction(this.#deps.sql, async (tx) => {
      const [lock] = await tx<{ isMine: boolean }[]>`
        select pg_try_advisory_xact_lock(${LOCK_KEY}) as is_mine`
      if (!lock!.isMine) return before
      const rows = await countRows(tx, before + FOLD_ABOVE + 1)
      if (rows <= before + FOLD_ABOVE) return Math.min(rows, before)
      await fold(tx)
      return countRows(tx, null)
    })
  }
}

/** Deletes the secrets of overlaps that are over. No delivery has been signed with them since. */
async function deletePreviousSecrets(sql: SystemSql, now: Date): Promise<void> {
  await sql`
    update webhook_endpoints set previous_secret_sealed = null, previous_secret_until = null
    where previous_secret_until <= ${now}`
}

/** Deletes endpoints that were deleted before this moment, with their deliveries; a later run continues. */
async function purgeDeleted(sql: SystemSql, before: Date, signal?: AbortSignal): Promise<void> {
  const deleted = await sql<{ id: string }[]>`
    select id from webhook_endpoints where deleted_at < ${before} limit 100`
  for (const { id } of deleted) {
    const purgeQueue = () => sql`
      delete from webhook_queue where id in (
        select id from webhook_queue where endpoint_id = ${id} limit ${PURGE_ROWS})`
    // Each status has its own partial index, which a literal matches.
    const purgeLog = (hasStatus: Fragment) => () =>
      sql`
      delete from webhook_log where (finished_at, id) in (
        select finished_at, id from webhook_log
        where endpoint_id = ${id} and ${hasStatus} limit ${PURGE_ROWS})`
    for (const purge of [purgeQueue, purgeLog(sql`status = 2`), purgeLog(sql`status = 4`)])
      if (!(await repeatUntilEmpty(purge, signal))) return
    await sql`delete from webhook_tallies where endpoint_id = ${id}`
    await sql`delete from webhook_attempt_counts where endpoint_id = ${id}`
    await sql`delete from webhook_endpoints where id = ${id} and deleted_at is not null`
  }
}

/** @returns false when the signal came before the last batch */
async function repeatUntilEmpty(
  purge: () => PromiseLike<{ count: number }>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  while (!signal?.aborted) if ((await purge()).count < PURGE_ROWS) return true
  return false
}
