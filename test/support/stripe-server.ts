import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

type Recorded = Record<string, unknown>

export type StripeServer = {
  api: { host: string; port: number; protocol: 'http' }
  /** Answers to the read of a subscription, by its id. */
  subscriptions: Map<string, Recorded>
  /** Every request so far: `POST /v1/checkout/sessions` and its form. */
  requests: { line: string; form: URLSearchParams; authorization: string }[]
  /** Answers every request with this status instead; null: as it should. */
  failing: number | null
}

/** Answers what Stripe's API answers to the calls we make, in its recorded shapes. */
export async function openStripeServer(t: TestContext): Promise<StripeServer> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const url = new URL(request.url!, 'http://stripe')
      made.requests.push({
        line: `${request.method} ${url.pathname}`,
        form: new URLSearchParams(Buffer.concat(chunks).toString() || url.search),
        authorization: request.headers.authorization ?? '',
      })
      const [status, body] =
        made.failing === null
          ? answer(`${request.method} ${url.pathname}`)
          : [made.failing, { error: { type: 'api_error', message: 'no' } }]
      response
        .writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_recorded' })
        .end(JSON.stringify(body))
    })()
  })

  function answer(line: string): [status: number, body: unknown] {
    if (line === 'POST /v1/checkout/sessions')
      return [
        200,
        {
          id: 'cs_test_a1',
          object: 'checkout.session',
          mode: 'subscription',
          status: 'open',
          url: 'https://checkout.stripe.com/c/pay/cs_test_a1',
        },
      ]
    if (line === 'POST /v1/billing_portal/sessions')
      return [
        200,
        {
          id: 'bps_1',
          object: 'billing_portal.session',
          url: 'https://billing.stripe.com/p/session/test_1',
        },
      ]
    if (line === 'GET /v1/invoices')
      return [200, listOf([invoice('in_2', 'paid'), invoice('in_3', 'draft')])]
    if (/^GET \/v1\/customers\/cus_\w+\/payment_methods$/.test(line))
      return [200, listOf([card('pm_1')])]
    const found = made.subscriptions.get(/^GET \/v1\/subscriptions\/(\w+)$/.exec(line)?.[1] ?? '')
    if (found) return [200, found]
    const ended = made.subscriptions.get(
      /^DELETE \/v1\/subscriptions\/(\w+)$/.exec(line)?.[1] ?? '',
    )
    // An ended subscription can be read; a second end is answered as for an unknown one.
    if (ended && ended['status'] !== 'canceled')
      return [200, Object.assign(ended, { status: 'canceled', canceled_at: ended['created'] })]
    return [
      404,
      {
        error: {
          type: 'invalid_request_error',
          code: 'resource_missing',
          message: 'No such subscription',
        },
      },
    ]
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const made: StripeServer = {
    api: { host: '127.0.0.1', port, protocol: 'http' },
    subscriptions: new Map(),
    requests: [],
    failing: null,
  }
  return made
}

/** A subscription as Stripe tells it, with what matters to us. */
export function recordedSubscription(fields: {
  id: string
  workspaceId?: string
  priceId: string
  status: string
  createdAt: number
  endsAt: number
  cancelAtPeriodEnd?: boolean
  customerId?: string
}): Recorded {
  const { id, workspaceId, priceId, status, createdAt, endsAt } = fields
  const item = {
    id: `si_${id}`,
    object: 'subscription_item',
    created: createdAt,
    current_period_start: createdAt,
    current_period_end: endsAt,
    metadata: {},
    price: {
      id: priceId,
      object: 'price',
      active: true,
      currency: 'usd',
      recurring: { interval: 'month', interval_count: 1 },
      unit_amount: 3000,
    },
    quantity: 1,
    subscription: id,
  }
  return {
    id,
    object: 'subscription',
    billing_cycle_anchor: createdAt,
    cancel_at: null,
    cancel_at_period_end: fields.cancelAtPeriodEnd ?? false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    created: createdAt,
    currency: 'usd',
    customer: fields.customerId ?? 'cus_1',
    items: listOf([item]),
    latest_invoice: 'in_1',
    livemode: false,
    metadata: workspaceId === undefined ? {} : { workspaceId },
    start_date: createdAt,
    status,
    trial_end: null,
  }
}

/** An event as Stripe sends it. */
export function recordedEvent(
  id: string,
  type: string,
  createdAt: number,
  object: Recorded,
): string {
  return JSON.stringify({
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: createdAt,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  })
}

/** An invoice of a subscription, in the shape of now and in that of before 2025. */
export function recordedInvoice(subscriptionId: string, isOld = false): Recorded {
  return {
    ...invoice('in_1', 'paid'),
    ...(isOld
      ? { subscription: subscriptionId }
      : {
          parent: {
            type: 'subscription_details',
            quote_details: null,
            subscription_details: { metadata: {}, subscription: subscriptionId },
          },
        }),
  }
}

function invoice(id: string, status: string): Recorded {
  return {
    id,
    object: 'invoice',
    amount_due: 3000,
    amount_paid: status === 'paid' ? 3000 : 0,
    created: 1_777_593_600,
    currency: 'usd',
    customer: 'cus_1',
    hosted_invoice_url: 'https://invoice.stripe.com/i/acct_1/test_1',
    invoice_pdf: 'https://pay.stripe.com/invoice/acct_1/test_1/pdf',
    number: 'A1B2C3-0001',
    period_end: 1_777_593_600,
    period_start: 1_775_001_600,
    status,
  }
}

function card(id: string): Recorded {
  return {
    id,
    object: 'payment_method',
    card: { brand: 'visa', exp_month: 8, exp_year: 2030, last4: '4242', funding: 'credit' },
    created: 1_777_593_600,
    customer: 'cus_1',
    type: 'card',
  }
}

function listOf(data: unknown[]) {
  return { object: 'list', data, has_more: false, url: '/v1/list' }
}
