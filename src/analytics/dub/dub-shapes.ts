import { Type, type Static } from 'typebox'
import { documented, named } from '../../platform/routes/shape.ts'
import { oneOf, text } from '../../platform/resources/shapes.ts'
import type { Dimension } from '../questions/dimensions.ts'
import { GranularityField, PeriodFields } from '../questions/query.ts'

/** The names that Dub gives to events, groups, filters and fields (dub.co/docs, "Retrieve analytics"). */

const EVENTS = ['clicks', 'leads', 'sales', 'composite'] as const

/** Groups by label: the dimension, and the field of a row that has the label. */
export const LABEL_GROUPS = {
  continents: { dimension: 'continent', field: 'continent' },
  countries: { dimension: 'country', field: 'country' },
  regions: { dimension: 'region', field: 'region' },
  cities: { dimension: 'city', field: 'city' },
  devices: { dimension: 'device', field: 'device' },
  browsers: { dimension: 'browser', field: 'browser' },
  os: { dimension: 'os', field: 'os' },
  triggers: { dimension: 'trigger', field: 'trigger' },
  referers: { dimension: 'referrer', field: 'referer' },
  top_urls: { dimension: 'destination', field: 'url' },
  utm_sources: { dimension: 'utmSource', field: 'utm_source' },
  utm_mediums: { dimension: 'utmMedium', field: 'utm_medium' },
  utm_campaigns: { dimension: 'utmCampaign', field: 'utm_campaign' },
  utm_terms: { dimension: 'utmTerm', field: 'utm_term' },
  utm_contents: { dimension: 'utmContent', field: 'utm_content' },
} as const satisfies Record<string, { dimension: Dimension; field: string }>

type LabelGroup = keyof typeof LABEL_GROUPS
const GROUPS = [
  'count',
  'timeseries',
  'top_links',
  ...(Object.keys(LABEL_GROUPS) as LabelGroup[]),
] as const

const filter = (name: string, example: string) =>
  Type.Optional(
    text(`Only clicks with this ${name}; several are separated by commas.`, example, {
      minLength: 1,
      maxLength: 8_192,
    }),
  )

export const DubQuery = Type.Object({
  event: oneOf(
    EVENTS,
    'What is counted. Leads and sales are conversions; `saleAmount` is the value of those in US dollars, in cents.',
    'clicks',
    { default: 'clicks' },
  ),
  groupBy: oneOf(GROUPS, 'What the rows stand for.', 'countries', { default: 'count' }),
  ...PeriodFields,
  ...GranularityField,
  linkId: filter('link', 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  folderId: filter('folder of the link', 'fld_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  tag: filter('tag of the link', 'newsletter'),
  domain: filter('domain, by its id, or `default` for the shared host', 'default'),
  country: filter('country', 'DE'),
  city: filter('city', 'Berlin'),
  region: filter('region', 'DE-BE'),
  continent: filter('continent', 'EU'),
  device: filter('kind of device', 'desktop'),
  browser: filter('browser', 'Firefox'),
  os: filter('operating system', 'Linux'),
  trigger: filter('trigger', 'qr'),
  referer: filter('referrer', 'direct'),
  url: filter('destination', 'https://example.com/spring'),
  utm_source: filter('UTM source', 'newsletter'),
  utm_medium: filter('UTM medium', 'email'),
  utm_campaign: filter('UTM campaign', 'spring'),
  utm_term: filter('UTM term', 'shoes'),
  utm_content: filter('UTM content', 'button'),
})
export type DubQuery = Static<typeof DubQuery>

export const DubAnswer = documented(named('DubAnswer', Type.Unsafe<unknown>({})), {
  description: 'An object for `groupBy=count`, else a list of rows.',
  examples: [[{ country: 'DE', clicks: 42 }]],
})
