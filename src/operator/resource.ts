import { Type } from 'typebox'
import { described } from '../platform/routes/shape.ts'
import type { Resource } from '../platform/resources/resource.ts'
import { nullable, text, Timestamp } from '../platform/resources/shapes.ts'

const SubscriptionUpdated = Type.Object({
  plan: text('The plan of the workspace from now on.', 'pro'),
  previousPlan: text('Its plan before.', 'free'),
  status: text('State of the subscription.', 'active'),
  currentPeriodEnd: nullable(described(Timestamp, 'When the paid period ends.')),
})

export const billing = {
  scopes: { billing: { read: 'read subscription, usage and invoices' } },
  events: {
    'billing.subscription.updated': {
      label: 'Subscription updated',
      description: 'The subscription of the workspace changed its plan or was renewed.',
      data: SubscriptionUpdated,
    },
  },
} as const satisfies Resource

export const abuse = {} as const satisfies Resource

/** The server as its operators manage it. */
export const operator = {} as const satisfies Resource
