import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import { ReasonName } from '../conversion-reasons.ts'
import {
  flag,
  idInput,
  idShape,
  integer,
  nullable,
  oneOf,
  PageMeta,
  PageQuery,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'
import { PeriodFields } from '../questions/query.ts'
import { AnalyticsMeta } from './schema.ts'

const TYPES = ['lead', 'sale', 'custom'] as const

export const ConversionsQuery = Type.Object({
  ...PeriodFields,
  linkId: Type.Optional(idInput('lnk', 'Only conversions attributed to this link.')),
  type: Type.Optional(oneOf(TYPES, 'Only conversions of this type.', 'sale')),
  currency: Type.Optional(
    text('Only conversions in this currency.', 'usd', { pattern: '^[A-Za-z]{3}$' }),
  ),
  customerId: Type.Optional(
    text('Only conversions of this customer.', 'customer-7', { minLength: 1, maxLength: 255 }),
  ),
  ...PageQuery,
})
export type ConversionsQuery = Static<typeof ConversionsQuery>

export const ConversionRow = named(
  'ConversionEvent',
  Type.Object({
    id: idShape('cnv', 'Id of the conversion.'),
    eventId: text('Your own id of it, or its `id` if you sent none.', 'order-1'),
    eventName: text('Your name of it.', 'Purchase'),
    type: oneOf(TYPES, 'Kind of conversion.', 'sale'),
    value: integer('Value in the smallest unit of the currency; negative for a refund.', 4900),
    currency: text('ISO 4217 code in lower case.', 'usd'),
    customerId: nullable(text('Your id of the customer.', 'customer-7')),
    attributed: flag('Whether it is attributed to a link.', true),
    reason: ReasonName,
    link: nullable(
      described(
        named(
          'AttributedLink',
          Type.Object({
            id: idShape('lnk', 'Id of the link.'),
            slug: text('The path of its short URL, when it was attributed.', 'spring-sale'),
            name: nullable(text('Its name; null for a link that was deleted.', 'Spring sale')),
          }),
        ),
        'The link that it is attributed to; null for none.',
      ),
    ),
    clickId: nullable(text('Id of the click that led to it.', '01ARZ3NDEKTSV4RRFFQ69G5FAV')),
    clickedAt: nullable(described(Timestamp, 'When that click was made.')),
    occurredAt: described(Timestamp, 'When it happened.'),
    receivedAt: described(Timestamp, 'When it was reported.'),
  }),
)
export type ConversionRow = Static<typeof ConversionRow>

const { period, timezone } = AnalyticsMeta.properties

export const ConversionsMeta = named(
  'ConversionEventsMeta',
  Type.Object({
    period,
    timezone,
    totals: described(
      Type.Array(
        named(
          'CurrencyTotal',
          Type.Object({
            currency: text('ISO 4217 code in lower case.', 'usd'),
            conversions: integer('Conversions in this currency.', 3),
            attributed: integer('Those that are attributed to a link.', 2),
            value: integer('Their value, in the smallest unit of the currency.', 14_700),
          }),
        ),
      ),
      'All conversions of the list, by currency.',
    ),
    ...PageMeta.properties,
  }),
)
