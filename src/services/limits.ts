import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { Tx } from '../storage/postgres.ts'
import { planNamed } from './plans.ts'
import type { LimitName } from './plans.ts'

/**
 * Takes `amount` of a plan limit for the workspace, or gives it back when negative.
 *
 * The counter row is guarded by its own `where`, so that parallel takers cannot pass the limit
 * together, and it lives in the caller's transaction, so that a refused or rolled-back change has
 * used nothing.
 * @throws ApiError PLAN_LIMIT_REACHED with `details: {limit, max}`.
 */
export type Limit = (tx: Tx, workspaceId: string, name: LimitName, amount?: number) => Promise<void>

export function createLimit(clock: Clock): Limit {
  return async (tx, workspaceId, name, amount = 1) => {
    const [workspace] = await tx<{ plan: string }[]>`
      select plan from workspaces where id = ${workspaceId}`
    const max = planNamed(workspace?.plan ?? '').limits[name]
    const period = name.endsWith('_monthly') ? new Date(clock()).toISOString().slice(0, 7) : ''
    const [taken] = await tx<{ used: number }[]>`
      insert into usage_counters as counter (workspace_id, name, period, used)
      select ${workspaceId}, ${name}, ${period}, greatest(${amount}::bigint, 0)
      where ${max}::bigint is null or ${amount}::bigint <= ${max}::bigint
      on conflict (workspace_id, name, period) do update
        set used = greatest(counter.used + ${amount}::bigint, 0)
        where ${max}::bigint is null or ${amount}::bigint <= 0
           or counter.used + ${amount}::bigint <= ${max}::bigint
      returning used`
    if (!taken) {
      throw new ApiError('PLAN_LIMIT_REACHED', `The plan allows ${max} of ${name}.`, {
        limit: name,
        max,
      })
    }
  }
}
