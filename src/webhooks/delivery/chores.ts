import type { Fragment } from '../../platform/storage/postgres/postgres.ts'
import { createAutoPause, type AutoPauseDeps } from './auto-pause.ts'
import { FailureMails, type FailureMailsDeps } from './failure-mails.ts'
import { createFolding, deleteOldAttemptCounts } from './queue/counts.ts'
import { maintainPartitions, type PartitionsDeps } from './queue/partitions.ts'

/** Longer than any transaction that may still queue something for the endpoint. */
const PURGE_AFTER_MS = 60_000
const PURGE_ROWS = 5_000
export type ChoresDeps = FailureMailsDeps & PartitionsDeps & AutoPauseDeps

export function createChores(deps: ChoresDeps) {
  const failureMails = new FailureMails(deps)
  return {
    maintainPartitions: () => maintainPartitions(deps),
    deleteOldAttemptCounts: () => deleteOldAttemptCounts(deps.sql, deps.clock()),
    foldCounts: createFolding(deps.sql),
    deletePreviousSecrets: () => deletePreviousSecrets(deps),
    purgeEndpoints: (signal: AbortSignal) => purgeEndpoints(deps, signal),
    pauseFailing: createAutoPause(deps),
    mailFailures: () => failureMails.once(),
  }
}

async function deletePreviousSecrets({ sql, clock }: ChoresDeps): Promise<void> {
  const now = new Date(clock())
  await sql`
    update webhook_endpoints set previous_secret_sealed = null, previous_secret_until = null
    where previous_secret_until <= ${now}`
}

async function purgeEndpoints({ sql, clock }: ChoresDeps, signal: AbortSignal): Promise<void> {
  const before = new Date(clock() - PURGE_AFTER_MS)
  const deleted = await sql<{ id: string }[]>`
    select id from webhook_endpoints where deleted_at < ${before} limit 100`
  for (const { id } of deleted) {
    const purgeQueue = () => sql`
      delete from webhook_queue where id in (
        select id from webhook_queue where endpoint_id = ${id} limit ${PURGE_ROWS})`
    // Each status has its own partial index, which only a literal matches.
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

async function repeatUntilEmpty(purge: () => PromiseLike<{ count: number }>, signal: AbortSignal) {
  while (!signal.aborted) if ((await purge()).count < PURGE_ROWS) return true
  return false
}
