import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { pageOf } from '../../platform/resources/lists.ts'
import { Paged, PageMeta } from '../../platform/resources/shapes.ts'
import type { Billing } from './billing.ts'
import * as shapes from './schema.ts'

const tag = 'Plans and billing'
const reads = {
  requires: { credential: 'any', role: 'admin', scope: 'billing:read' },
  tag,
} as const
const buys = { requires: { credential: 'session', role: 'owner' }, tag } as const

export const billingRoutes = (billing: Billing) => [
  route('GET /plans', {
    requires: { credential: 'any', role: 'viewer' },
    name: 'listPlans',
    summary: 'List the plans',
    description: 'Returns every plan of this server with its limits and what it includes.',
    tag,
    shapes: { query: Paged, reply: Type.Array(shapes.ShownPlan), meta: PageMeta },
    handle: async (_who, { query }) => pageOf(billing.listPlans(), query),
  }),
  route('GET /billing/subscription', {
    ...reads,
    name: 'getSubscription',
    summary: 'Read the subscription of the workspace',
    description: 'Returns the plan of the workspace and the paid period.',
    shapes: { reply: shapes.Subscription },
    handle: (principal) => billing.subscription(principal),
  }),
  route('GET /billing/usage', {
    ...reads,
    name: 'getUsage',
    summary: 'Read what the workspace has used of its plan',
    description: 'Returns the use of each limit in the present calendar month.',
    shapes: { reply: shapes.WorkspaceUsage },
    handle: (principal) => billing.readUsage(principal),
  }),
  route('GET /billing/invoices', {
    ...reads,
    name: 'listInvoices',
    summary: 'List invoices',
    description: 'Returns the invoices of the billing provider; an empty list without one.',
    shapes: { query: Paged, reply: Type.Array(shapes.Invoice), meta: PageMeta },
    handle: async (principal, { query }) => pageOf(await billing.invoices(principal), query),
  }),
  route('GET /billing/payment-methods', {
    ...reads,
    name: 'listPaymentMethods',
    summary: 'List payment methods',
    description: 'Returns the payment methods of the billing provider; an empty list without one.',
    shapes: { query: Paged, reply: Type.Array(shapes.PaymentMethod), meta: PageMeta },
    handle: async (principal, { query }) => pageOf(await billing.paymentMethods(principal), query),
  }),
  route('POST /billing/checkout', {
    idempotent: true,
    ...buys,
    name: 'startCheckout',
    summary: 'Start to buy a plan',
    description:
      'Returns the address of the payment page. The plan changes when the provider confirms the payment.',
    shapes: { body: shapes.Checkout, reply: shapes.Destination },
    handle: (principal, { body }) => billing.checkout(principal, body),
  }),
  route('POST /billing/portal', {
    idempotent: true,
    ...buys,
    name: 'openBillingPortal',
    summary: 'Open the page of the subscription',
    description: 'Returns the address of the page on which the subscription is changed or ended.',
    shapes: { reply: shapes.Destination },
    handle: (principal) => billing.portal(principal),
  }),
]
