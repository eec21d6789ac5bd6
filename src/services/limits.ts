import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { Tx } from '../storage/postgres.ts'
import { requires, type Part } from '../storage/statement-parts.ts'
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
export type TakeLimit = (
  tx: Tx,
  workspaceId: string,
  name: CountedName,
  amount?: number,
) => Promise<void>

export type Limit = TakeLimit & {
  /** Takes one as a part of a statement, which is refused when none is left. */
  part(tx: Tx, workspaceId: string, name: CountedName): Part
  /** @throws ApiError for a statement that its part refused */
  explain(tx: Tx, workspaceId: string, refusal: string): Promise<void>
  /**
   * Takes as much of `amount` as is left. The lock of the counter decides between parallel takers.
   * @throws ApiError NOT_FOUND for a workspace that is gone
   */
  upTo(tx: Tx, workspaceId: string, name: CountedName, amount: number): Promise<TakenUpTo>
}

/** The amount that was taken of a limit, and the error for the rest; null if all of it was taken. */
export type TakenUpTo = { taken: number; refusal: ApiError | null }

/** Beginnings of the reasons of refused statements; the name of the limit or the capability follows. */
const LIMIT_REACHED = 'limit_reached '
const CAPABILITY_REQUIRED = 'capability_required '

/** True for a reason that `explain` of a limit or a capability turns into an error. */
export function isRefusedByPlan(refusal: string | null): refusal is string {
  return Boolean(refusal?.startsWith(LIMIT_REACHED) || refusal?.startsWith(CAPABILITY_REQUIRED))
}

/**
 * @throws ApiError PLAN_CAPABILITY_REQUIRED with `details: {capability, plan}` when the plan of the
 *   workspace does not include it
 */
export type CheckCapability = (tx: Tx, workspaceId: string, capability: Capability) => Promise<void>

export type RequireCapability = CheckCapability & {
  /** The error without the capability; null with it. */
  refusal(tx: Tx, workspaceId: string, capability: Capability): Promise<ApiError | null>
  /** As a part of a statement, which is refused without the capability. */
  part(tx: Tx, workspaceId: string, capability: Capability): Part
  /** As a part of a statement of the system, which is refused unless all of these workspaces have the capability. */
  partOfAll(tx: Tx, workspaceIds: readonly string[], capability: Capability): Part
  /** @throws ApiError for a statement that its part refused */
  explain(tx: Tx, workspaceId: string, refusal: string): Promise<void>
}

/** Counter rows of a monthly limit without a maximum; more than a process has connections. */
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

  const part = (tx: Tx, workspaceId: string, name: CountedName): Part => ({
    ctes: take(tx, workspaceId, name, 1),
    columns: requires(tx, tx`exists (select from limit_counter)`, `${LIMIT_REACHED}${name}`),
  })

  async function refuse(tx: Tx, workspaceId: string, name: CountedName): Promise<never> {
    const [workspace] = await tx<{ plan: string; used: number }[]>`
      select plan, (
        select coalesce(sum(used), 0)::bigint from usage_counters
        where workspace_id = w.id and name = ${name} and period = ${periodOf(name, clock())}
      ) as used
      from workspaces w where id = ${workspaceId}`
    if (!workspace) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
    throw limitReached(plans, plans.named(workspace.plan), name, workspace.used)
  }

  async function explain(tx: Tx, workspaceId: string, refusal: string): Promise<void> {
    if (!refusal.startsWith(LIMIT_REACHED)) return
    await refuse(tx, workspaceId, refusal.slice(LIMIT_REACHED.length) as CountedName)
  }

  async function upTo(
    tx: Tx,
    workspaceId: string,
    name: CountedName,
    amount: number,
  ): Promise<TakenUpTo> {
    const period = periodOf(name, clock())
    const found = await lockCounter(tx, plans, { workspaceId, name, period })
    if (!found) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
    const { max, usedElsewhere, used, shard } = found
    const left = max === null ? amount : Math.max(0, max - usedElsewhere - used)
    const taken = Math.min(amount, left)
    if (taken > 0)
      await tx`
        update usage_counters set used = used + ${taken}
        where workspace_id = ${workspaceId} and name = ${name} and period = ${period}
          and shard = ${shard}`
    if (taken === amount) return { taken, refusal: null }
    const plan = plans.named(found.plan)
    return { taken, refusal: limitReached(plans, plan, name, usedElsewhere + used + taken) }
  }

  return Object.assign(limit, { part, explain, upTo })
}

type Locked = {
  plan: string
  max: number | null
  usedElsewhere: number
  used: number
  shard: number
}

/** Locks the counter row that a taker of a limit raises; undefined for a workspace that is gone. */
async function lockCounter(
  tx: Tx,
  plans: Plans,
  of: Omit<Taken, 'amount'>,
): Promise<Locked | undefined> {
  const [locked] = await tx<Locked[]>`
    with ${toLimitTables(tx, plans, { ...of, amount: 0 })}
    select plan, max, used_elsewhere.used::bigint as used_elsewhere, limit_counter.used::bigint as used,
      limit_counter.shard
    from limited_workspace, limit_rule, used_elsewhere, limit_counter`
  return locked
}

type Taken = { workspaceId: string; name: CountedName; amount: number; period: string }

/** Tables of a statement that takes `amount`: `limit_counter` is empty if the limit refuses it. */
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
  const partOfAll = (tx: Tx, workspaceIds: readonly string[], capability: Capability): Part => {
    const planIds = plans.all.filter(({ capabilities }) => capabilities[capability])
    const table = tx.unsafe(`with_${capability}`)
    const distinct = [...new Set(workspaceIds)]
    return {
      ctes: tx`${table} as (
        select from workspaces
        where id = any(${distinct}::text[]) and plan = any(${planIds.map(({ id }) => id)}::text[]))`,
      columns: requires(
        tx,
        tx`(select count(*) from ${table}) = ${distinct.length}::int`,
        `${CAPABILITY_REQUIRED}${capability}`,
      ),
    }
  }
  const part = (tx: Tx, workspaceId: string, capability: Capability) =>
    partOfAll(tx, [workspaceId], capability)
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
  async function explain(tx: Tx, workspaceId: string, reason: string): Promise<void> {
    if (!reason.startsWith(CAPABILITY_REQUIRED)) return
    const capability = reason.slice(CAPABILITY_REQUIRED.length) as Capability
    await requireCapability(tx, workspaceId, capability)
  }
  return Object.assign(requireCapability, { part, partOfAll, explain, refusal })
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
