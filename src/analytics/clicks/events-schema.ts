import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import { ClickReceived } from './click-shapes.ts'
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

const KINDS = [...CLICK_KINDS, 'all'] as const

const MAX_OFFSET = 10_000

const { includeBots: _includeBots, currency: _currency, ...Shared } = QuestionFields
const Filters = {
  ...Shared,
  kind: oneOf(
    KINDS,
    'Which clicks: `human` ones are those that count; the others are crawlers, link previews and prefetches.',
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
        'Clicks of the period before this time are counted by day alone, and are not in the log; null when there are none.',
      ),
    ),
    nextCursor: nullable(text('The `cursor` of the next page; null on the last one.', 'eyJhdE1z…')),
  }),
)
