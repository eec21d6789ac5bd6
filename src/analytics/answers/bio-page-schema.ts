import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import {
  fieldsOf,
  flag,
  idShape,
  integer,
  nullable,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'
import { DIMENSIONS, VIEW_BREAKDOWN_NAMES } from '../questions/dimensions.ts'
import { DomainField, GranularityField, LabelFields, PeriodFields } from '../questions/query.ts'
import { AnalyticsMeta, Breakdown, hasEarlierPeriod } from './schema.ts'

export const BioPageAnalyticsQuery = Type.Object({
  ...PeriodFields,
  includeBots: flag(
    'Also count clicks by crawlers, link previews and prefetches. Views by them are never counted.',
    false,
    { default: false },
  ),
  ...LabelFields,
  ...DomainField,
  ...GranularityField,
})
export type BioPageAnalyticsQuery = Static<typeof BioPageAnalyticsQuery>

const change = (noun: string) =>
  described(Type.Number(), `Change of the ${noun} against as many days before.`, 5)
const uniqueVisitors = integer('Unique visitors of the period.', 40)
const clickRate = (noun: string) =>
  nullable(
    described(
      Type.Number(),
      `Clicks ${noun} divided by views of the page; null without a view. It may exceed 1.`,
      0.31,
    ),
  )

const BlockAnalytics = named(
  'BioPageBlockAnalytics',
  Type.Object({
    id: idShape('blk', 'Id of the block.'),
    title: text('Its title.', 'Shop the spring collection'),
    linkId: idShape('lnk', 'Id of its link.'),
    clicks: integer('Clicks of the link in the period, wherever it was clicked.', 31),
    uniqueVisitors: integer('Unique visitors of these clicks.', 29),
    clickRate: clickRate('of the link'),
  }),
)

const PageBucket = named(
  'BioPageBucket',
  Type.Object({
    start: described(Timestamp, 'Start of the bucket; it ends where the next one starts.'),
    views: integer('Views.', 12),
    uniqueVisitors: integer('Unique visitors.', 11),
    clicks: integer('Clicks of the links of all blocks.', 4),
  }),
)

export const BioPageAnalytics = named(
  'BioPageAnalytics',
  Type.Object({
    page: described(
      Type.Object({
        id: idShape('bio', 'Id of the page.'),
        slug: text('Its slug.', 'ana'),
        title: text('Its heading.', 'Ana Lima'),
      }),
      'The page.',
    ),
    totalViews: integer('All views that were ever counted.', 1_204),
    periodViews: integer('Views of the period.', 100),
    periodViewsChangePercent: change('views'),
    uniqueVisitors,
    uniqueVisitorsChangePercent: change('visitors'),
    hasEarlierPeriod,
    periodClicks: integer('Clicks of the links of all blocks in the period.', 31),
    clickRate: clickRate('of all blocks'),
    blocks: described(
      Type.Array(BlockAnalytics),
      'The blocks with a link that the page has today, in their order.',
    ),
    timeseries: described(
      Type.Array(PageBucket),
      'A row for each hour, day, week or month of the period, also without a view.',
    ),
    breakdowns: described(
      fieldsOf(VIEW_BREAKDOWN_NAMES, (name) =>
        described(Breakdown, `Views by: ${DIMENSIONS[name].about}`, {
          [DIMENSIONS[name].example]: 40,
        }),
      ),
      'Views of the period by dimension.',
    ),
    approximate: flag(
      'True when the unique visitors are estimated, within about one percent.',
      false,
    ),
  }),
)

export const BioPageAnalyticsMeta = named(
  'BioPageAnalyticsMeta',
  Type.Object({
    ...Type.Omit(AnalyticsMeta, ['currencies']).properties,
    granularity: described(GranularityField.granularity, 'Length of a bucket.', 'day'),
  }),
)
