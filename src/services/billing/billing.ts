import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type TenantSql } from '../../storage/postgres.ts'
import { monthOf } from '../limits.ts'
import { LIMIT_NAMES } from '../plan.ts'
import type { Plans } from '../plans.ts'
import { isoOrNull } from '../shapes.ts'
import type { BillingProvider } from './provider.ts'
import type {
  Checkout,
  Destination,
  Invoice,
  PaymentMethod,
  ShownPlan,
  Subscription,
  WorkspaceUsage,
} from './schema.ts'
import { readStanding, type StandingRow } from './set-plan.ts'
import type { Usage } from './usage.ts'

type Deps = {
  sql: TenantSql
  clock: Clock
  plans: Plans
  usage: Pick<Usage, 'flush'>
  /** Clicks of a workspace since a moment; they are counted where clicks are. */
  countClicks: (workspaceId: string, since: Date) => Promise<number>
  /** Null: nothing can be bought here. */
  provider: BillingProvider | null
}

export type Billing = ReturnType<typeof createBilling>

/** Of time, not of things: nothing uses it up. */
const NOT_USED_UP = 'analytics_retention_days'

/** What a workspace has bought, what it has used, and the way to the provider's own pages. */
export function createBilling({ sql, clock, plans, usage, countClicks, provider }: Deps) {
  return { listPlans, subscription, readUsage, invoices, paymentMethods, checkout, portal }

  function listPlans(): ShownPlan[] {
    return plans.all.map(({ id, name, price, limits, capabilities, apiRequestsPerMinute }) => ({
      id,
      name,
      price,
      limits,
      capabilities,
      apiRequestsPerMinute: apiRequestsPerMinute ?? null,
    }))
  }

  async function subscription(who: Who): Promise<Subscription> {
    const row = await standingOf(who)
    return {
      plan: row.plan,
      status: row.status,
      currentPeriodStart: isoOrNull(row.currentPeriodStart),
      currentPeriodEnd: isoOrNull(row.currentPeriodEnd),
      cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    }
  }

  /** What the workspace has used this month and in all, beside what its plan allows. */
  async function readUsage(who: Who): Promise<WorkspaceUsage> {
    // So that calls of a moment ago are in it.
    await usage.flush()
    const nowMs = clock()
    const period = monthOf(nowMs)
    const [clicks, plan, rows] = await Promise.all([
      countClicks(who.workspaceId, new Date(`${period}-01T00:00:00.000Z`)),
      standingOf(who).then((row) => plans.named(row.plan)),
      inWorkspace(
        sql,
        who.workspaceId,
        (tx) => tx<{ name: string; used: number }[]>`
          select name, used from usage_counters
          where workspace_id = ${who.workspaceId}
            and period = case when name like '%\\_monthly' then ${period} else '' end`,
      ),
    ])
    const used = new Map(rows.map((row) => [row.name, row.used])).set('clicks_monthly', clicks)
    return {
      period,
      resetsAt: startOfNextMonth(nowMs).toISOString(),
      usage: Object.fromEntries(
        LIMIT_NAMES.filter((name) => name !== NOT_USED_UP).map((name) => [
          name,
          { used: used.get(name) ?? 0, limit: plan.limits[name] },
        ]),
      ),
    }
  }

  /** Newest first; empty for a workspace that never bought anything. */
  async function invoices(who: Who): Promise<Invoice[]> {
    const customerId = await customerOf(who)
    return provider && customerId !== null ? provider.invoices(customerId) : []
  }

  async function paymentMethods(who: Who): Promise<PaymentMethod[]> {
    const customerId = await customerOf(who)
    return provider && customerId !== null ? provider.paymentMethods(customerId) : []
  }

  /**
   * The page on which a plan is bought; the plan changes when the provider says that it was.
   * @throws ApiError VALIDATION_ERROR for a plan that is not sold, CONFLICT without a provider or
   *   with a subscription that runs
   */
  async function checkout(who: Who, input: Checkout): Promise<Destination> {
    const seller = requireProvider()
    const plan = plans.find(input.plan)
    if (!plan) throw invalid('plan', `There is no plan "${input.plan}".`, 'unknown')
    const priceId = plan.stripePriceIds?.[input.interval]
    if (priceId === undefined)
      throw invalid('plan', `The plan ${plan.name} is not sold ${input.interval} here.`, 'not_sold')
    const row = await standingOf(who)
    const hasSubscription = row.subscriptionId !== null && row.status !== 'canceled'
    if (row.provider === seller.name && hasSubscription)
      throw new ApiError(
        'CONFLICT',
        'The workspace has a subscription already; POST /billing/portal leads to where it is changed.',
      )
    const customerId = row.provider === seller.name ? row.customerId : null
    return { url: await seller.checkout({ workspaceId: who.workspaceId, priceId, customerId }) }
  }

  /** @throws ApiError CONFLICT without a provider, or for a workspace that never bought anything */
  async function portal(who: Who): Promise<Destination> {
    const seller = requireProvider()
    const customerId = await customerOf(who)
    if (customerId === null)
      throw new ApiError(
        'CONFLICT',
        'The workspace has bought nothing yet; POST /billing/checkout begins.',
      )
    return { url: await seller.portal(customerId) }
  }

  function requireProvider(): BillingProvider {
    if (provider) return provider
    throw new ApiError(
      'CONFLICT',
      'Nothing is sold on this server; its operator gives workspaces their plans.',
    )
  }

  function standingOf(who: Who): Promise<StandingRow> {
    return inWorkspace(sql, who.workspaceId, (tx) => readStanding(tx, who.workspaceId))
  }

  async function customerOf(who: Who): Promise<string | null> {
    const row = await standingOf(who)
    return row.provider === provider?.name ? row.customerId : null
  }
}

function startOfNextMonth(nowMs: number): Date {
  const now = new Date(nowMs)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}
