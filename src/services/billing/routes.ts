import { Type } from 'typebox'
import { route } from '../../base/route.ts'
import { pageOf } from '../paging.ts'
import { Paged, PageMeta } from '../shapes.ts'
import type { Billing } from './billing.ts'
import {
  Checkout,
  Destination,
  Invoice,
  PaymentMethod,
  ShownPlan,
  Subscription,
  WorkspaceUsage,
} from './schema.ts'

const tag = 'Plans and billing'

export const billingRoutes = (billing: Billing) => [
  route({
    method: 'GET',
    path: '/plans',
    access: 'viewer',
    scope: null,
    status: 200,
    summary: 'List the plans',
    tag,
    shapes: { query: Paged, reply: Type.Array(ShownPlan), meta: PageMeta },
    handle: async (_who, { query }) => pageOf(billing.listPlans(), query),
  }),
  route({
    method: 'GET',
    path: '/billing/subscription',
    access: 'admin',
    scope: 'billing:read',
    status: 200,
    summary: 'Read the subscription of the workspace',
    tag,
    shapes: { reply: Subscription },
    handle: (who) => billing.subscription(who),
  }),
  route({
    method: 'GET',
    path: '/billing/usage',
    access: 'admin',
    scope: 'billing:read',
    status: 200,
    summary: 'Read what the workspace has used of its plan',
    tag,
    shapes: { reply: WorkspaceUsage },
    handle: (who) => billing.readUsage(who),
  }),
  route({
    method: 'GET',
    path: '/billing/invoices',
    access: 'admin',
    scope: 'billing:read',
    status: 200,
    summary: 'List invoices',
    tag,
    shapes: { query: Paged, reply: Type.Array(Invoice), meta: PageMeta },
    handle: async (who, { query }) => pageOf(await billing.invoices(who), query),
  }),
  route({
    method: 'GET',
    path: '/billing/payment-methods',
    access: 'admin',
    scope: 'billing:read',
    status: 200,
    summary: 'List payment methods',
    tag,
    shapes: { query: Paged, reply: Type.Array(PaymentMethod), meta: PageMeta },
    handle: async (who, { query }) => pageOf(await billing.paymentMethods(who), query),
  }),
  // Both answer a page for a person's browser.
  route({
    method: 'POST',
    path: '/billing/checkout',
    access: 'owner',
    scope: null,
    credential: 'session',
    status: 200,
    summary: 'Begin to buy a plan',
    tag,
    shapes: { body: Checkout, reply: Destination },
    handle: (who, { body }) => billing.checkout(who, body),
  }),
  route({
    method: 'POST',
    path: '/billing/portal',
    access: 'owner',
    scope: null,
    credential: 'session',
    status: 200,
    summary: 'Go to where the subscription is changed',
    tag,
    shapes: { reply: Destination },
    handle: (who) => billing.portal(who),
  }),
]
