/** What a plan bounds; names ending in `_monthly` start again with each UTC calendar month. */
export const LIMIT_NAMES = [
  'links_monthly',
  'clicks_monthly',
  'domains',
  'members',
  'webhook_endpoints',
  'api_requests_monthly',
  'api_keys',
  'campaigns',
  'bio_pages',
  'utm_templates',
  'media_storage_mb',
  'analytics_retention_days',
] as const
export type LimitName = (typeof LIMIT_NAMES)[number]

/** What a plan includes or does not. */
export const CAPABILITIES = [
  'webhooks',
  'custom_domains',
  'conversions',
  'password',
  'deep_links',
  'reports',
  'audit_log',
  'public_dashboards',
] as const
export type Capability = (typeof CAPABILITIES)[number]

export type Plan = {
  id: string
  name: string
  /** In whole units of the currency (ISO 4217, lower case); null: by agreement. */
  price: { monthly: number | null; yearly: number | null; currency: string }
  /** Null: no limit. */
  limits: Record<LimitName, number | null>
  capabilities: Record<Capability, boolean>
  /** The rate limit of its keys and people; null: the installation's own. */
  apiRequestsPerMinute?: number | null
  /** What the plan is called at Stripe. `former` ones are still known, and no longer sold. */
  stripePriceIds?: { monthly?: string; yearly?: string; former?: readonly string[] }
}

/** Every workspace had this plan before its operator named another. */
export const SELF_HOSTED = 'self_hosted'

export function stripePricesOf({ stripePriceIds = {} }: Plan): string[] {
  const { monthly, yearly, former = [] } = stripePriceIds
  return [monthly, yearly, ...former].filter((id) => id !== undefined)
}
