import {
  inTransaction,
  type Fragment,
  type SystemSql,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import {
  countAttemptCounts,
  deleteOldAttemptCounts,
  foldAttemptCounts,
} from './queue/attempt-counts.ts'
import { AutoPause, type AutoPauseDeps } from './auto-pause.ts'
import { FailureMails, type FailureMailsDeps } from './failure-mails.ts'
import { maintainPartitions, type PartitionsDeps } from './queue/partitions.ts'
import { countTallies, foldTallies } from './queue/tallies.ts'

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

export type ChoresDeps = FailureMailsDeps & PartitionsDeps & AutoPauseDeps

/** What keeps the delivery tables small, and what pauses failing endpoints and mails about them: each a sweep. */
export function createChores(deps: ChoresDeps) {
  const autoPause = new AutoPause(deps)
  const failureMails = new FailureMails(deps)
  const foldedRows = COUNTS.map(() => 0)
  return {
    maintainPartitions: () => maintainPartitions(deps),
    deleteOldAttemptCounts: () => deleteOldAttemptCounts(deps.sql, deps.clock()),
    foldCounts: async () => {
      for (const [i, counts] of COUNTS.entries())
        foldedRows[i] = await foldIfMany(deps.sql, counts, foldedRows[i]!)
    },
    deletePreviousSecrets: () => deletePreviousSecrets(deps),
    purgeEndpoints: (signal: AbortSignal) => purgeEndpoints(deps, signal),
    pauseFailing: () => autoPause.once(),
    mailFailures: () => failureMails.once(),
  }
}

/**
 * @param before rows that the last fold left
 * @returns rows that this one left
 */
function foldIfMany(sql: SystemSql, { countRows, fold }: Counts, before: number): Promise<number> {
  return inTransaction(sql, async (tx) => {
    const [lock] = await tx<{ isMine: boolean }[]>`
      select pg_try_advisory_xact_lock(${LOCK_KEY}) as is_mine`
    if (!lock!.isMine) return before
    const rows = await countRows(tx, before + FOLD_ABOVE + 1)
    if (rows <= before + FOLD_ABOVE) return Math.min(rows, before)
    await fold(tx)
    return countRows(tx, null)
  })
}

/** Deletes the secrets of overlaps that are over. No delivery has been signed with them since. */
async function deletePreviousSecrets({ sql, clock }: ChoresDeps): Promise<void> {
  const now = new Date(clock())
  await sql`
    update webhook_endpoints set previous_secret_sealed = null, previous_secret_until = null
    where previous_secret_until <= ${now}`
}

/** Deletes endpoints that were deleted before this moment, with their deliveries; a later run continues. */
async function purgeEndpoints({ sql, clock }: ChoresDeps, signal: AbortSignal): Promise<void> {
  const before = new Date(clock() - PURGE_AFTER_MS)
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
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) if ((await purge()).count < PURGE_ROWS) return true
  return false
}
