import { abuse, billing, operator } from './operator/resource.ts'
import { apiKeys, auditLog, members, securityLog, workspaces } from './accounts/resource.ts'
import { alerts } from './analytics/alerts/resource.ts'
import { analytics } from './analytics/answers/resource.ts'
import { bioPages, media } from './pages/resource.ts'
import { campaigns, folders, links, search, tags, utmTemplates } from './links/resource.ts'
import { conversions, deferred, geoip } from './conversions/resource.ts'
import { dashboards } from './analytics/dashboards/resource.ts'
import { domains } from './domains/resource.ts'
import { reports } from './analytics/reports/resource.ts'
import type { Resource } from './platform/resources/resource.ts'
import * as unrouted from './analytics/clicks/resource.ts'
import { webhooks } from './webhooks/resource.ts'

/**
 * Every resource. Scopes and events are published in this order. A name outside of `unrouted`
 * requires routes of the same name in src/app/services.ts; without them it does not compile.
 */
export const RESOURCES = {
  links,
  folders,
  tags,
  analytics,
  domains,
  clicks: unrouted.clicks,
  conversions,
  campaigns,
  utmTemplates,
  bioPages,
  media,
  reports,
  alerts,
  webhooks,
  deferred,
  dashboards,
  apiKeys,
  workspaces,
  members,
  billing,
  auditLog,
  securityLog,
  abuse,
  operator,
  search,
  geoip,
} as const satisfies Record<string, Resource>

export type RoutedName = Exclude<keyof typeof RESOURCES, keyof typeof unrouted>

/** Resources with routes. */
export const ROUTED = Object.entries<Resource>(RESOURCES)
  .filter(([name]) => !(name in unrouted))
  .map(([, resource]) => resource)
