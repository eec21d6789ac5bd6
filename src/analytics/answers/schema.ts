import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import {
  fieldsOf,
  flag,
  idInput,
  idShape,
  integer,
  nullable,
  oneOf,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'
import {
  BREAKDOWN_NAMES,
  DIMENSION_NAMES,
  DIMENSIONS,
  type Dimension,
} from '../questions/dimensions.ts'
import {
  CurrencyField,
  DomainField,
  GranularityField,
  IncludeBots,
  LabelFields,
  PeriodFields,
  QuestionFields,
} from '../questions/query.ts'

export const LinkAnalyticsQuery = Type.Object({
  ...PeriodFields,
  ...IncludeBots,
  ...LabelFields,
  ...DomainField,
  ...CurrencyField,
})
export type LinkAnalyticsQuery = Static<typeof LinkAnalyticsQuery>

export const OverviewQuery = Type.Object(QuestionFields)
export type OverviewQuery = Static<typeof OverviewQuery>
export const CampaignQuery = Type.Omit(OverviewQuery, ['campaignId'])
export const DomainQuery = Type.Omit(OverviewQuery, ['domainId'])

export const TimeseriesQuery = Type.Object({ ...QuestionFields, ...GranularityField })
export type TimeseriesQuery = Static<typeof TimeseriesQuery>
export const LinkTimeseriesQuery = Type.Object({
  ...LinkAnalyticsQuery.properties,
  ...GranularityField,
})

const MAX_OFFSET = 10_000
const MAX_ROWS = 1_000

const Page = {
  limit: integer('Rows per page. More than 1,000 counts as 1,000.', 50, {
    minimum: 1,
    default: 100,
  }),
  offset: integer('How many rows to skip.', 0, { minimum: 0, maximum: MAX_OFFSET, default: 0 }),
}

export const BreakdownQuery = Type.Object({ ...QuestionFields, ...Page })
export type BreakdownQuery = Static<typeof BreakdownQuery>
export const LinkBreakdownQuery = Type.Object({ ...LinkAnalyticsQuery.properties, ...Page })
export const TopLinksQuery = Type.Object({ ...QuestionFields, ...Page })
export type TopLinksQuery = Static<typeof TopLinksQuery>

/** A larger page is cut, not refused, as in every list. */
export function clampLimit<Q extends { limit: number }>(query: Q): Q {
  return { ...query, limit: Math.min(query.limit, MAX_ROWS) }
}

export const SummaryQuery = Type.Object({
  ...QuestionFields,
  ...GranularityField,
  compare: Type.Optional(
    text(
      'What to compare with: `previous`, as many days before; `year`, the same dates a year before; or a start and an end.',
      'previous',
      { minLength: 1, maxLength: 100 },
    ),
  ),
})
export type SummaryQuery = Static<typeof SummaryQuery>

export const ValuesQuery = Type.Object({
  ...QuestionFields,
  q: Type.Optional(
    text('Only labels that contain this text, in any case of letters.', 'chro', {
      maxLength: 255,
    }),
  ),
  limit: integer('Labels of the answer. More than 1,000 counts as 1,000.', 20, {
    minimum: 1,
    default: 20,
  }),
})
export type ValuesQuery = Static<typeof ValuesQuery>

const dimension = oneOf(DIMENSION_NAMES, 'Dimension of the labels.', 'country')
export const DimensionParams = Type.Object({ dimension })
export const LinkDimensionParams = Type.Object({ id: idInput('lnk', 'Id of the link.'), dimension })

/**
 * Clicks by label. Visitors choose the labels, so the object has no prototype, and the shape is not
 * TypeBox's record, whose pattern `^.*$` drops labels with a line break.
 */
export const Breakdown = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: { type: 'integer' },
})
export type Breakdown = Static<typeof Breakdown>

const toShape = (name: Dimension) =>
  described(Breakdown, `Clicks of the period by: ${DIMENSIONS[name].about}`, {
    [DIMENSIONS[name].example]: 40,
  })

const Breakdowns = named('Breakdowns', fieldsOf(BREAKDOWN_NAMES, toShape))

/** False when the change is 100 % only because there was nothing before. */
export const hasEarlierPeriod = flag(
  'Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing.',
  true,
)

export const Numbers = {
  totalClicks: integer('All clicks that were ever counted, and those that were imported.', 420),
  periodClicks: integer('Clicks of the period.', 42),
  periodChangePercent: described(
    Type.Number(),
    'Change of the clicks against as many days before.',
    5,
  ),
  uniqueVisitors: integer('Unique visitors of the period.', 40),
  uniqueVisitorsChangePercent: described(
    Type.Number(),
    'Change of the visitors against as many days before.',
    2.5,
  ),
  breakdowns: described(Breakdowns, 'Clicks of the period by dimension.'),
  hasEarlierPeriod,
  botClicks: integer(
    'Crawlers, link previews and prefetches of the period, which the other numbers leave out unless `includeBots` is true.',
    3,
  ),
  totalImportedClicks: integer(
    'Clicks that the links had in other services: part of totals, and of no number of the period.',
    0,
  ),
  approximate: flag(
    'True when the unique visitors are estimated, within about one percent.',
    false,
  ),
}

const Conversions = {
  conversions: integer('Conversions that happened in the period and are attributed to a link.', 3),
  value: integer(
    'Value of those in the `currency` of the question, in its smallest unit; refunds are negative.',
    4900,
  ),
}

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
    ...Numbers,
    ...Conversions,
  }),
)
export type LinkAnalytics = Static<typeof LinkAnalytics>

/** The numbers of a link's answer over many links (contract, section 4). */
export const Overview = named(
  'AnalyticsOverview',
  Type.Object({ ...Numbers, links: integer('Links that the filters name.', 12), ...Conversions }),
)

export const Visits = {
  clicks: integer('Clicks.', 42),
  uniqueVisitors: integer('Unique visitors.', 40),
}

const Bucket = named(
  'AnalyticsBucket',
  Type.Object({
    start: described(Timestamp, 'Start of the bucket; it ends where the next one starts.'),
    ...Visits,
    importedClicks: integer(
      'Clicks that the links had in other services on days of this bucket, beside `clicks`; 0 in series of hours.',
      0,
    ),
    ...Conversions,
  }),
)
export const Timeseries = Type.Array(Bucket)

const hostname = Type.Optional(
  nullable(
    text('Host of a label of `domain`; null for a domain that was deleted.', 'go.example.com'),
  ),
)
const BreakdownRow = named(
  'AnalyticsRow',
  Type.Object({
    label: text('The label.', 'DE'),
    ...Visits,
    percent: described(Type.Number(), 'Share of the clicks of all labels.', 12.5),
    ...Conversions,
    hostname,
  }),
)
export const BreakdownRows = Type.Array(BreakdownRow)
export const TopBreakdowns = named(
  'AnalyticsBreakdowns',
  fieldsOf(BREAKDOWN_NAMES, (name) =>
    described(Type.Array(BreakdownRow), `The ten most clicked labels: ${DIMENSIONS[name].about}`),
  ),
)

const TopLink = named(
  'AnalyticsTopLink',
  Type.Object({
    link: described(
      named(
        'CountedLink',
        Type.Object({
          id: idShape('lnk', 'Id of the link.'),
          name: nullable(text('Its name; null for a link that was deleted.', 'Spring sale')),
          slug: nullable(text('The path of its short URL.', 'spring-sale')),
          shortUrl: nullable(text('Its whole short URL.', 'https://links.example.com/spring-sale')),
        }),
      ),
      'The link.',
    ),
    ...Visits,
    ...Conversions,
  }),
)
export const TopLinks = Type.Array(TopLink)

const Value = named(
  'AnalyticsValue',
  Type.Object({
    value: text('The label.', 'Chrome'),
    clicks: integer('Clicks of the period.', 42),
    hostname,
  }),
)
export const Values = Type.Array(Value)

const Period = named(
  'AnalyticsPeriod',
  Type.Object({
    start: described(Timestamp, 'Start of the first day.'),
    end: described(Timestamp, 'End of the last day.', '2026-01-31T00:00:00.000Z'),
  }),
)

const comparedClicks = nullable(integer('Clicks of the compared period; null without one.', 40))
const ComparedRow = named(
  'AnalyticsComparedRow',
  Type.Object({ ...BreakdownRow.properties, comparedClicks }),
)
const Sums = { ...Visits, botClicks: Numbers.botClicks, ...Conversions }

export const Summary = named(
  'AnalyticsSummary',
  Type.Object({
    links: integer('Links that the filters name.', 12),
    totals: described(named('AnalyticsTotals', Type.Object(Sums)), 'Numbers of the period.'),
    totalImportedClicks: Numbers.totalImportedClicks,
    series: described(Timeseries, 'The period in buckets.'),
    breakdowns: described(
      named(
        'AnalyticsComparedBreakdowns',
        fieldsOf(BREAKDOWN_NAMES, (name) =>
          described(
            Type.Array(ComparedRow),
            `The ten most clicked labels: ${DIMENSIONS[name].about}`,
          ),
        ),
      ),
      'Labels of every dimension.',
    ),
    topLinks: described(
      Type.Array(
        named('AnalyticsComparedLink', Type.Object({ ...TopLink.properties, comparedClicks })),
      ),
      'The ten most clicked links.',
    ),
    comparison: described(
      nullable(
        named(
          'AnalyticsComparison',
          Type.Object({
            period: described(Period, 'The compared period.'),
            ...Sums,
            clicksChangePercent: Numbers.periodChangePercent,
            uniqueVisitorsChangePercent: Numbers.uniqueVisitorsChangePercent,
            hasEarlierPeriod,
            series: described(Timeseries, 'The compared period in buckets.'),
          }),
        ),
      ),
      'The period to compare with; null without `compare`.',
    ),
  }),
)

/** Reasons for which an answer over months whose clicks were deleted says less than one over clicks. */
export const INCOMPLETE = ['utc_days', 'filters', 'visitors'] as const
export type Incomplete = (typeof INCOMPLETE)[number]

export const AnalyticsMeta = named(
  'AnalyticsMeta',
  Type.Object({
    period: described(Period, 'The counted period.'),
    timezone: text('Time zone of the calendar days.', 'Europe/Berlin'),
    asOf: described(
      Timestamp,
      'Every click that was answered before this time is counted, on whichever server. Some later ones may be.',
    ),
    currencies: Type.Optional(
      described(
        Type.Array(Type.String()),
        'The currencies of the conversions of the period, in answers that have `value`.',
        ['eur', 'usd'],
      ),
    ),
    incomplete: Type.Optional(
      described(
        Type.Array(oneOf(INCOMPLETE, 'What is not known of these months.', 'utc_days')),
        'Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out.',
      ),
    ),
  }),
)

export const RowsMeta = named(
  'AnalyticsRowsMeta',
  Type.Object({ ...AnalyticsMeta.properties, approximate: Numbers.approximate }),
)
export const SeriesMeta = named(
  'AnalyticsSeriesMeta',
  Type.Object({
    ...RowsMeta.properties,
    granularity: described(GranularityField.granularity, 'Length of a bucket.', 'day'),
  }),
)
export const PagedMeta = named(
  'AnalyticsPageMeta',
  Type.Object({
    ...RowsMeta.properties,
    limit: integer('The `limit` of this page.', 100),
    offset: integer('The `offset` of this page.', 0),
  }),
)
