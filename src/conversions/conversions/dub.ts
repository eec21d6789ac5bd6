import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import { idShape, integer, nullable, text } from '../../platform/resources/shapes.ts'
import {
  CLICK_ID_EXAMPLE,
  currency,
  eventName,
  Metadata,
  ownId,
  Recorded,
  VALUE_MAX,
  type NewConversion,
} from './schema.ts'

// The names of Dub (dub.co/docs, "Track a lead" and "Track a sale"), for clients that were written for its API.

/** Clients of Dub send an empty text for a conversion of a known customer. */
const clickId = nullable(
  text(
    'The value of the parameter `sp_id`, or the id of a click; null or an empty text: the last click of the customer.',
    CLICK_ID_EXAMPLE,
    { maxLength: 128 },
  ),
)
const amount = integer(
  'Amount in the smallest unit of the currency; negative for a refund.',
  4900,
  {
    minimum: -VALUE_MAX,
    maximum: VALUE_MAX,
  },
)
const customerOf = (description: string, example: string, maxLength = 255) =>
  nullable(text(description, example, { maxLength }))
const customer = {
  externalId: ownId('Your id of the customer.', 'customer-7'),
  customerExternalId: ownId('Your id of the customer, by its former name.', 'customer-7'),
  customerName: customerOf('Name of the customer.', 'Ada'),
  customerEmail: customerOf('E-mail address of the customer.', 'ada@example.com'),
  customerAvatar: customerOf('Picture of the customer.', 'https://example.com/ada.png', 2_048),
}
const { properties: lead } = Type.Partial(Type.Object({ clickId, ...customer, metadata: Metadata }))
const { properties: sale } = Type.Partial(
  Type.Object({
    eventName,
    currency,
    invoiceId: ownId('One sale per invoice is stored.', 'invoice-9'),
    paymentProcessor: customerOf('What took the payment.', 'stripe'),
  }),
)

export const TrackLead = object('TrackLead', { eventName, ...lead })
export type TrackLead = Static<typeof TrackLead>

export const TrackSale = object('TrackSale', { amount, ...lead, ...sale })
export type TrackSale = Static<typeof TrackSale>

const SALE = 'Purchase'

const answered = {
  ...Recorded.properties,
  eventName,
  click: described(
    nullable(
      object('TrackedClick', { id: text('Id of the click.', '01ARZ3NDEKTSV4RRFFQ69G5FAV') }),
    ),
    'The click that it is attributed to.',
  ),
  link: described(
    nullable(object('TrackedLink', { id: idShape('lnk', 'Id of the link.') })),
    'The link that it is attributed to.',
  ),
  customer: described(
    object('TrackedCustomer', {
      externalId: nullable(text('Your id of the customer.', 'customer-7')),
      name: nullable(text('Name of the customer.', 'Ada')),
      email: nullable(text('E-mail address of the customer.', 'ada@example.com')),
      avatar: nullable(text('Picture of the customer.', 'https://example.com/ada.png')),
    }),
    'The customer, as the request names them.',
  ),
}
export const TrackedLead = object('TrackedLead', answered)
export const TrackedSale = object('TrackedSale', {
  ...answered,
  sale: described(
    object('TrackedAmount', {
      amount: integer('Value in the smallest unit of the currency.', 4900),
      currency: text('ISO 4217 code in lower case.', 'usd'),
      invoiceId: nullable(text('The invoice.', 'invoice-9')),
      paymentProcessor: nullable(text('What took the payment.', 'stripe')),
      metadata: Metadata,
    }),
    'The sale, as the request has it.',
  ),
})

export function fromLead(input: TrackLead): NewConversion {
  return { ...toShared(input), eventName: input.eventName, type: 'lead' }
}

export function fromSale(input: TrackSale): NewConversion {
  const { amount: paid, paymentProcessor, metadata } = input
  return {
    ...toShared(input),
    eventName: input.eventName ?? SALE,
    type: 'sale',
    value: paid,
    ...(input.currency && { currency: input.currency }),
    ...(input.invoiceId && { invoiceId: input.invoiceId }),
    ...(paymentProcessor && { metadata: { ...metadata, paymentProcessor } }),
  }
}

function toShared({ clickId: click, metadata = null, ...input }: TrackLead | TrackSale) {
  const { externalId, name, email, avatar } = toCustomer(input)
  return {
    clickId: click || null,
    customerId: externalId,
    metadata,
    customer: (name ?? email ?? avatar) ? { name, email, avatar } : null,
  }
}

export function toTracked(
  input: Omit<TrackLead, 'eventName'>,
  recorded: Recorded & { eventName: string },
) {
  const { clickId: click, linkId } = recorded
  return {
    ...recorded,
    click: click === null ? null : { id: click },
    link: linkId === null ? null : { id: linkId },
    customer: toCustomer(input),
  }
}

function toCustomer(input: Omit<TrackLead, 'eventName'>) {
  const { customerName, customerEmail, customerAvatar } = input
  return {
    externalId: input.externalId ?? input.customerExternalId ?? null,
    name: customerName ?? null,
    email: customerEmail ?? null,
    avatar: customerAvatar ?? null,
  }
}

export function toTrackedSale(input: TrackSale, recorded: Recorded) {
  const { amount: paid, invoiceId = null, paymentProcessor = null, metadata = null } = input
  const sold = { amount: paid, currency: (input.currency ?? 'usd').toLowerCase() }
  return {
    ...toTracked(input, { ...recorded, eventName: input.eventName ?? SALE }),
    sale: { ...sold, invoiceId, paymentProcessor, metadata },
  }
}
