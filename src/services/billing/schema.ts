import { Type, type Static } from 'typebox'
import { described, named } from '../../base/shape.ts'
import { CAPABILITY_NAMES, LIMIT_NAMES, type Capability, type LimitName } from '../plan.ts'
import { CreatedAt, nullable, text, Timestamp } from '../shapes.ts'

const STATUSES = ['active', 'trialing', 'past_due', 'canceled'] as const
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
const limitOf = (name: LimitName) =>
  nullable(described(Type.Integer(), `The limit \`${name}\`; null: none.`, 1_000))
const capabilityOf = (name: Capability) =>
  described(Type.Boolean(), `Whether the plan includes \`${name}\`.`, true)

/** One plan as `GET /plans` shows it. A limit of null is none. */
export const ShownPlan = named(
  'Plan',
  Type.Object({
    id: text('Id of the plan.', 'pro'),
    name: text('Its name, for people.', 'Pro'),
    price: described(
      named(
        'PlanPrice',
        Type.Object({ monthly: price('month', 30), yearly: price('year', 300), currency }),
      ),
      'What it costs.',
    ),
    limits: described(
      named(
        'PlanLimits',
        Type.Object(
          Object.fromEntries(LIMIT_NAMES.map((name) => [name, limitOf(name)])) as Record<
            LimitName,
            ReturnType<typeof limitOf>
          >,
        ),
      ),
      'How much it allows; names in `_monthly` start again with each UTC calendar month.',
    ),
    capabilities: described(
      named(
        'PlanCapabilities',
        Type.Object(
          Object.fromEntries(CAPABILITY_NAMES.map((name) => [name, capabilityOf(name)])) as Record<
            Capability,
            ReturnType<typeof capabilityOf>
          >,
        ),
      ),
      'What it includes.',
    ),
    apiRequestsPerMinute: nullable(
      described(
        Type.Integer(),
        'Requests a minute of each key and person; null: the limit of the server.',
        600,
      ),
    ),
  }),
)
export type ShownPlan = Static<typeof ShownPlan>

export const Subscription = named(
  'Subscription',
  Type.Object({
    plan: text('The plan of the workspace.', 'pro'),
    status: described(
      Type.Unsafe<SubscriptionStatus>({ type: 'string', enum: [...STATUSES] }),
      'State of the subscription.',
      'active',
    ),
    currentPeriodStart: nullable(described(Timestamp, 'When the paid period began.')),
    currentPeriodEnd: nullable(
      described(Timestamp, 'When the paid period ends.', '2026-02-01T00:00:00.000Z'),
    ),
    cancelAtPeriodEnd: described(Type.Boolean(), 'Whether it ends with the paid period.', false),
  }),
)
export type Subscription = Static<typeof Subscription>

const LimitUse = named(
  'LimitUse',
  Type.Object({
    used: described(Type.Integer(), 'How much is used.', 42),
    limit: nullable(described(Type.Integer(), 'How much the plan allows; null: no limit.', 1_000)),
  }),
)

/** `usage` has a field for each limit that something uses up. */
export const WorkspaceUsage = named(
  'WorkspaceUsage',
  Type.Object({
    period: text('The UTC calendar month.', '2026-01'),
    resetsAt: described(Timestamp, 'When the next month begins.', '2026-02-01T00:00:00.000Z'),
    usage: described(
      Type.Unsafe<Record<string, { used: number; limit: number | null }>>({
        type: 'object',
        additionalProperties: LimitUse,
      }),
      'By the name of the limit.',
      { links_monthly: { used: 42, limit: 1_000 } },
    ),
  }),
)
export type WorkspaceUsage = Static<typeof WorkspaceUsage>

/** Amounts are in the smallest unit of the currency. */
export const Invoice = named(
  'Invoice',
  Type.Object({
    id: text('Id of the invoice at the provider.', 'in_1MtHbELkdIwHu7ixl4OzzPMv'),
    number: nullable(text('Its number.', 'SIGN-0001')),
    status: nullable(text('Its state at the provider.', 'paid')),
    amountDue: described(
      Type.Integer(),
      'What is due, in the smallest unit of the currency.',
      3_000,
    ),
    amountPaid: described(
      Type.Integer(),
      'What was paid, in the smallest unit of the currency.',
      3_000,
    ),
    currency,
    periodStart: nullable(described(Timestamp, 'When the period of it began.')),
    periodEnd: nullable(
      described(Timestamp, 'When the period of it ended.', '2026-02-01T00:00:00.000Z'),
    ),
    createdAt: CreatedAt,
    url: nullable(text('Its page.', 'https://invoice.stripe.com/i/acct_1/test_1')),
    pdfUrl: nullable(text('Its PDF.', 'https://pay.stripe.com/invoice/acct_1/test_1/pdf')),
  }),
)
export type Invoice = Static<typeof Invoice>

export const PaymentMethod = named(
  'PaymentMethod',
  Type.Object({
    id: text('Id of the method at the provider.', 'pm_1MqLiJLkdIwHu7ixUEgbFdYF'),
    type: text('What kind it is.', 'card'),
    brand: nullable(text('Brand of a card.', 'visa')),
    last4: nullable(text('Last four digits of a card.', '4242')),
    expiryMonth: nullable(described(Type.Integer(), 'Month in which a card expires.', 12)),
    expiryYear: nullable(described(Type.Integer(), 'Year in which a card expires.', 2030)),
  }),
)
export type PaymentMethod = Static<typeof PaymentMethod>

const INTERVALS = ['monthly', 'yearly'] as const

export const Checkout = named(
  'Checkout',
  Type.Object({
    plan: text('The plan to buy.', 'pro', { minLength: 1, maxLength: 40 }),
    interval: described(
      Type.Unsafe<(typeof INTERVALS)[number]>({
        type: 'string',
        enum: [...INTERVALS],
        default: 'monthly',
      }),
      'How often it is paid for.',
      'monthly',
    ),
  }),
)
export type Checkout = Static<typeof Checkout>

/** Where the browser goes next. */
export const Destination = named(
  'Destination',
  Type.Object({ url: text('Where the browser goes.', 'https://checkout.stripe.com/c/pay/1') }),
)
export type Destination = Static<typeof Destination>
