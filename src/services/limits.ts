import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { Tx } from '../storage/postgres.ts'
import type { Capability, LimitName, Plan, Plans } from './plans.ts'

/** Limits that a change takes from; the others are measured where their numbers arise. */
type CountedName = Exclude<
  LimitName,
  'api_requests_monthly' | 'clicks_monthly' | 'analytics_retention_days'
>

/**
 * Takes `amount` of a plan limit for the workspace, or gives it back when negative. What a month
 * has used stays used: giving back a `_monthly` limit does nothing, so that whoever deletes need not
 * know which kind it is.
 *
 * The counter row is guarded by its own `where`, so that parallel takers cannot pass the limit
 * together, and it lives in the caller's transaction, so that a refused or rolled-back change has
 * used nothing. A plan that was lowered below what is in use refuses new things and removes none.
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

const LIMITED: Record<LimitName, string> = {
  links_monthly: 'monthly link',
  clicks_monthly: 'monthly click',
  domains: 'domain',
  members: 'member',
  webhook_endpoints: 'webhook endpoint',
  api_requests_monthly: 'monthly API request',
  api_keys: 'API key',
  campaigns: 'campaign',
  bio_pages: 'bio page',
  utm_templates: 'UTM template',
  media_storage_mb: 'media storage',
  analytics_retention_days: 'analytics retention',
}

const INCLUDED: Record<Capability, string> = {
  webhooks: 'webhooks',
  custom_domains: 'custom domains',
  conversions: 'conversions',
  password: 'links with a password',
  deep_links: 'deep links',
  reports: 'reports',
  audit_log: 'the audit log',
  public_dashboards: 'public dashboards',
}

export function createLimit(clock: Clock, plans: Plans): Limit {
  return async (tx, workspaceId, name, amount = 1) => {
    const isMonthly = name.endsWith('_monthly')
    if (isMonthly && amount < 0) return
    const plan = await planOfLocked(tx, workspaceId, plans)
    const max = plan.limits[name]
    const period = isMonthly ? monthOf(clock()) : ''
    const [taken] = await tx`
      insert into usage_counters as counter (workspace_id, name, period, used)
      select ${workspaceId}, ${name}, ${period}, greatest(${amount}::bigint, 0)
      where ${max}::bigint is null or ${amount}::bigint <= 0 or ${amount}::bigint <= ${max}::bigint
      on conflict (workspace_id, name, period) do update
        set used = greatest(counter.used + ${amount}::bigint, 0)
        where ${max}::bigint is null or ${amount}::bigint <= 0
           or counter.used + ${amount}::bigint <= ${max}::bigint
      returning used`
    if (taken) return
    const [counter] = await tx<{ used: number }[]>`
      select used from usage_counters
      where workspace_id = ${workspaceId} and name = ${name} and period = ${period}`
    throw limitReached(plans, plan, name, counter?.used ?? 0)
  }
}

export function createCapabilities(plans: Plans): RequireCapability {
  return async (tx, workspaceId, capability) => {
    const plan = await planOf(tx, workspaceId, plans)
    if (plan.capabilities[capability]) return
    throw new ApiError(
      'PLAN_CAPABILITY_REQUIRED',
      unknownSentence(plans, plan) ??
        `The workspace plan does not include ${INCLUDED[capability]}.`,
      { capability, plan: plan.id },
    )
  }
}

/** The error of a limit that is used up. */
export function limitReached(plans: Plans, plan: Plan, name: LimitName, used: number): ApiError {
  return new ApiError(
    'PLAN_LIMIT_REACHED',
    unknownSentence(plans, plan) ?? `The ${LIMITED[name]} limit of the plan is reached.`,
    { limit: name, max: plan.limits[name], used },
  )
}

/** The UTC calendar month of a moment, as `YYYY-MM`. */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7)
}

async function planOf(tx: Tx, workspaceId: string, plans: Plans): Promise<Plan> {
  const [workspace] = await tx<{ plan: string }[]>`
    select plan from workspaces where id = ${workspaceId}`
  return plans.named(workspace?.plan ?? '')
}

/** Whoever deletes the workspace waits for this transaction, or this one finds it gone. */
async function planOfLocked(tx: Tx, workspaceId: string, plans: Plans): Promise<Plan> {
  const [workspace] = await tx<{ plan: string }[]>`
    select plan from workspaces where id = ${workspaceId} for key share`
  if (!workspace) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
  return plans.named(workspace.plan)
}

function unknownSentence(plans: Plans, plan: Plan): string | null {
  if (plans.find(plan.id)) return null
  return `The plan "${plan.id}" of this workspace does not exist any more; the operator has to give it another.`
}
