import { route } from '../../platform/routes/route.ts'
import { idParams } from '../../platform/resources/shapes.ts'
import type { Analytics } from './analytics.ts'
import { BioPageAnalytics, BioPageAnalyticsMeta, BioPageAnalyticsQuery } from './bio-page-schema.ts'
import { DubAnswer, DubQuery } from '../dub/dub-shapes.ts'
import {
  AnalyticsMeta,
  BreakdownQuery,
  BreakdownRows,
  CampaignQuery,
  DomainQuery,
  clampLimit,
  DimensionParams,
  LinkAnalytics,
  LinkAnalyticsQuery,
  LinkBreakdownQuery,
  LinkDimensionParams,
  LinkTimeseriesQuery,
  Overview,
  OverviewQuery,
  PagedMeta,
  RowsMeta,
  SeriesMeta,
  Timeseries,
  TimeseriesQuery,
  TopBreakdowns,
  TopLinks,
  Summary,
  SummaryQuery,
  TopLinksQuery,
  Values,
  ValuesQuery,
} from './schema.ts'

const common = {
  requires: { credential: 'any', role: 'viewer', scope: 'analytics:read' },
  skipConcurrencyLimit: true,
  // Without clicks, `asOf` is the time of the request.
  etagWithout: ['asOf'],
  tag: 'Analytics',
} as const

export const analyticsRoutes = (analytics: Analytics) => [
  ...ofLink(analytics),
  ...ofWorkspace(analytics),
  ...ofLabels(analytics),
  ...ofPages(analytics),
  ...ofBioPages(analytics),
]

const ofLink = (analytics: Analytics) => [
  route('GET /analytics/links/:id', {
    ...common,
    name: 'getLinkAnalytics',
    summary: 'Clicks, visitors and breakdowns of a link',
    description:
      'Counts the clicks of the last `days` calendar days, today included, and compares them with as many days before.',
    shapes: {
      params: idParams('lnk', 'link'),
      query: LinkAnalyticsQuery,
      reply: LinkAnalytics,
      meta: AnalyticsMeta,
    },
    find: analytics.findLink,
    handle: (principal, { params, query }, signal) =>
      analytics.link(principal, params.id, query, signal),
  }),
  route('GET /analytics/links/:id/timeseries', {
    ...common,
    name: 'getLinkTimeseries',
    summary: 'Clicks and visitors of a link over time',
    description: 'A row for each hour, day, week or month of the period, also without a click.',
    shapes: {
      params: idParams('lnk', 'link'),
      query: LinkTimeseriesQuery,
      reply: Timeseries,
      meta: SeriesMeta,
    },
    find: analytics.findLink,
    handle: (principal, { params, query }, signal) =>
      analytics.timeseries(principal, { linkId: params.id }, query, signal),
  }),
  route('GET /analytics/links/:id/breakdowns/:dimension', {
    ...common,
    name: 'getLinkBreakdown',
    summary: 'Clicks and visitors of a link by label',
    description: 'The labels of one dimension, the most clicked first.',
    shapes: {
      params: LinkDimensionParams,
      query: LinkBreakdownQuery,
      reply: BreakdownRows,
      meta: PagedMeta,
    },
    find: analytics.findLink,
    handle: (principal, { params: { id, dimension }, query }, signal) =>
      analytics.breakdown(principal, { linkId: id }, dimension, clampLimit(query), signal),
  }),
]

const ofBioPages = (analytics: Analytics) => [
  route('GET /analytics/bio-pages/:id', {
    ...common,
    name: 'getBioPageAnalytics',
    summary: 'Views, visitors and clicks of a bio page',
    description:
      'Counts the human views of the period, and the clicks of the links of its blocks. The click rate is clicks divided by views.',
    shapes: {
      params: idParams('bio', 'page'),
      query: BioPageAnalyticsQuery,
      reply: BioPageAnalytics,
      meta: BioPageAnalyticsMeta,
    },
    find: analytics.findBioPage,
    handle: (principal, { params, query }, signal) =>
      analytics.bioPage(principal, params.id, query, signal),
  }),
]

const ofWorkspace = (analytics: Analytics) => [
  route('GET /analytics/overview', {
    ...common,
    name: 'getAnalyticsOverview',
    summary: 'Clicks, visitors and breakdowns of all links',
    description: 'The numbers of a link over all links that the filters name.',
    shapes: { query: OverviewQuery, reply: Overview, meta: AnalyticsMeta },
    handle: (principal, { query }, signal) => analytics.overview(principal, {}, query, signal),
  }),
  route('GET /analytics/campaigns/:id', {
    ...common,
    name: 'getCampaignAnalytics',
    summary: 'Clicks, visitors and breakdowns of a campaign',
    description: 'The numbers of a link over the links that are in the campaign today.',
    shapes: {
      params: idParams('cmp', 'campaign'),
      query: CampaignQuery,
      reply: Overview,
      meta: AnalyticsMeta,
    },
    find: analytics.findCampaign,
    handle: (principal, { params, query }, signal) =>
      analytics.overview(principal, { campaignId: params.id }, query, signal),
  }),
  route('GET /analytics/domains/:id', {
    ...common,
    name: 'getDomainAnalytics',
    summary: 'Clicks, visitors and breakdowns of a domain',
    description:
      'The numbers of a link over the clicks on the domain, also of links that have left it.',
    shapes: {
      params: idParams('dom', 'domain'),
      query: DomainQuery,
      reply: Overview,
      meta: AnalyticsMeta,
    },
    find: analytics.findDomain,
    handle: (principal, { params, query }, signal) =>
      analytics.domain(principal, params.id, query, signal),
  }),
  route('GET /analytics/timeseries', {
    ...common,
    name: 'getTimeseries',
    summary: 'Clicks and visitors over time',
    description: 'A row for each hour, day, week or month of the period, also without a click.',
    shapes: { query: TimeseriesQuery, reply: Timeseries, meta: SeriesMeta },
    handle: (principal, { query }, signal) => analytics.timeseries(principal, {}, query, signal),
  }),
  route('GET /analytics/top-links', {
    ...common,
    name: 'getTopLinks',
    summary: 'The most clicked links',
    description: 'Links by their clicks of the period, in descending order.',
    shapes: { query: TopLinksQuery, reply: TopLinks, meta: PagedMeta },
    handle: (principal, { query }, signal) =>
      analytics.topLinks(principal, clampLimit(query), signal),
  }),
]

const ofLabels = (analytics: Analytics) => [
  route('GET /analytics/breakdowns', {
    ...common,
    name: 'getBreakdowns',
    summary: 'The most clicked labels of every dimension',
    description: 'Ten labels of each dimension, with clicks and visitors.',
    shapes: { query: OverviewQuery, reply: TopBreakdowns, meta: RowsMeta },
    handle: (principal, { query }, signal) => analytics.breakdowns(principal, query, signal),
  }),
  route('GET /analytics/breakdowns/:dimension', {
    ...common,
    name: 'getBreakdown',
    summary: 'Clicks and visitors by label',
    description: 'The labels of one dimension, the most clicked first.',
    shapes: {
      params: DimensionParams,
      query: BreakdownQuery,
      reply: BreakdownRows,
      meta: PagedMeta,
    },
    handle: (principal, { params, query }, signal) =>
      analytics.breakdown(principal, {}, params.dimension, clampLimit(query), signal),
  }),
]

const ofPages = (analytics: Analytics) => [
  route('GET /analytics', {
    ...common,
    name: 'queryAnalytics',
    summary: 'Clicks with the field names of Dub',
    description: 'Takes the parameters of Dub and answers with its fields, in the usual envelope.',
    shapes: { query: DubQuery, reply: DubAnswer, meta: AnalyticsMeta },
    handle: (principal, { query }, signal) => analytics.dub(principal, query, signal),
  }),
  route('GET /analytics/summary', {
    ...common,
    name: 'getAnalyticsSummary',
    summary: 'All numbers of a page, and of a period to compare with',
    description:
      'Totals, series, breakdowns and top links of the filters, counted as of one moment.',
    shapes: { query: SummaryQuery, reply: Summary, meta: SeriesMeta },
    handle: (principal, { query }, signal) => analytics.summary(principal, query, signal),
  }),
  route('GET /analytics/values/:dimension', {
    ...common,
    name: 'getFilterValues',
    summary: 'Labels to filter by',
    description: 'Labels that contain a text, the most clicked first.',
    shapes: { params: DimensionParams, query: ValuesQuery, reply: Values },
    handle: (principal, { params, query }, signal) =>
      analytics.values(principal, params.dimension, clampLimit(query), signal),
  }),
]
