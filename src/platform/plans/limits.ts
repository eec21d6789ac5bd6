import type { Clock } from '../core/clock.ts'
import { ApiError } from '../core/errors.ts'
import type { Tx } from '../storage/postgres/postgres.ts'
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
 * Takes `amount` of a plan limit, or gives it back when negative; monthly use is never given back. The counter row's
 * `where` keeps parallel takers from passing a limit together; without a limit each connection counts in its own row
 * and none waits.
 * @throws ApiError PLAN_LIMIT_REACHED with `details: {limit, max, used}`; NOT_FOUND for a deleted workspace
 */
export type TakeLimit = (
  tx: Tx,
  workspaceId: string,
  name: CountedName,
  amount?: number,
) => Promise<void>

export type Limit = TakeLimit & {
  left(tx: Tx, workspaceId: string, name: CountedName): Promise<Left>
}

export type Left = { left: number; toRefusal: () => ApiError }

export type CheckCapability = (tx: Tx, workspaceId: string, capability: Capability) => Promise<void>

export type RequireCapability = CheckCapability & {
  refusal(tx: Tx, workspaceId: string, capability: Capability): Promise<ApiError | null>
}

/** Rows into which an unlimited monthly counter is split; more than a process has connections. */
const SHARDS = 16

export function createLimit(clock: Clock, plans: Plans): Limit {
  const take = (tx: Tx, workspaceId: string, name: CountedName, amount: number) =>
    toLimitTables(tx, plans, { workspaceId, name, amount, period: periodOf(name, clock()) })

  async function limit(tx: Tx, workspaceId: string, name: CountedName, amount = 1): Promise<void> {
    if (amount < 0 && isMonthly(name)) return
    const [taken] = await tx<[{ isTaken: boolean }]>`
      with ${take(tx, workspaceId, name, amount)}
      select exists (select from limit_counter) as is_taken`
    if (!taken.isTaken) await refuse(tx, workspaceId, name)
  }

  async function refuse(tx: Tx, workspaceId: string, name: CountedName): Promise<never> {
    const { plan, used } = await readUse(tx, workspaceId, name)
    throw limitReached(plans, plan, name, used)
  }

  async function left(tx: Tx, workspaceId: string, name: CountedName): Promise<Left> {
    const { plan, used } = await readUse(tx, workspaceId, name)
    const max = plan.limits[name]
    return {
      left: max === null ? Infinity : Math.max(0, max - used),
      toRefusal: () => limitReached(plans, plan, name, Math.max(used, max ?? 0)),
    }
  }

  async function readUse(tx: Tx, workspaceId: string, name: CountedName) {
    const [workspace] = await tx<{ plan: string; used: number }[]>`
      select plan, (
        select coalesce(sum(used), 0)::bigint from usage_counters
        where workspace_id = w.id and name = ${name} and period = ${periodOf(name, clock())}
      ) as used
      -- A deletion of the workspace waits for this transaction, or this one finds the row gone.
      from workspaces w where id = ${workspaceId} for key share of w`
    if (!workspace) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
    return { plan: plans.named(workspace.plan), used: workspace.used }
  }

  return Object.assign(limit, { left })
}

type Taken = { workspaceId: string; name: CountedName; amount: number; period: string }

function toLimitTables(tx: Tx, plans: Plans, { workspaceId, name, amount, period }: Taken) {
  const planIds = plans.all.map(({ id }) => id)
  const maxima = plans.all.map(({ limits }) => limits[name])
  return tx`
    limited_workspace as (
      -- A deletion of the workspace waits for this transaction, or this one finds the row gone.
      select plan from workspaces where id = ${workspaceId} for key share
    ), limit_rule as (
      -- An unknown plan allows nothing new.
      select case when p.id is null then 0 else p.max end as max
      from limited_workspace w
      left join unnest(${planIds}::text[], ${maxima}::bigint[]) as p (id, max) on p.id = w.plan
    ), used_elsewhere as (
      select coalesce(sum(used), 0) as used from usage_counters
      where workspace_id = ${workspaceId} and name = ${name} and period = ${period} and shard <> 0
    ), limit_counter as (
      insert into usage_counters as counter (workspace_id, name, period, shard, used)
      select ${workspaceId}, ${name}, ${period},
        case when max is null and ${isMonthly(name)} then pg_backend_pid() % ${SHARDS}::int else 0 end,
        greatest(${amount}::bigint, 0)
      from limit_rule, used_elsewhere
      where max is null or ${amount}::bigint <= 0 or used_elsewhere.used + ${amount}::bigint <= max
      on conflict (workspace_id, name, period, shard) do update
        set used = greatest(counter.used + ${amount}::bigint, 0)
        where (select max from limit_rule) is null or ${amount}::bigint <= 0
           or counter.used + (select used from used_elsewhere) + ${amount}::bigint
             <= (select max from limit_rule)
      returning used, shard
    )`
}

function isMonthly(name: CountedName): boolean {
  return LIMITS[name][0] === 'monthly'
}

function periodOf(name: CountedName, nowMs: number): string {
  return isMonthly(name) ? monthOf(nowMs) : ''
}

export function createCapabilities(plans: Plans): RequireCapability {
  async function requireCapability(tx: Tx, workspaceId: string, capability: Capability) {
    const error = await refusal(tx, workspaceId, capability)
    if (error) throw error
  }
  async function refusal(tx: Tx, workspaceId: string, capability: Capability) {
    const plan = await getPlan(tx, workspaceId, plans)
    if (plan.capabilities[capability]) return null
    return new ApiError(
      'PLAN_CAPABILITY_REQUIRED',
      explainUnknownPlan(plans, plan) ??
        `The workspace plan does not include ${CAPABILITIES[capability][0]}.`,
      { capability, plan: plan.id },
    )
  }
  return Object.assign(requireCapability, { refusal })
}

export function limitReached(plans: Plans, plan: Plan, name: LimitName, used: number): ApiError {
  return new ApiError(
    'PLAN_LIMIT_REACHED',
    explainUnknownPlan(plans, plan) ?? `The ${LIMITS[name][1]} limit of the plan is reached.`,
    { limit: name, max: plan.limits[name], used },
  )
}

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
