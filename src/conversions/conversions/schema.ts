import { Type, type Static } from 'typebox'
import { ERRORS, type ErrorCode } from '../../platform/core/errors.ts'
import { described, documented, hidden, named, object } from '../../platform/routes/shape.ts'
import {
  idInput,
  idShape,
  integer,
  nullable,
  oneOf,
  text,
  Timestamp,
  flag,
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
const Customer = anyObject('The customer, as you sent it.', { name: 'Ada' })
export const Metadata = anyObject('Data of your own.', { plan: 'yearly' })

const ConvertedLink = object('ConvertedLink', {
  id: idShape('lnk', 'Id of the link.'),
  slug: text('The path of its short URL.', 'spring-sale'),
})

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

const MAX_ROWS = 100
export const NAME_MAX_CHARS = 255
/** Far below 2^53, also as the sum of many. */
export const VALUE_MAX = 1_000_000_000_000

export const eventName = text('Name of what happened.', 'Purchase', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})
const clickId = nullable(
  text(
    'The value of the parameter `sp_id` with which the visitor came, or the id of a click.',
    CLICK_ID_EXAMPLE,
    { minLength: 1, maxLength: 128 },
  ),
)
const value = nullable(
  integer(
    'Value in the smallest unit of the currency, such as cents; negative for a refund.',
    4900,
    {
      minimum: -VALUE_MAX,
      maximum: VALUE_MAX,
    },
  ),
)
export const currency = nullable(
  documented(text('ISO 4217 code of the currency, in either case; `usd` by default.', 'usd'), {
    pattern: '^[A-Za-z]{3}$',
  }),
)
export const ownId = (description: string, example: string) =>
  nullable(text(description, example, { minLength: 1, maxLength: NAME_MAX_CHARS }))
const aliasOf = (shape: ReturnType<typeof ownId>) => hidden(shape)

const customerId = ownId(
  'Your id of the customer. Without a click, the last click of the customer in 30 days counts.',
  'customer-7',
)

const fields = {
  eventName,
  clickId,
  linkId: nullable(idInput('lnk', 'Link to attribute it to, if no click is known.')),
  slug: nullable(
    text('The same link, by its slug.', 'spring-sale', { minLength: 1, maxLength: 190 }),
  ),
  domain: nullable(
    text('Host of the domain of `slug`, if several links have that slug.', 'go.example.com', {
      minLength: 1,
      maxLength: 260,
    }),
  ),
  eventId: ownId('Your own id of it. The same id is stored once.', 'order-1'),
  customerId,
  externalId: aliasOf(customerId),
  invoiceId: ownId('Of a sale without `eventId`: one sale per invoice is stored.', 'invoice-9'),
  type: described(
    Type.Unsafe<(typeof TYPES)[number] | null>({
      type: ['string', 'null'],
      enum: [...TYPES, null],
    }),
    'Kind of conversion. By default `sale` if there is a `value` or an `invoiceId`, else `custom`.',
    'sale',
  ),
  value,
  currency,
  occurredAt: nullable(described(Timestamp, 'When it happened; now by default.')),
  customer: Customer,
  metadata: Metadata,
}

export const NewConversion = object('NewConversion', {
  ...Type.Partial(Type.Object(fields)).properties,
  eventName,
})
export type NewConversion = Static<typeof NewConversion>

export const RecordConversions = named(
  'RecordConversions',
  documented(
    Type.Unsafe<NewConversion | unknown[]>({
      type: ['object', 'array'],
      properties: NewConversion.properties,
      required: ['eventName'],
      minItems: 1,
      maxItems: MAX_ROWS,
    }),
    { items: NewConversion },
  ),
)
export type RecordConversions = Static<typeof RecordConversions>

const attributed = {
  eventId: text('Your own id of it, or its `id` if you sent none.', 'order-1'),
  duplicate: flag('True: it was stored before, and this request has changed nothing.', false),
  attributed: flag('Whether it is attributed to a link.', true),
  linkId: nullable(idShape('lnk', 'The link that it is attributed to.')),
  clickId: nullable(text('The click that it is attributed to.', CLICK_ID_EXAMPLE)),
}
const id = idShape('cnv', 'Id of the conversion.')

export const Recorded = object('RecordedConversion', { id, ...attributed })
export type Recorded = Static<typeof Recorded>

const ConversionError = object('ConversionError', {
  code: oneOf(Object.keys(ERRORS) as ErrorCode[], 'Code of the error.', 'VALIDATION_ERROR'),
  message: text('What is wrong with the row.', 'value must be a whole number.'),
  details: described(Type.Unknown(), 'The fields, with their paths in the request.', [
    { path: '3.value', message: 'value must be a whole number.', code: 'type' },
  ]),
})

const { properties: ofRecorded } = Type.Object({ id: nullable(id), ...attributed })
export const RecordedRow = object('RecordedConversionRow', {
  index: integer('The place of the row in the request, from 0.', 0),
  ...ofRecorded,
  eventId: nullable(attributed.eventId),
  error: nullable(described(ConversionError, 'Why the row failed; null otherwise.')),
})
export type RecordedRow = Static<typeof RecordedRow>

export const RecordedAnswer = named(
  'RecordedConversions',
  documented(
    Type.Unsafe<Recorded | RecordedRow[]>({
      type: ['object', 'array'],
      properties: Recorded.properties,
      items: RecordedRow,
    }),
    { required: Object.keys(Recorded.properties) },
  ),
)

export const RecordMeta = named(
  'RecordConversionsMeta',
  Type.Partial(
    Type.Object({
      total: integer('Rows of the list.', 1),
      succeeded: integer('Rows without an error.', 1),
      failed: integer('Rows with an error.', 0),
    }),
  ),
)
