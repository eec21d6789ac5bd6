import type { Principal } from '../../platform/routes/principal.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Requester } from './row.ts'
import { startRun } from './run.ts'
import { toNextRun } from './schedule.ts'
import type { ReportType, Schedule } from './schema.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock'> & { jobs: Pick<Jobs, 'enqueue'> }

type Due = {
  id: string
  workspaceId: string
  type: ReportType
  requester: Requester
  schedule: Schedule
}

/**
 * Starts the runs of schedules, in any number of processes. A run and the time of the next one are written in one
 * transaction under the lock of the report, so that each time has one run. A time that passed while no worker ran,
 * or while the run before was under way, is made up once.
 */
export async function startDueReports(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    if (!(await inTransaction(deps.systemSql, (tx) => startNext(deps, tx)))) return
}

/** @returns false when none is due */
async function startNext({ clock, jobs }: Deps, tx: Tx): Promise<boolean> {
  const now = clock()
  const [due] = await tx<Due[]>`
    select r.id, r.workspace_id, r.type, r.asker as requester, r.schedule from reports r
    join workspaces w on w.id = r.workspace_id and w.suspended_at is null
    where r.next_run_at <= ${new Date(now)} and not exists (
      select from jobs j where j.id = r.run_id and j.status in ('pending', 'processing'))
    order by r.next_run_at limit 1 for update of r skip locked`
  if (!due) return false
  const { id, workspaceId, type, requester, schedule } = due
  const principal: Principal = { ...requester, workspaceId }
  const runId = await startRun(jobs, tx, principal, { id, type, isScheduled: true })
  await tx`
    update reports set run_id = ${runId}, next_run_at = ${new Date(toNextRun(schedule, now))}
    where id = ${id} and workspace_id = ${workspaceId}`
  return true
}
