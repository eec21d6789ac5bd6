import { Type, type Static } from 'typebox'
import { described, named } from '../../base/shape.ts'
import { fieldsOf, flag, idShape, integer, text, Timestamp } from '../shapes.ts'

/** The breakdowns of an answer, and their columns in `clicks`. */
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
  days: integer('Number of calendar days, including today.', 30, {
    minimum: 1,
    maximum: 3_650,
    default: 30,
  }),
  timezone: text('IANA time zone of the calendar days.', 'Europe/Berlin', {
    default: 'UTC',
    maxLength: 64,
  }),
  includeBots: flag('Also count crawlers, link previews and prefetches.', false, {
    default: false,
  }),
})
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

/**
 * Clicks by label. Visitors choose the labels, so the object has no prototype, and the shape is not
 * TypeBox's record, whose pattern `^.*$` drops labels with a line break.
 */
const Breakdown = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: { type: 'integer' },
})
export type Breakdown = Static<typeof Breakdown>

const LABELS: Record<Dimension, [description: string, example: string]> = {
  country: ['ISO country of the visitor.', 'DE'],
  region: ['Region of the visitor.', 'unknown'],
  city: ['City of the visitor.', 'unknown'],
  continent: ['Continent of the visitor.', 'EU'],
  device: ['Kind of device.', 'desktop'],
  browser: ['Name of the browser.', 'Firefox'],
  os: ['Name of the operating system.', 'Linux'],
  referrer: ['Host of the page with the link; `direct` without one.', 'direct'],
  language: ['Preferred language of the browser.', 'de'],
  trigger: ['`qr` for scanned codes, else `link`.', 'link'],
  utmSource: ['`utm_source` of the click.', 'newsletter'],
  utmMedium: ['`utm_medium` of the click.', 'email'],
  utmCampaign: ['`utm_campaign` of the click.', 'spring'],
  utmTerm: ['`utm_term` of the click.', 'shoes'],
  utmContent: ['`utm_content` of the click.', 'button'],
  destination: ['Destination of the click.', 'https://example.com/spring'],
}

const toShape = (name: Dimension) =>
  described(Breakdown, `Clicks of the period by: ${LABELS[name][0]}`, { [LABELS[name][1]]: 40 })

const Breakdowns = named('Breakdowns', fieldsOf(DIMENSION_NAMES, toShape))

/** The spec's "Link analytics", then additional fields. */
export const LinkAnalytics = named(
  'LinkAnalytics',
  Type.Object({
    link: described(
      named(
        'AnalyzedLink',
        Type.Object({
          id: idShape('lnk', 'Id of the link.'),
          slug: text('The path of its short URL.', 'spring-sale'),
        }),
      ),
      'The link whose clicks are counted.',
    ),
    totalClicks: integer('Clicks since the link was created.', 420),
    periodClicks: integer('Clicks of the period.', 42),
    periodChangePercent: described(
      Type.Number(),
      'Change of the clicks against the same number of days before.',
      5,
    ),
    uniqueVisitors: integer('Unique visitors of the period.', 40),
    uniqueVisitorsChangePercent: described(
      Type.Number(),
      'Change of the visitors against the same number of days before.',
      2.5,
    ),
    breakdowns: described(Breakdowns, 'Clicks of the period by dimension.'),
    botClicks: integer(
      'Crawlers, link previews and prefetches of the period, which the other numbers leave out unless `includeBots` is true.',
      3,
    ),
    approximate: flag(
      'True when the unique visitors are estimated, within about one percent.',
      false,
    ),
  }),
)
export type LinkAnalytics = Static<typeof LinkAnalytics>

const Period = named(
  'AnalyticsPeriod',
  Type.Object({
    start: described(Timestamp, 'Start of the first day.'),
    end: described(Timestamp, 'End of the last day.', '2026-01-31T00:00:00.000Z'),
  }),
)

export const AnalyticsMeta = named(
  'AnalyticsMeta',
  Type.Object({
    period: described(Period, 'The counted period.'),
    timezone: text('Time zone of the calendar days.', 'Europe/Berlin'),
    asOf: described(
      Timestamp,
      'Every click that was answered before this time is counted, on whichever server. Some later ones may be.',
    ),
  }),
)
