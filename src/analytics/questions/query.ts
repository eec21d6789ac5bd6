import { Type, type Static } from 'typebox'
import { described } from '../../platform/routes/shape.ts'
import { fieldsOf, flag, integer, oneOf, text } from '../../platform/resources/shapes.ts'
import { DIMENSION_NAMES, DIMENSIONS } from './dimensions.ts'

/* Parameters that the queries of analytics routes share: the period, and filters of clicks. */

export const MAX_DAYS = 3_650
const INTERVALS = ['24h', '7d', '30d', '90d', '1y', 'mtd', 'qtd', 'ytd', 'all'] as const
const GRANULARITIES = ['hour', 'day', 'week', 'month'] as const
export type Granularity = (typeof GRANULARITIES)[number]
/** Room for several labels, each of which may be as long as a URL. */
const FILTER_MAX_CHARS = 8_192

const moment = (description: string, example: string) =>
  text(description, example, { maxLength: 40 })

export const PeriodFields = {
  days: integer('Number of calendar days, including today.', 30, {
    minimum: 1,
    maximum: MAX_DAYS,
    default: 30,
  }),
  interval: Type.Optional(
    oneOf(
      INTERVALS,
      'Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists.',
      '30d',
    ),
  ),
  start: Type.Optional(
    moment(
      'Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`.',
      '2026-01-01',
    ),
  ),
  end: Type.Optional(
    moment('The moment after the period, or its last date. The default is now.', '2026-01-31'),
  ),
  timezone: text('IANA time zone of the calendar days.', 'Europe/Berlin', {
    default: 'UTC',
    maxLength: 64,
  }),
}

const PeriodShape = Type.Object(PeriodFields)
export type PeriodQuery = Static<typeof PeriodShape>

export const IncludeBots = {
  includeBots: flag('Also count crawlers, link previews and prefetches.', false, {
    default: false,
  }),
}

/** `DE,FR` is any of the two, `-DE` all others (contract, section 4). */
export const LabelFields = fieldsOf(DIMENSION_NAMES, (name) =>
  Type.Optional(
    text(
      `Only clicks with this label: ${DIMENSIONS[name].about} Several are separated by commas, and a leading hyphen excludes them.`,
      DIMENSIONS[name].example,
      { minLength: 1, maxLength: FILTER_MAX_CHARS },
    ),
  ),
).properties

const ids = (noun: string, example: string) =>
  Type.Optional(
    described(
      Type.String({ minLength: 1, maxLength: FILTER_MAX_CHARS }),
      `Only clicks on links of this ${noun}. Several are separated by commas, and a leading hyphen excludes them.`,
      example,
    ),
  )

const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** The domain of the click itself. */
export const DomainField = {
  domainId: Type.Optional(
    described(
      Type.String({ minLength: 1, maxLength: FILTER_MAX_CHARS }),
      'Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them.',
      `dom_${ULID}`,
    ),
  ),
}

/** Links by what they belong to today. */
const LinkFields = {
  linkId: ids('id', `lnk_${ULID}`),
  campaignId: ids('campaign', `cmp_${ULID}`),
  folderId: ids('folder', `fld_${ULID}`),
  tag: ids('tag', 'spring'),
}

export const CurrencyField = {
  currency: Type.Optional(
    text('ISO 4217 code of the currency of `value`; `usd` by default.', 'usd', {
      pattern: '^[A-Za-z]{3}$',
    }),
  ),
}

const LabelQuery = Type.Object(LabelFields)
export type LabelQuery = Static<typeof LabelQuery>
const LinkQuery = Type.Object({ ...LinkFields, ...DomainField })
export type LinkQuery = Static<typeof LinkQuery>

export const GranularityField = {
  granularity: Type.Optional(
    oneOf(
      GRANULARITIES,
      'Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months.',
      'day',
    ),
  ),
}

/** The query of most routes. */
export const QuestionFields = {
  ...PeriodFields,
  ...IncludeBots,
  ...LabelFields,
  ...LinkFields,
  ...DomainField,
  ...CurrencyField,
}
