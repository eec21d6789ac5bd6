import { abuse } from './abuse/resource.ts'
import { analytics } from './analytics/resource.ts'
import { apiKeys } from './api-keys/resource.ts'
import { auditLog } from './audit-log/resource.ts'
import { bioPages } from './bio-pages/resource.ts'
import { billing } from './billing/resource.ts'
import { campaigns } from './campaigns/resource.ts'
import { conversions } from './conversions/resource.ts'
import { dashboards } from './dashboards/resource.ts'
import { deferred } from './deferred/resource.ts'
import { domains } from './domains/resource.ts'
import { folders } from './folders/resource.ts'
import { geoip } from './geoip/resource.ts'
import { links } from './links/resource.ts'
import { media } from './media/resource.ts'
import { members } from './members/resource.ts'
import { reports } from './reports/resource.ts'
import type { Resource } from './resource.ts'
import { search } from './search/resource.ts'
import { securityLog } from './security-log/resource.ts'
import { tags } from './tags/resource.ts'
import * as unrouted from './unrouted.ts'
import { utmTemplates } from './utm-templates/resource.ts'
import { webhooks } from './webhooks/resource.ts'
import { workspaces } from './workspaces/resource.ts'

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
