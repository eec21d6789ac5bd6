import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { monthOf } from '../../platform/plans/limits.ts'
import { LIMIT_NAMES } from '../../platform/plans/plan.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'
import {
  INTERVALS,
  type Checkout,
  type Destination,
  type Invoice,
  type PaymentMethod,
  type ShownPlan,
  type Subscription,
  type WorkspaceUsage,
} from './schema.ts'
import { countMonthClicks } from './month-clicks.ts'
import { loadSubscription, type SubscriptionRow } from './set-plan.ts'
import type { BillingProvider } from './stripe.ts'
import type { Usage } from './usage.ts'

type Deps = Pick<
  Dependencies,
  'sql' | 'clickhouse' | 'clock' | 'plans' | 'saveIdempotentResponse'
> & {
  usage: Pick<Usage, 'flush'>
  /** Null on a server that sells no plans. */
  provider: BillingProvider | null
}

export type Billing = ReturnType<typeof createBilling>

/** A period of time, not a number that is used up. */
const UNUSED_LIMIT = 'analytics_retention_days'

export const createBilling = (deps: Deps) =>
  bindDeps(deps, {
    listPlans,
    subscription,
    readUsage,
    invoices,
    paymentMethods,
    checkout,
    portal,
  })

function listPlans({ plans, provider }: Deps): ShownPlan[] {
  return plans.all.map(
    ({ id, name, price, limits, capabilities, apiRequestsPerMinute = null, stripePriceIds }) => ({
      id,
      name,
      price,
      limits,
      capabilities,
      apiRequestsPerMinute,
      soldIntervals: provider
        ? INTERVALS.filter((interval) => stripePriceIds?.[interval] !== undefined)
        : [],
    }),
  )
}

async function subscription(deps: Deps, principal: Principal): Promise<Subscription> {
  const row = await load(deps, principal)
  return {
    plan: row.plan,
    status: row.status,
    currentPeriodStart: isoOrNull(row.currentPeriodStart),
    currentPeriodEnd: isoOrNull(row.currentPeriodEnd),
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
  }
}

async function readUsage(deps: Deps, principal: Principal): Promise<WorkspaceUsage> {
  const { sql, clock, plans, usage } = deps
  await usage.flush()
  const nowMs = clock()
  const period = monthOf(nowMs)
  const [clicks, plan, rows] = await Promise.all([
    countMonthClicks(deps, [principal.workspaceId]),
    load(deps, principal).then((row) => plans.named(row.plan)),
    inWorkspace(
      sql,
      principal.workspaceId,
      (tx) => tx<{ name: string; used: number }[]>`
        select name, sum(used)::bigint as used from usage_counters
        where workspace_id = ${principal.workspaceId}
          and period = case when name like '%\\_monthly' then ${period} else '' end
        group by name`,
    ),
  ])
  const used = new Map(rows.map((row) => [row.name, row.used])).set(
    'clicks_monthly',
    // They are only shown: links redirect under every plan.
    clicks.get(principal.workspaceId) ?? 0,
  )
  return {
    period,
    resetsAt: getNextMonth(nowMs).toISOString(),
    usage: Object.fromEntries(
      LIMIT_NAMES.filter((name) => name !== UNUSED_LIMIT).map((name) => [
        name,
        { used: used.get(name) ?? 0, limit: plan.limits[name] },
      ]),
    ),
  }
}

async function invoices(deps: Deps, principal: Principal): Promise<Invoice[]> {
  const customerId = await loadCustomerId(deps, principal)
  return deps.provider && customerId !== null ? deps.provider.invoices(customerId) : []
}

async function paymentMethods(deps: Deps, principal: Principal): Promise<PaymentMethod[]> {
  const customerId = await loadCustomerId(deps, principal)
  return deps.provider && customerId !== null ? deps.provider.paymentMethods(customerId) : []
}

/** The provider's event then changes the plan. */
async function checkout(deps: Deps, principal: Principal, input: Checkout): Promise<Destination> {
  const provider = requireProvider(deps)
  const plan = deps.plans.find(input.plan)
  if (!plan) throw invalid('plan', `The plan "${input.plan}" does not exist.`, 'unknown')
  const priceId = plan.stripePriceIds?.[input.interval]
  if (priceId === undefined)
    throw invalid('plan', `The plan ${plan.name} is not sold ${input.interval} here.`, 'not_sold')
  const row = await load(deps, principal)
  const hasSubscription = row.subscriptionId !== null && row.status !== 'canceled'
  if (row.provider === provider.name && hasSubscription)
    throw new ApiError(
      'CONFLICT',
      'The workspace already has a subscription; use POST /billing/portal to change it.',
    )
  const customerId = row.provider === provider.name ? row.customerId : null
  const { workspaceId, idempotencyKey } = principal
  const order = { workspaceId, priceId, customerId, idempotencyKey: idempotencyKey?.id }
  return keepDestination(deps, principal, await provider.checkout(order))
}

async function portal(deps: Deps, principal: Principal): Promise<Destination> {
  const provider = requireProvider(deps)
  const customerId = await loadCustomerId(deps, principal)
  if (customerId === null)
    throw new ApiError(
      'CONFLICT',
      'The workspace has bought nothing yet; use POST /billing/checkout first.',
    )
  return keepDestination(deps, principal, await provider.portal(customerId))
}

function keepDestination({ sql, saveIdempotentResponse }: Deps, principal: Principal, url: string) {
  return inWorkspace(sql, principal.workspaceId, (tx) =>
    saveIdempotentResponse(tx, principal, { url }),
  )
}

function requireProvider({ provider }: Deps): BillingProvider {
  if (provider) return provider
  throw new ApiError('CONFLICT', 'This server sells no plans; its operator assigns them.')
}

function load({ sql }: Deps, principal: Principal): Promise<SubscriptionRow> {
  return inWorkspace(sql, principal.workspaceId, (tx) =>
    loadSubscription(tx, principal.workspaceId),
  )
}

async function loadCustomerId(deps: Deps, principal: Principal): Promise<string | null> {
  const row = await load(deps, principal)
  return row.provider === deps.provider?.name ? row.customerId : null
}

function getNextMonth(nowMs: number): Date {
  const now = new Date(nowMs)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}
