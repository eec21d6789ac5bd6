import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import { LIMIT_NAMES, type LimitName } from '../../platform/plans/plan.ts'
import {
  PlanCapabilities,
  CreatedAt,
  fieldsOf,
  flag,
  integer,
  nullable,
  oneOf,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'

const STATUSES = ['active', 'trialing', 'past_due', 'canceled'] as const
export const INTERVALS = ['monthly', 'yearly'] as const
export type SubscriptionStatus = (typeof STATUSES)[number]

const currency = text('ISO 4217 code of the currency, in lower case.', 'usd')
const price = (period: string, example: number) =>
  nullable(
    described(
      Type.Number(),
      `Price of a ${period} in whole units of the currency; null: by agreement.`,
      example,
    ),
  )
const limitOf = (name: LimitName) => nullable(integer(`The limit \`${name}\`; null: none.`, 1_000))

export const ShownPlan = object('Plan', {
  id: text('Id of the plan.', 'pro'),
  name: text('Display name.', 'Pro'),
  price: described(
    object('PlanPrice', { monthly: price('month', 30), yearly: price('year', 300), currency }),
    'Price of the plan.',
  ),
  limits: described(
    named('PlanLimits', fieldsOf(LIMIT_NAMES, limitOf)),
    'Limits; the use of `_monthly` limits restarts with each UTC calendar month.',
  ),
  capabilities: described(PlanCapabilities, 'Included features.'),
  apiRequestsPerMinute: nullable(
    integer('Requests per minute of each API key and user; null: the limit of the server.', 600),
  ),
  soldIntervals: described(
    Type.Array(oneOf(INTERVALS, 'An interval of payment.', 'monthly')),
    'Intervals of `POST /billing/checkout` for which this server sells the plan; empty: not for sale.',
    ['monthly', 'yearly'],
  ),
})
export type ShownPlan = Static<typeof ShownPlan>

export const Subscription = object('Subscription', {
  plan: text('Id of the plan of the workspace.', 'pro'),
  status: oneOf(STATUSES, 'State of the subscription.', 'active'),
  currentPeriodStart: nullable(described(Timestamp, 'Start of the paid period.')),
  currentPeriodEnd: nullable(
    described(Timestamp, 'End of the paid period.', '2026-02-01T00:00:00.000Z'),
  ),
  cancelAtPeriodEnd: flag('True: it ends with the paid period.', false),
})
export type Subscription = Static<typeof Subscription>

const LimitUse = object('LimitUse', {
  used: integer('Current use.', 42),
  limit: nullable(integer('Limit of the plan; null: none.', 1_000)),
})

export const WorkspaceUsage = object('WorkspaceUsage', {
  period: text('The UTC calendar month.', '2026-01'),
  resetsAt: described(Timestamp, 'Start of the next month.', '2026-02-01T00:00:00.000Z'),
  usage: described(
    Type.Unsafe<Record<string, { used: number; limit: number | null }>>({
      type: 'object',
      additionalProperties: LimitUse,
    }),
    'Use by name of the limit.',
    { links_monthly: { used: 42, limit: 1_000 } },
  ),
})
export type WorkspaceUsage = Static<typeof WorkspaceUsage>

export const Invoice = object('Invoice', {
  id: text('Id of the invoice at the provider.', 'in_1MtHbELkdIwHu7ixl4OzzPMv'),
  number: nullable(text('Number of the invoice.', 'SIGN-0001')),
  status: nullable(text('Status at the provider.', 'paid')),
  amountDue: integer('Amount due in the smallest unit of the currency.', 3_000),
  amountPaid: integer('Amount paid in the smallest unit of the currency.', 3_000),
  currency,
  periodStart: nullable(described(Timestamp, 'Start of its period.')),
  periodEnd: nullable(described(Timestamp, 'End of its period.', '2026-02-01T00:00:00.000Z')),
  createdAt: CreatedAt,
  url: nullable(text('Page of the invoice.', 'https://invoice.stripe.com/i/acct_1/test_1')),
  pdfUrl: nullable(text('PDF of the invoice.', 'https://pay.stripe.com/invoice/acct_1/test_1/pdf')),
})
export type Invoice = Static<typeof Invoice>

export const PaymentMethod = object('PaymentMethod', {
  id: text('Id of the method at the provider.', 'pm_1MqLiJLkdIwHu7ixUEgbFdYF'),
  type: text('Type of the method.', 'card'),
  brand: nullable(text('Brand of a card.', 'visa')),
  last4: nullable(text('Last four digits of a card.', '4242')),
  expiryMonth: nullable(integer('Expiry month of a card.', 12)),
  expiryYear: nullable(integer('Expiry year of a card.', 2030)),
})
export type PaymentMethod = Static<typeof PaymentMethod>

export const Checkout = object('Checkout', {
  plan: text('The plan to buy.', 'pro', { minLength: 1, maxLength: 40 }),
  interval: oneOf(INTERVALS, 'Billing interval.', 'monthly', { default: 'monthly' }),
})
export type Checkout = Static<typeof Checkout>

export const Destination = object('Destination', {
  url: text('Next page of the browser.', 'https://checkout.stripe.com/c/pay/1'),
})
export type Destination = Static<typeof Destination>
