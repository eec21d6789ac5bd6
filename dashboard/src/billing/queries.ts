import { queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'

export type Plan = Schemas['Plan']

const query = { limit: 100 }

export function billingQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'billing'],
    queryFn: async ({ signal }) => {
      const [subscription, use, plans] = await Promise.all([
        dataOf(api.GET('/billing/subscription', { signal })),
        dataOf(api.GET('/billing/usage', { signal })),
        ask(api.GET('/plans', { params: { query }, signal })),
      ])
      return { subscription, use, plans: plans.data }
    },
  })
}

/** Invoices and payment methods, in a request of their own: the payment provider may be slow or unavailable. */
export function paymentsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'billing', 'payments'],
    queryFn: async ({ signal }) => {
      const [invoices, methods] = await Promise.all([
        ask(api.GET('/billing/invoices', { params: { query }, signal })),
        ask(api.GET('/billing/payment-methods', { params: { query }, signal })),
      ])
      return { invoices: invoices.data, methods: methods.data }
    },
  })
}
