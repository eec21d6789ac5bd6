import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import { integer, oneOf, text, Timestamp } from '../../platform/resources/shapes.ts'
import { Breakdown, Numbers, Visits } from '../answers/schema.ts'

export const TokenParams = Type.Object({
  token: text('The token at the end of the address.', '4fJ0vQm2XyT7cBn9RkLpZs'),
})

export const PasswordHeaders = Type.Object({
  'x-dashboard-password': Type.Optional(
    text('The password of a protected dashboard, in UTF-8.', 'sunrise-42'),
  ),
})

/** Left out of a dashboard that does not show conversions. */
const Conversions = {
  conversions: Type.Optional(integer('Conversions, if they are shown.', 3)),
  value: Type.Optional(
    described(
      Type.Number(),
      'Value of the conversions in the smallest unit of `metrics.currency`, if they are shown.',
      4900,
    ),
  ),
}

const Metrics = named(
  'PublicDashboardMetrics',
  Type.Object({
    totalClicks: Numbers.totalClicks,
    periodClicks: Numbers.periodClicks,
    totalImportedClicks: Numbers.totalImportedClicks,
    periodChangePercent: Numbers.periodChangePercent,
    uniqueVisitors: Numbers.uniqueVisitors,
    uniqueVisitorsChangePercent: Numbers.uniqueVisitorsChangePercent,
    hasEarlierPeriod: Numbers.hasEarlierPeriod,
    ...Conversions,
    currency: Type.Optional(text('Currency of each value, if conversions are shown.', 'usd')),
    approximate: Numbers.approximate,
  }),
)

/** Answer to visitors of a shared dashboard. Each field is named here, so that no other one can be answered. */
export const PublicDashboard = named(
  'PublicDashboard',
  Type.Object({
    title: text('Title of the dashboard.', 'Spring sale'),
    scope: described(
      named(
        'PublicDashboardScope',
        Type.Object({
          type: oneOf(['workspace', 'link', 'campaign', 'folder'], 'What is shared.', 'link'),
          id: text('Its id.', 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
        }),
      ),
      'What is shared.',
    ),
    period: described(
      named(
        'PublicDashboardPeriod',
        Type.Object({
          start: described(Timestamp, 'Start of the first day.'),
          end: described(Timestamp, 'End of the last day.', '2026-01-31T00:00:00.000Z'),
          days: integer('Number of calendar days.', 30),
          timezone: text('Time zone of the calendar days: that of the workspace.', 'Europe/Berlin'),
          granularity: oneOf(
            ['hour', 'day', 'week', 'month'],
            'Length of a bucket of the series.',
            'day',
          ),
        }),
      ),
      'The counted period.',
    ),
    metrics: described(Metrics, 'Numbers of the period.'),
    timeseries: described(
      Type.Array(
        named(
          'PublicDashboardBucket',
          Type.Object({
            start: described(Timestamp, 'Start of the bucket; it ends where the next one starts.'),
            ...Visits,
            ...Conversions,
          }),
        ),
      ),
      'The period in buckets.',
    ),
    breakdowns: described(
      Type.Unsafe<Record<string, Record<string, number>>>({
        type: 'object',
        additionalProperties: Breakdown,
      }),
      'Clicks of the period by dimension: the most clicked labels, and the rest under `(other)`. Destinations are not among them.',
      { country: { DE: 40 }, device: { desktop: 30, mobile: 12 } },
    ),
    topLinks: described(
      Type.Array(
        named(
          'PublicDashboardLink',
          Type.Object({
            name: text('Its name.', 'Spring sale'),
            shortUrl: text('Its short URL.', 'https://links.example.com/spring-sale'),
            ...Visits,
            ...Conversions,
          }),
        ),
      ),
      'The most clicked links of what is shared.',
    ),
    updatedAt: described(Timestamp, 'Every click that was answered before this time is counted.'),
  }),
)
export type PublicDashboard = Static<typeof PublicDashboard>
