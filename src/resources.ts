import { abuse, billing } from './operator/resource.ts'
import { analytics } from './analytics/answers/resource.ts'
import { apiKeys, members, workspaces, auditLog, securityLog } from './accounts/resource.ts'
import { bioPages } from './pages/bio-pages/resource.ts'
import { campaigns } from './links/campaigns/resource.ts'
import { conversions } from './conversions/conversions/resource.ts'
import { dashboards } from './analytics/dashboards/resource.ts'
import { deferred } from './conversions/deferred/resource.ts'
import { domains } from './domains/domains/resource.ts'
import { folders } from './links/folders/resource.ts'
import { geoip } from './conversions/geoip/resource.ts'
import { links } from './links/link/resource.ts'
import { media } from './pages/media/resource.ts'
import { reports } from './analytics/reports/resource.ts'
import type { Resource } from './platform/resources/resource.ts'
import { search } from './links/search/resource.ts'
import { tags } from './links/tags/resource.ts'
import * as unrouted from './analytics/clicks/resource.ts'
import { webhooks } from './webhooks/endpoints/resource.ts'

/**
 * Every resource. Scopes and events are published in this order. A name that is not in `unrouted.ts`
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
  search,
  geoip,
} as const satisfies Record<string, Resource>

export type RoutedName = Exclude<keyof typeof RESOURCES, keyof typeof unrouted>

/** Resources with routes. */
export const ROUTED = Object.entries<Resource>(RESOURCES)
  .filter(([name]) => !(name in unrouted))
  .map(([, resource]) => resource)
