import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Timestamp } from '../shapes.ts'

/** Every breakdown of an answer, and the column of `clicks` that it counts. */
export const DIMENSIONS = {
  country: 'country',
  region: 'region',
  city: 'city',
  continent: 'continent',
  device: 'device',
  browser: 'browser',
  os: 'os',
  referrer: 'referrer',
  language: 'language',
  trigger: 'trigger',
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmTerm: 'utm_term',
  utmContent: 'utm_content',
  destination: 'destination',
} as const

export type Dimension = keyof typeof DIMENSIONS
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as Dimension[]

export const AnalyticsQuery = Type.Object({
  days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    default: 30,
    description: 'Calendar days, today included.',
  }),
  timezone: Type.String({
    default: 'UTC',
    maxLength: 64,
    description: 'IANA time zone whose calendar days are meant.',
  }),
  includeBots: Type.Boolean({
    default: false,
    description: 'Count crawlers, link previews and prefetches as well.',
  }),
})
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

/**
 * Labels to clicks. Labels come from visitors, so an answer builds it without a prototype, and no
 * pattern stands here: TypeBox's record has `^.*$`, which drops labels with a line break.
 */
const Breakdown = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: { type: 'integer' },
})
export type Breakdown = Static<typeof Breakdown>

const Breakdowns = Type.Object(
  Object.fromEntries(DIMENSION_NAMES.map((name) => [name, Breakdown])) as Record<
    Dimension,
    typeof Breakdown
  >,
)

/** The spec's "Link analytics", then what is ours. */
export const LinkAnalytics = Type.Object({
  link: Type.Object({ id: Type.String(), slug: Type.String() }),
  totalClicks: Type.Integer({ description: 'Since the link exists.' }),
  periodClicks: Type.Integer(),
  periodChangePercent: Type.Number({ description: 'Against the period of equal length before.' }),
  uniqueVisitors: Type.Integer({ description: 'Of the period.' }),
  uniqueVisitorsChangePercent: Type.Number(),
  breakdowns: Breakdowns,
  botClicks: Type.Integer({
    description: 'Crawlers, link previews and prefetches of the period; not in the numbers above.',
  }),
  approximate: Type.Boolean({
    description: 'True when the unique visitors are estimated, within about one percent.',
  }),
})
export type LinkAnalytics = Static<typeof LinkAnalytics>

export const AnalyticsMeta = Type.Object({
  period: Type.Object({ start: Timestamp, end: Timestamp }),
  timezone: Type.String(),
  asOf: Type.String({
    format: 'date-time',
    description: 'Every click of the answering machine before this time is counted.',
  }),
})
