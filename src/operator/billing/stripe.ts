import type Stripe from 'stripe'
import { bindDeps } from '../../platform/core/functions.ts'
import { DASHBOARD_PATH } from '../../platform/http/html.ts'
import { ApiError, OperatorError } from '../../platform/core/errors.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { SELF_HOSTED, getStripePrices } from '../../platform/plans/plan.ts'
import type { Plans } from '../../platform/plans/plans.ts'
import type { Invoice, PaymentMethod, SubscriptionStatus } from './schema.ts'

type Deps = Pick<Dependencies, 'plans' | 'origin' | 'clock' | 'log'> & {
  secretKey: string | null
  webhookSecret: string | null
  /** Replaces Stripe's API in tests. */
  api?: { host: string; port: number; protocol: 'http' }
}

export type ProvidedSubscription = {
  id: string
  customerId: string
  workspaceId: string | null
  planId: string | null
  status: SubscriptionStatus
  /** False before the first payment, and after the last attempt of a payment failed. */
  isGranting: boolean
  createdAt: Date
  currentPeriodStart: Date | null
  currentPeriodEnd: Date | null
  cancelAtPeriodEnd: boolean
}

/** `subscriptionId` is null for an event of anything else. */
export type ProviderEvent = { id: string; type: string; subscriptionId: string | null }

type Order = {
  workspaceId: string
  priceId: string
  customerId: string | null
  idempotencyKey?: string | undefined
}

export type BillingProvider = ReturnType<typeof createProvider>

const TIMEOUT_MS = 10_000
const MAX_ROWS = 100
const SIGNATURE_TOLERANCE_SECONDS = 300

/**
 * Stripe's statuses (docs.stripe.com/billing/subscriptions/overview#subscription-statuses). The plan
 * stays while Stripe retries a payment, and ends with the last retry.
 */
const STATUSES: Record<string, [status: SubscriptionStatus, isGranting: boolean]> = {
  active: ['active', true],
  trialing: ['trialing', true],
  past_due: ['past_due', true],
  unpaid: ['past_due', false],
  paused: ['past_due', false],
  incomplete: ['past_due', false],
  incomplete_expired: ['canceled', false],
  canceled: ['canceled', false],
}

/** Null without its settings; then the library is not loaded. */
export async function openStripe(deps: Deps): Promise<BillingProvider | null> {
  const { secretKey, webhookSecret, plans } = deps
  if (secretKey === null && webhookSecret === null) return null
  if (secretKey === null || webhookSecret === null)
    throw new OperatorError('Set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither.')
  if (plans.initial.id === SELF_HOSTED)
    throw new OperatorError(
      `DEFAULT_PLAN must be another plan than ${SELF_HOSTED} when STRIPE_SECRET_KEY is set: a workspace gets it when its subscription ends.`,
    )
  if (!plans.all.some((plan) => getStripePrices(plan).length > 0))
    throw new OperatorError(
      'A plan in PLANS_FILE must have stripePriceIds when STRIPE_SECRET_KEY is set; docs/plans.md shows them.',
    )
  const { default: Client } = await import('stripe')
  const client = new Client(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    ...deps.api,
  })
  const { origin, clock, log } = deps
  return createProvider({ client, webhookSecret, plans, origin, clock, log })
}

type ProviderDeps = Pick<Deps, 'plans' | 'origin' | 'clock' | 'log'> & {
  client: Stripe
  webhookSecret: string
}

/** Calls throw ApiError UNAVAILABLE when Stripe does not answer. */
const createProvider = (deps: ProviderDeps) => ({
  name: 'stripe',
  ...bindDeps(deps, {
    checkout,
    portal,
    invoices,
    paymentMethods,
    subscription,
    cancel,
    readEvent,
  }),
})

async function checkout(
  deps: ProviderDeps,
  { workspaceId, priceId, customerId, idempotencyKey }: Order,
): Promise<string> {
  const page = await call(
    deps,
    'checkout',
    deps.client.checkout.sessions.create(
      {
        mode: 'subscription',
        line_items: [{ price: priceId, quantity: 1 }],
        client_reference_id: workspaceId,
        // Stripe stores it with the subscription, whose events find the workspace by it.
        subscription_data: { metadata: { workspaceId } },
        ...(customerId !== null && { customer: customerId }),
        success_url: `${toReturnUrl(deps)}?checkout=done`,
        cancel_url: `${toReturnUrl(deps)}?checkout=left`,
      },
      idempotencyKey === undefined ? {} : { idempotencyKey },
    ),
  )
  if (page.url === null) throw new ApiError('UNAVAILABLE', 'The billing provider sent no page.')
  return page.url
}

async function portal(deps: ProviderDeps, customerId: string): Promise<string> {
  const { billingPortal } = deps.client
  const input = { customer: customerId, return_url: toReturnUrl(deps) }
  const page = await call(deps, 'portal', billingPortal.sessions.create(input))
  return page.url
}

async function invoices(deps: ProviderDeps, customerId: string): Promise<Invoice[]> {
  const query = { customer: customerId, limit: MAX_ROWS }
  const { data } = await call(deps, 'invoices', deps.client.invoices.list(query))
  return data.filter(({ status }) => status !== 'draft').map(toInvoice)
}

async function paymentMethods(deps: ProviderDeps, customerId: string): Promise<PaymentMethod[]> {
  const listing = deps.client.customers.listPaymentMethods(customerId, { limit: MAX_ROWS })
  const { data } = await call(deps, 'payment methods', listing)
  return data.map(toPaymentMethod)
}

async function subscription(deps: ProviderDeps, id: string): Promise<ProvidedSubscription | null> {
  const retrieval = nullIfMissing(deps.client.subscriptions.retrieve(id))
  const found = await call(deps, 'subscription', retrieval)
  return found && toSubscription(found, deps.plans)
}

/** At once, without a refund or another invoice. Reads it first, because Stripe reports an ended one as missing. */
async function cancel(deps: ProviderDeps, id: string): Promise<boolean> {
  const found = await subscription(deps, id)
  if (found && found.status !== 'canceled')
    await call(deps, 'cancel', nullIfMissing(deps.client.subscriptions.cancel(id)))
  return found !== null
}

function readEvent(
  { client, webhookSecret, clock }: ProviderDeps,
  rawBody: Buffer,
  signature: string,
): ProviderEvent | null {
  try {
    const event = client.webhooks.constructEvent(
      rawBody,
      signature,
      webhookSecret,
      SIGNATURE_TOLERANCE_SECONDS,
      undefined,
      clock(),
    )
    return { id: event.id, type: event.type, subscriptionId: getSubscriptionId(event) }
  } catch {
    return null
  }
}

/** Logs only the codes of a failure, because Stripe's messages may contain a part of a key. */
async function call<T>({ log }: ProviderDeps, what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const { type, code, statusCode, requestId } = error as Stripe.errors.StripeError
    log.warn({ what, type, code, statusCode, stripeRequestId: requestId }, 'call to Stripe failed')
    throw new ApiError('UNAVAILABLE', 'The billing provider cannot answer right now.')
  }
}

function toReturnUrl({ origin }: ProviderDeps): string {
  return `${origin()}${DASHBOARD_PATH}billing`
}

function nullIfMissing<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: { code?: string }) => {
    if (error.code === 'resource_missing') return null
    throw error
  })
}

/** Reads only the id, since the format of an event depends on the API version of its endpoint. */
function getSubscriptionId({ type, data }: Stripe.Event): string | null {
  const object = data.object as {
    id?: string
    subscription?: Named
    parent?: { subscription_details?: { subscription?: Named } | null } | null
  }
  switch (type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return object.id ?? null
    case 'checkout.session.completed':
      return getId(object.subscription)
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return getId(object.parent?.subscription_details?.subscription ?? object.subscription)
    default:
      return null
  }
}

type Named = string | { id: string } | null | undefined

function getId(named: Named): string | null {
  return typeof named === 'string' ? named : (named?.id ?? null)
}

function toSubscription(found: Stripe.Subscription, plans: Plans): ProvidedSubscription {
  const items = found.items.data
  const sold = items.find((item) => plans.withStripePrice(item.price.id)) ?? items[0]
  const [status, isGranting] = STATUSES[found.status] ?? (['past_due', false] as const)
  return {
    id: found.id,
    customerId: getId(found.customer)!,
    workspaceId: found.metadata['workspaceId'] ?? null,
    planId: sold ? (plans.withStripePrice(sold.price.id)?.id ?? null) : null,
    status,
    isGranting,
    createdAt: toDate(found.created)!,
    currentPeriodStart: toDate(sold?.current_period_start),
    currentPeriodEnd: toDate(sold?.current_period_end),
    cancelAtPeriodEnd: found.cancel_at_period_end || found.cancel_at !== null,
  }
}

function toInvoice(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id,
    number: invoice.number,
    status: invoice.status,
    amountDue: invoice.amount_due,
    amountPaid: invoice.amount_paid,
    currency: invoice.currency,
    periodStart: toDate(invoice.period_start)?.toISOString() ?? null,
    periodEnd: toDate(invoice.period_end)?.toISOString() ?? null,
    createdAt: toDate(invoice.created)!.toISOString(),
    url: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
  }
}

function toPaymentMethod({ id, type, card }: Stripe.PaymentMethod): PaymentMethod {
  return {
    id,
    type,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    expiryMonth: card?.exp_month ?? null,
    expiryYear: card?.exp_year ?? null,
  }
}

function toDate(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : new Date(seconds * 1_000)
}
