/** What a plan bounds; names ending in `_monthly` start again with each UTC calendar month. */
const LIMIT_NAMES = ['links_monthly', 'api_keys', 'members'] as const
export type LimitName = (typeof LIMIT_NAMES)[number]

export type Plan = {
  id: string
  /** Null: no limit. */
  limits: Record<LimitName, number | null>
}

/** A workspace has everything without limits unless its operator says otherwise. */
const SELF_HOSTED: Plan = {
  id: 'self_hosted',
  limits: { links_monthly: null, api_keys: null, members: null },
}

const PLANS: readonly Plan[] = [
  SELF_HOSTED,
  { id: 'free', limits: { links_monthly: 25, api_keys: 2, members: 1 } },
  { id: 'pro', limits: { links_monthly: 1_000, api_keys: 20, members: 3 } },
  { id: 'business', limits: { links_monthly: 10_000, api_keys: 100, members: 10 } },
  { id: 'enterprise', limits: { links_monthly: null, api_keys: null, members: null } },
]

export function planNamed(id: string): Plan {
  return PLANS.find((plan) => plan.id === id) ?? SELF_HOSTED
}
