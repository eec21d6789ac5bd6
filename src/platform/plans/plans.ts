import { OperatorError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { SystemSql } from '../storage/postgres/postgres.ts'
import {
  builtInPlans,
  CAPABILITIES,
  getStripePrices,
  LIMITS,
  mapValues,
  SELF_HOSTED,
  type Plan,
} from './plan.ts'
import { checkPlansFile } from './plans-file.ts'

export type Plans = {
  readonly all: readonly Plan[]
  /** The plan of a new workspace, and of one whose subscription has ended. */
  readonly initial: Plan
  find(id: string): Plan | null
  /**
   * The plan of a workspace. An id without a plan gives a plan that keeps what exists and allows
   * nothing new: see {@link unknownPlan}.
   */
  named(id: string): Plan
  /** The plan that is sold under a price of Stripe. */
  withStripePrice(priceId: string): Plan | null
}

/**
 * Plans of this installation: those of the operator's file (docs/plans.md), or the built-in ones.
 * @param path PLANS_FILE, or null
 * @param initial DEFAULT_PLAN: the id of the plan that new workspaces get
 * @throws OperatorError in one sentence that names the file, the plan and the field
 */
export function readPlans(path: string | null, initial: string = SELF_HOSTED): Plans {
  return createPlans(path === null ? builtInPlans() : checkPlansFile(path), initial, path)
}

/** @param path of the file that has the plans; null for the built-in ones */
function createPlans(all: readonly Plan[], initial: string, path: string | null = null): Plans {
  const byId = new Map(all.map((plan) => [plan.id, plan]))
  const byPrice = new Map(
    all.flatMap((plan) => getStripePrices(plan).map((price) => [price, plan] as const)),
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
 * The plan of a workspace whose plan was removed from the file. Replacing it by another plan would give
 * away paid features or remove them, so what exists stays readable, and nothing can be added until the
 * operator sets a plan that exists.
 */
function unknownPlan(id: string): Plan {
  return {
    id,
    name: id,
    price: { monthly: null, yearly: null, currency: 'usd' },
    limits: mapValues(LIMITS, ([kind]) => (kind === 'measured' ? null : 0)),
    capabilities: mapValues(CAPABILITIES, () => false),
  }
}

/** Logs a warning for workspaces whose plan does not exist; runs once, at the start. */
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
      'workspaces have a plan that does not exist; set one of the existing plans for them',
    )
}
