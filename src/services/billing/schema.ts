import { Type } from 'typebox'
import type { Static } from 'typebox'
import { CAPABILITIES, LIMIT_NAMES } from '../plan.ts'
import type { Capability, LimitName } from '../plan.ts'
import { nullable, Timestamp } from '../shapes.ts'

const STATUSES = ['active', 'trialing', 'past_due', 'canceled'] as const
export type SubscriptionStatus = (typeof STATUSES)[number]

const NullableInteger = nullable(Type.Integer())

/** One plan as `GET /plans` shows it. A limit of null is none. */
export const ShownPlan = Type.Object({
  id: Type.String(),
  name: Type.String(),
  price: Type.Object({
    monthly: nullable(Type.Number()),
    yearly: nullable(Type.Number()),
    currency: Type.String(),
  }),
  limits: Type.Object(
    Object.fromEntries(LIMIT_NAMES.map((name) => [name, NullableInteger])) as Record<
      LimitName,
      typeof NullableInteger
    >,
  ),
  capabilities: Type.Object(
    Object.fromEntries(CAPABILITIES.map((name) => [name, Type.Boolean()])) as Record<
      Capability,
      ReturnType<typeof Type.Boolean>
    >,
  ),
  apiRequestsPerMinute: NullableInteger,
})
export type ShownPlan = Static<typeof ShownPlan>

export const Subscription = Type.Object({
  plan: Type.String(),
  status: Type.Unsafe<SubscriptionStatus>({ type: 'string', enum: [...STATUSES] }),
  currentPeriodStart: nullable(Timestamp),
  currentPeriodEnd: nullable(Timestamp),
  cancelAtPeriodEnd: Type.Boolean(),
})
export type Subscription = Static<typeof Subscription>

/** `usage` has a field for each limit that something uses up. */
export const WorkspaceUsage = Type.Object({
  period: Type.String({ description: 'The UTC calendar month, for example 2026-01.' }),
  resetsAt: Timestamp,
  usage: Type.Unsafe<Record<string, { used: number; limit: number | null }>>({
    type: 'object',
    additionalProperties: Type.Object({ used: Type.Integer(), limit: NullableInteger }),
  }),
})
export type WorkspaceUsage = Static<typeof WorkspaceUsage>

/** Amounts are in the smallest unit of the currency. */
export const Invoice = Type.Object({
  id: Type.String(),
  number: nullable(Type.String()),
  status: nullable(Type.String()),
  amountDue: Type.Integer(),
  amountPaid: Type.Integer(),
  currency: Type.String(),
  periodStart: nullable(Timestamp),
  periodEnd: nullable(Timestamp),
  createdAt: Timestamp,
  url: nullable(Type.String()),
  pdfUrl: nullable(Type.String()),
})
export type Invoice = Static<typeof Invoice>

export const PaymentMethod = Type.Object({
  id: Type.String(),
  type: Type.String(),
  brand: nullable(Type.String()),
  last4: nullable(Type.String()),
  expiryMonth: NullableInteger,
  expiryYear: NullableInteger,
})
export type PaymentMethod = Static<typeof PaymentMethod>

const INTERVALS = ['monthly', 'yearly'] as const

export const Checkout = Type.Object({
  plan: Type.String({ minLength: 1, maxLength: 40 }),
  interval: Type.Unsafe<(typeof INTERVALS)[number]>({
    type: 'string',
    enum: [...INTERVALS],
    default: 'monthly',
  }),
})
export type Checkout = Static<typeof Checkout>

/** Where the browser goes next. */
export const Destination = Type.Object({ url: Type.String() })
export type Destination = Static<typeof Destination>
