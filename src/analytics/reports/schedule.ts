import { invalid } from '../../platform/core/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { checkTimeZone, openZone } from '../../platform/resources/zone.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Requester } from './row.ts'
import { startRun } from './run.ts'
import type { ReportType, Schedule, ScheduleInput } from './schema.ts'
import { DAY_MS, HOUR_MS } from '../../platform/core/clock.ts'

/** A month and a day: the next run of every schedule is sooner. */
const MAX_DAYS = 33
const DEFAULT_HOUR = 8
const MONDAY = 1

/**
 * The stored form of a schedule.
 * @throws ApiError VALIDATION_ERROR with the path of the field
 */
export function checkSchedule(input: ScheduleInput): Schedule {
  const { frequency, hour = DEFAULT_HOUR, weekday, timezone = 'UTC', recipients = [] } = input
  if (weekday !== undefined && weekday !== null && frequency !== 'weekly')
    throw invalid('schedule.weekday', 'schedule.weekday is only for the frequency weekly.')
  return {
    frequency,
    hour,
    // 7 is Sunday too, as for cron.
    weekday: frequency === 'weekly' ? (weekday ?? MONDAY) % 7 : null,
    timezone: checkTimeZone(timezone, 'schedule.timezone'),
    recipients: [...new Set(recipients)],
  }
}

/**
 * The first time of a schedule after a moment. An hour that the clocks skip begins where they continue, and an hour
 * that they show twice counts once, so that a day has one run at most.
 */
export function toNextRun(
  { frequency, hour, weekday, timezone }: Schedule,
  afterMs: number,
): number {
  const zone = openZone(timezone)
  const today = Math.floor(zone.toLocal(afterMs) / DAY_MS) * DAY_MS
  for (let day = 0; day <= MAX_DAYS; day++) {
    const midnight = today + day * DAY_MS
    const date = new Date(midnight)
    const isDue =
      frequency === 'daily' ||
      (frequency === 'weekly' ? date.getUTCDay() === weekday : date.getUTCDate() === 1)
    if (!isDue) continue
    const at = zone.fromLocal(midnight + hour * HOUR_MS)
    if (at > afterMs) return at
  }
  throw new Error(`the schedule ${frequency} has no next run`)
}

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
 * transaction under the lock of the report, so that each time has one run. A time that passed while no worker ran, or
 * during the run before, is made up once.
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
