import { OperatorError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { SystemSql } from '../storage/postgres.ts'
import { builtInPlans } from './built-in-plans.ts'
import {
  CAPABILITIES,
  LIMIT_NAMES,
  SELF_HOSTED,
  stripePricesOf,
  type LimitName,
  type Plan,
} from './plan.ts'
import { checkPlansFile } from './plans-file.ts'

export type { Capability, LimitName, Plan } from './plan.ts'

export type Plans = {
  readonly all: readonly Plan[]
  /** What a new workspace gets, and one whose subscription has ended. */
  readonly initial: Plan
  find(id: string): Plan | null
  /**
   * The plan of a workspace. An id that is in no file gives a plan that keeps what is there and
   * allows nothing new: see {@link unknownPlan}.
   */
  named(id: string): Plan
  /** The plan that is sold under a price of Stripe. */
  withStripePrice(priceId: string): Plan | null
}

/**
 * The plans of this installation: those of the operator's file (docs/plans.md), or our own.
 * @param path PLANS_FILE, or null
 * @param initial DEFAULT_PLAN: the id of the plan that new workspaces get
 * @throws OperatorError in one sentence that names the file, the plan and the field
 */
export function readPlans(path: string | null, initial: string = SELF_HOSTED): Plans {
  return createPlans(path === null ? builtInPlans() : checkPlansFile(path), initial, path)
}

function createPlans(all: readonly Plan[], initial: string, path: string | null): Plans {
  const byId = new Map(all.map((plan) => [plan.id, plan]))
  const byPrice = new Map(
    all.flatMap((plan) => stripePricesOf(plan).map((price) => [price, plan] as const)),
  )
  const known = byId.get(initial)
  if (!known)
    throw new OperatorError(
      `DEFAULT_PLAN must be the id of a plan ${path === null ? 'that exists' : `in PLANS_FILE (${path})`}, not "${initial}".`,
    )
  return {
    all,
    initial: known,
    find: (id) => byId.get(id) ?? null,
    named: (id) => byId.get(id) ?? unknownPlan(id),
    withStripePrice: (priceId) => byPrice.get(priceId) ?? null,
  }
}

/**
 * For a workspace whose plan the operator took out of the file. Guessing another plan would give
 * away what nobody paid for, or delete what somebody did; so everything stays and can be read, and
 * nothing can be added until the operator names a plan that exists.
 */
function unknownPlan(id: string): Plan {
  const isKept = (name: LimitName) =>
    ['api_requests_monthly', 'clicks_monthly', 'analytics_retention_days'].includes(name)
  return {
    id,
    name: id,
    price: { monthly: null, yearly: null, currency: 'usd' },
    limits: record(LIMIT_NAMES, (name) => (isKept(name) ? null : 0)),
    capabilities: record(CAPABILITIES, () => false),
  }
}

function record<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>
}

/**
 * Tells the operator which workspaces have a plan that does not exist. Read once at the start.
 * @param systemSql sees every workspace
 */
export async function warnOfUnknownPlans(
  systemSql: SystemSql,
  plans: Plans,
  log: Log,
): Promise<void> {
  const rows = await systemSql<{ plan: string; workspaces: number }[]>`
    select plan, count(*) as workspaces from workspaces
    where plan <> all(${plans.all.map((plan) => plan.id)}::text[]) group by plan`
  for (const { plan, workspaces } of rows)
    log.warn(
      { plan, workspaces },
      'workspaces have a plan that does not exist; nothing can be added to them',
    )
}
