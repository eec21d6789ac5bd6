/**
 * Every event type that exists (spec, Events), in one place: a type is added by one line here and
 * one call of `publish` where its cause is.
 */
const CATALOG = {
  'link.created': row('Link created', 'A new short link was created.', link()),
  'link.updated': row(
    'Link updated',
    'A link was renamed, redirected, archived or its metadata changed.',
    {
      ...link(),
      changes: ['destinationUrl'],
      previous: { destinationUrl: 'https://example.com/old' },
    },
  ),
  'link.deleted': row('Link deleted', 'A link was permanently removed.', link()),
  'domain.verified': row('Domain verified', 'A branded domain passed DNS verification.', {
    ...domain(),
    status: 'verified',
    verifiedAt: '2026-01-01T00:00:00.000Z',
  }),
  'domain.failed': row('Domain failed', 'An attempt to verify a branded domain failed.', {
    ...domain(),
    status: 'failed',
    failureReason: 'not_found',
  }),
  'click.received': row('Click received', 'A link of the workspace was clicked.', {
    clickId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    link: {
      id: 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      slug: 'docs',
      shortUrl: 'https://links.example.com/docs',
      domain: 'links.example.com',
    },
    destinationUrl: 'https://example.com/docs',
    timestamp: '2026-01-01T00:00:00.000Z',
    country: 'DE',
    region: null,
    city: null,
    continent: 'EU',
    device: 'desktop',
    browser: 'Firefox',
    os: 'Linux',
    referrer: 'direct',
    language: 'de',
    trigger: 'link',
    utmSource: null,
    utmMedium: null,
    utmCampaign: null,
    utmTerm: null,
    utmContent: null,
  }),
  'conversion.received': row('Conversion received', 'A conversion event arrived from a server.', {
    id: 'cnv_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    eventId: 'order-1',
    eventName: 'Purchase',
    type: 'sale',
    value: 4900,
    currency: 'usd',
    clickId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    link: { id: 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV', slug: 'docs' },
    customer: null,
    metadata: null,
    occurredAt: '2026-01-01T00:00:00.000Z',
  }),
  'campaign.completed': row('Campaign completed', 'A campaign was marked as complete.', {
    id: 'cmp_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    name: 'Spring',
    status: 'completed',
    completedAt: '2026-01-01T00:00:00.000Z',
  }),
  'report.generated': row('Report generated', 'The export of a report is finished.', {
    id: 'rep_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    name: 'Clicks by month',
    status: 'completed',
    downloadUrl: 'https://links.example.com/v1/reports/rep_01ARZ3NDEKTSV4RRFFQ69G5FAV/download',
  }),
  'billing.subscription.updated': row(
    'Subscription updated',
    'The subscription of the workspace changed its plan or was renewed.',
    {
      plan: 'pro',
      previousPlan: 'free',
      status: 'active',
      currentPeriodEnd: '2026-02-01T00:00:00.000Z',
    },
  ),
} as const satisfies Record<string, CatalogRow>

type CatalogRow = {
  label: string
  description: string
  /** What a test delivery carries; the workspace's id is added. */
  sample: Record<string, unknown>
}

export type EventType = keyof typeof CATALOG

export const EVENT_TYPES = Object.keys(CATALOG) as EventType[]

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(CATALOG, type)
}

export function catalogRow(type: EventType): CatalogRow {
  return CATALOG[type]
}

function row(label: string, description: string, sample: Record<string, unknown>): CatalogRow {
  return { label, description, sample }
}

function link() {
  return {
    id: 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    name: 'Documentation',
    slug: 'docs',
    domainId: null,
    destinationUrl: 'https://example.com/docs',
    iosDeepLink: null,
    androidDeepLink: null,
    expiresAt: null,
    redirectType: 302,
    status: 'active',
    campaignId: null,
    utmSource: null,
    utmMedium: null,
    utmCampaign: null,
    utmTerm: null,
    utmContent: null,
    metadata: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    shortUrl: 'https://links.example.com/docs',
    domain: 'links.example.com',
    tags: [],
    folderId: null,
    externalId: null,
    expiredUrl: null,
    maxClicks: null,
    startsAt: null,
    clicks: 0,
    lastClickedAt: null,
    archivedAt: null,
    createdBy: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    trackConversions: false,
    rules: [],
  }
}

function domain() {
  return {
    id: 'dom_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    hostname: 'go.example.com',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }
}
