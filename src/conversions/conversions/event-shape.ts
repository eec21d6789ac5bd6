import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import {
  idShape,
  integer,
  nullable,
  oneOf,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'

export const TYPES = ['lead', 'sale', 'custom'] as const
export const CLICK_ID_EXAMPLE = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

const anyObject = (description: string, example: object) =>
  described(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
    }),
    description,
    example,
  )
export const Customer = anyObject('The customer, as you sent it.', { name: 'Ada' })
export const Metadata = anyObject('Data of your own.', { plan: 'yearly' })

const ConvertedLink = named(
  'ConvertedLink',
  Type.Object({
    id: idShape('lnk', 'Id of the link.'),
    slug: text('The path of its short URL.', 'spring-sale'),
  }),
)

/** The data of conversion.received. */
export const ConversionReceived = Type.Object({
  id: idShape('cnv', 'Id of the conversion.'),
  eventId: text('Your own id of it, or the id of the conversion if you sent none.', 'order-1'),
  eventName: text('Your name of it.', 'Purchase'),
  type: oneOf(TYPES, 'Kind of conversion.', 'sale'),
  value: integer('Value in the smallest unit of the currency; negative for a refund.', 4900),
  currency: text('ISO 4217 code in lower case.', 'usd'),
  clickId: nullable(text('Id of the click that led to it.', CLICK_ID_EXAMPLE)),
  link: described(
    nullable(ConvertedLink),
    'The link that it is attributed to; null if it is attributed to none.',
  ),
  customerId: nullable(text('Your id of the customer.', 'customer-7')),
  customer: Customer,
  metadata: Metadata,
  occurredAt: described(Timestamp, 'When it happened.'),
})
export type ConversionReceived = Static<typeof ConversionReceived>
