/**
 * Kind, label, and the numbers of `free`, `pro` and `business`. A `monthly` counter starts at 0 each UTC month, a
 * `standing` one falls with deletions, a `measured` limit has no counter.
 */
export const LIMITS = {
  links_monthly: ['monthly', 'monthly link', 25, 1_000, 10_000],
  clicks_monthly: ['measured', 'monthly click', 1_000, 50_000, 250_000],
  domains: ['standing', 'domain', 3, 10, 100],
  members: ['standing', 'member', 1, 3, 10],
  webhook_endpoints: ['standing', 'webhook endpoint', 0, 5, 20],
  api_requests_monthly: ['measured', 'monthly API request', 1_000, 50_000, 500_000],
  api_keys: ['standing', 'API key', 2, 20, 100],
  campaigns: ['standing', 'campaign', 1, 20, 200],
  bio_pages: ['standing', 'bio page', 1, 5, 50],
  utm_templates: ['standing', 'UTM template', 3, 50, 500],
  media_storage_mb: ['standing', 'media storage', 50, 1_000, 10_000],
  analytics_retention_days: ['measured', 'analytics retention', 30, 365, 730],
} as const satisfies Record<
  string,
  readonly ['monthly' | 'standing' | 'measured', string, ...NumberOfPlans<number>]
>

export const CAPABILITIES = {
  webhooks: ['webhooks', false, true, true],
  custom_domains: ['custom domains', true, true, true],
  conversions: ['conversions', false, true, true],
  password: ['links with a password', false, true, true],
  deep_links: ['deep links', false, true, true],
  reports: ['reports', false, true, true],
  audit_log: ['the audit log', false, false, true],
  public_dashboards: ['public dashboards', true, true, true],
} as const satisfies Record<string, readonly [string, ...NumberOfPlans<boolean>]>

type NumberOfPlans<Value> = readonly [free: Value, pro: Value, business: Value]

export type LimitName = keyof typeof LIMITS
export type Capability = keyof typeof CAPABILITIES
export type CountedName = {
  [Name in LimitName]: (typeof LIMITS)[Name][0] extends 'measured' ? never : Name
}[LimitName]

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[]
export const CAPABILITY_NAMES = Object.keys(CAPABILITIES) as Capability[]

export type Plan = {
  id: string
  name: string
  /** In whole units of the currency (ISO 4217, lower case); null is by agreement. */
  price: { monthly: number | null; yearly: number | null; currency: string }
  limits: Record<LimitName, number | null>
  capabilities: Record<Capability, boolean>
  /** Null for the installation's own limit. */
  apiRequestsPerMinute?: number | null
  stripePriceIds?: { monthly?: string; yearly?: string; former?: readonly string[] }
}

export const SELF_HOSTED = 'self_hosted'

export function builtInPlans(): Plan[] {
  return [
    builtIn(SELF_HOSTED, 'Self-hosted', 0, 0),
    { ...builtIn('free', 'Free', 0, 0, 1), apiRequestsPerMinute: 60 },
    { ...builtIn('pro', 'Pro', 30, 300, 2), apiRequestsPerMinute: 600 },
    { ...builtIn('business', 'Business', 90, 900, 3), apiRequestsPerMinute: 1_200 },
    builtIn('enterprise', 'Enterprise', null, null),
  ]
}

function builtIn(
  id: string,
  name: string,
  monthly: number | null,
  yearly: number | null,
  column?: 1 | 2 | 3,
): Plan {
  return {
    id,
    name,
    price: { monthly, yearly, currency: 'usd' },
    limits: mapValues(LIMITS, ([, , ...numbers]) => (column ? numbers[column - 1]! : null)),
    capabilities: mapValues(CAPABILITIES, (row) => (column ? row[column] : true)),
  }
}

export function mapValues<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  toValue: (value: From, name: Name) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(record) as [Name, From][]
  return Object.fromEntries(entries.map(([name, value]) => [name, toValue(value, name)])) as Record<
    Name,
    To
  >
}

export function getStripePrices({ stripePriceIds = {} }: Plan): string[] {
  const { monthly, yearly, former = [] } = stripePriceIds
  return [monthly, yearly, ...former].filter((id) => id !== undefined)
}
