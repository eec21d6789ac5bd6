import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { arrayOf } from '../storage/arrays.ts'
import type { Tx } from '../storage/postgres.ts'
import {
  CAPABILITIES,
  LIMITS,
  type Capability,
  type CountedName,
  type LimitName,
  type Plan,
} from './plan.ts'
import type { Plans } from './plans.ts'

/**
 * Takes `amount` of a plan limit for the workspace, or gives it back when negative. Monthly use is
 * never given back, so a deletion calls this without knowing the kind of the limit.
 *
 * Under a limit the counter row is guarded by its own `where`, so that parallel takers cannot pass the
 * limit together; without one, each connection counts in a row of its own and none waits. The rows
 * belong to the caller's transaction, so that a refused or rolled-back change has used nothing. A plan lowered below the present use refuses additions and removes nothing.
 * @throws ApiError PLAN_LIMIT_REACHED with `details: {limit, max, used}`; NOT_FOUND for a workspace
 *   that is gone
 */
export type Limit = (
  tx: Tx,
  workspaceId: string,
  name: CountedName,
  amount?: number,
) => Promise<void>

/**
 * @throws ApiError PLAN_CAPABILITY_REQUIRED with `details: {capability, plan}` when the plan of the
 *   workspace does not include it
 */
export type RequireCapability = (
  tx: Tx,
  workspaceId: string,
  capability: Capability,
) => Promise<void>

/** Counter rows of a monthly limit without a maximum; more than a process has connections. */
const SHARDS = 16

export function createLimit(clock: Clock, plans: Plans): Limit {
  return async (tx, workspaceId, name, amount = 1) => {
    const isMonthly = LIMITS[name][0] === 'monthly'
    if (isMonthly && amount < 0) return
    const period = isMonthly ? monthOf(clock()) : ''
    const planIds = plans.all.map(({ id }) => id)
    const maxima = plans.all.map(({ limits }) => limits[name])
    const [taken] = await tx<[Taken]>`
      with workspace as (
        -- A deletion of the workspace waits for this transaction, or this one finds the row gone.
        select plan from workspaces where id = ${workspaceId} for key share
      ), rule as (
        -- An unknown plan allows nothing new.
        select w.plan, case when p.id is null then 0 else p.max end as max
        from workspace w left join unnest(
          ${planIds}::text[], ${arrayOf(tx, 'int8', maxima)}::bigint[]) as p (id, max) on p.id = w.plan
      ), elsewhere as (
        select coalesce(sum(used), 0) as used from usage_counters
        where workspace_id = ${workspaceId} and name = ${name} and period = ${period} and shard <> 0
      ), counted as (
        insert into usage_counters as counter (workspace_id, name, period, shard, used)
        select ${workspaceId}, ${name}, ${period},
          case when max is null and ${isMonthly} then pg_backend_pid() % ${SHARDS}::int else 0 end,
          greatest(${amount}::bigint, 0)
        from rule, elsewhere
        where max is null or ${amount}::bigint <= 0 or elsewhere.used + ${amount}::bigint <= max
        on conflict (workspace_id, name, period, shard) do update
          set used = greatest(counter.used + ${amount}::bigint, 0)
          where (select max from rule) is null or ${amount}::bigint <= 0
             or counter.used + (select used from elsewhere) + ${amount}::bigint <= (select max from rule)
        returning used
      )
      select (select plan from rule) as plan, exists (select from counted) as is_taken`
    if (taken.plan === null) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
    if (taken.isTaken) return
    const [counter] = await tx<{ used: number }[]>`
      select coalesce(sum(used), 0)::bigint as used from usage_counters
      where workspace_id = ${workspaceId} and name = ${name} and period = ${period}`
    throw limitReached(plans, plans.named(taken.plan), name, counter?.used ?? 0)
  }
}
type Taken = { plan: string | null; isTaken: boolean }

export function createCapabilities(plans: Plans): RequireCapability {
  return async (tx, workspaceId, capability) => {
    const plan = await getPlan(tx, workspaceId, plans)
    if (plan.capabilities[capability]) return
    throw new ApiError(
      'PLAN_CAPABILITY_REQUIRED',
      explainUnknownPlan(plans, plan) ??
        `The workspace plan does not include ${CAPABILITIES[capability][0]}.`,
      { capability, plan: plan.id },
    )
  }
}

/** The error for a limit that is used up. */
export function limitReached(plans: Plans, plan: Plan, name: LimitName, used: number): ApiError {
  return new ApiError(
    'PLAN_LIMIT_REACHED',
    explainUnknownPlan(plans, plan) ?? `The ${LIMITS[name][1]} limit of the plan is reached.`,
    { limit: name, max: plan.limits[name], used },
  )
}

/** The UTC calendar month of a moment, as `YYYY-MM`. */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7)
}

async function getPlan(tx: Tx, workspaceId: string, plans: Plans): Promise<Plan> {
  const [workspace] = await tx<{ plan: string }[]>`
    select plan from workspaces where id = ${workspaceId}`
  return plans.named(workspace?.plan ?? '')
}

function explainUnknownPlan(plans: Plans, plan: Plan): string | null {
  if (plans.find(plan.id)) return null
  return `The plan "${plan.id}" of this workspace no longer exists; the operator must set another plan.`
}
