import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import {
  idShape,
  integer,
  nullable,
  oneOf,
  PageMeta,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'
import { CLICK_KINDS } from './events-rows.ts'
import { QuestionFields } from '../questions/query.ts'
import { AnalyticsMeta } from '../answers/schema.ts'

const orNull = (description: string, example: string) => nullable(text(description, example))
const utm = (field: string) => nullable(text(`\`${field}\` of the click.`, 'newsletter'))

export const ClickReceived = Type.Object({
  clickId: text('Id of the click.', '01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  link: described(
    named(
      'ClickedLink',
      Type.Object({
        id: idShape('lnk', 'Id of the link.'),
        slug: text('The path of its short URL.', 'spring-sale'),
        shortUrl: text('Its whole short URL.', 'https://links.example.com/spring-sale'),
        domain: text('The host of the short URL.', 'links.example.com'),
      }),
    ),
    'The link that was clicked.',
  ),
  destinationUrl: text('Where the click led.', 'https://example.com/spring'),
  timestamp: described(Timestamp, 'When it was clicked.'),
  country: orNull('ISO country of the visitor.', 'DE'),
  region: orNull('Region of the visitor.', 'BY'),
  city: orNull('City of the visitor.', 'Munich'),
  continent: orNull('Continent of the visitor.', 'EU'),
  device: text('Kind of device.', 'desktop'),
  browser: text('Name of the browser.', 'Firefox'),
  os: text('Name of the operating system.', 'Linux'),
  referrer: text('Host of the page with the link; `direct` without one.', 'direct'),
  language: orNull('First language of the browser.', 'de'),
  trigger: text('`qr` for a scanned code, else `link`.', 'link'),
  utmSource: utm('utm_source'),
  utmMedium: utm('utm_medium'),
  utmCampaign: utm('utm_campaign'),
  utmTerm: utm('utm_term'),
  utmContent: utm('utm_content'),
})

const KINDS = [...CLICK_KINDS, 'all'] as const

const MAX_OFFSET = 10_000

const { includeBots: _includeBots, currency: _currency, ...Shared } = QuestionFields
const Filters = {
  ...Shared,
  kind: oneOf(
    KINDS,
    'Which clicks: `human` ones count; the others are crawlers, link previews and prefetches.',
    'human',
    { default: 'human' },
  ),
}

export const EventsQuery = Type.Object({
  ...Filters,
  limit: integer('Rows per page. More than 100 counts as 100.', 50, { minimum: 1, default: 50 }),
  offset: integer('How many rows to skip; beyond 10,000 use `cursor`.', 0, {
    minimum: 0,
    maximum: MAX_OFFSET,
    default: 0,
  }),
  cursor: Type.Optional(
    text('`meta.nextCursor` of the page before, with the same filters.', 'eyJhdE1zIjox…', {
      maxLength: 500,
    }),
  ),
})
export type EventsQuery = Static<typeof EventsQuery>

export const ExportQuery = Type.Object({
  ...Filters,
  format: oneOf(['csv', 'json'], 'A file for spreadsheets, or a list of objects.', 'csv', {
    default: 'csv',
  }),
})
export type ExportQuery = Static<typeof ExportQuery>

export const ClickEventShape = named(
  'ClickEvent',
  Type.Object({
    id: text('Id of the click.', '01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    kind: oneOf(CLICK_KINDS, 'Who clicked; `human` clicks count.', 'human'),
    route: text(
      'The option of the link that chose the destination; `default` without one.',
      'default',
    ),
    domainId: nullable(idShape('dom', 'Id of its domain; null for the shared host.')),
    visitor: nullable(
      text(
        'Pseudonym of the visitor, the same on one UTC day; null for a visitor who asked not to be recognized.',
        'v_q6Zr0B1mVx3kT9_a',
      ),
    ),
    ...ClickReceived.properties,
  }),
)

const { currencies: _currencies, ...OfClicks } = AnalyticsMeta.properties
export const EventsMeta = named(
  'ClickEventsMeta',
  Type.Object({
    ...OfClicks,
    ...PageMeta.properties,
    totalIsExact: Type.Optional(
      described(
        Type.Boolean(),
        'False: more than 10,000 clicks match, and the total says 10000. Left out otherwise.',
        false,
      ),
    ),
    clicksFrom: nullable(
      described(
        Timestamp,
        'Clicks of the period before this time are kept only as daily counts, and are not in the log; null when there are none.',
      ),
    ),
    nextCursor: nullable(text('The `cursor` of the next page; null on the last one.', 'eyJhdE1z…')),
  }),
)
