import type Stripe from 'stripe'
import type { Clock } from '../../base/clock.ts'
import { ApiError, OperatorError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { SELF_HOSTED, getStripePrices } from '../plan.ts'
import type { Plans } from '../plans.ts'
import type { BillingProvider, ProvidedSubscription, ProviderEvent } from './provider.ts'
import type { Invoice, PaymentMethod, SubscriptionStatus } from './schema.ts'

type Deps = {
  /** STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET. */
  secretKey: string | null
  webhookSecret: string | null
  plans: Plans
  /** Where people reach this server: they come back there from Stripe's pages. */
  origin: () => string
  clock: Clock
  log: Log
  /** Another place than Stripe's own, for tests. */
  api?: { host: string; port: number; protocol: 'http' }
}

const TIMEOUT_MS = 10_000
const MAX_ROWS = 100
const SIGNATURE_TOLERANCE_SECONDS = 300

/**
 * Their status, ours, and whether the plan is to be had
 * (docs.stripe.com/billing/subscriptions/overview#subscription-statuses). While a payment is tried
 * again the plan stays; when Stripe has given up it does not.
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

/**
 * Stripe as the billing provider, or null when it is not configured; the library is loaded only
 * when it is.
 * @throws OperatorError in one sentence for settings that do not go together
 */
export async function openStripe(deps: Deps): Promise<BillingProvider | null> {
  const { secretKey, webhookSecret, plans } = deps
  if (secretKey === null && webhookSecret === null) return null
  if (secretKey === null || webhookSecret === null)
    throw new OperatorError('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are set together or not.')
  if (plans.initial.id === SELF_HOSTED)
    throw new OperatorError(
      `DEFAULT_PLAN must be another plan than ${SELF_HOSTED} when STRIPE_SECRET_KEY is set: a workspace has it again when its subscription ends.`,
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
  return createProvider(client, webhookSecret, deps)
}

function createProvider(
  client: Stripe,
  webhookSecret: string,
  { plans, origin, clock, log }: Deps,
): BillingProvider {
  const returnUrl = () => `${origin()}/app/billing`

  /** What Stripe says is for the operator; its messages may repeat a part of a key. */
  async function ask<T>(what: string, asking: Promise<T>): Promise<T> {
    try {
      return await asking
    } catch (error) {
      const { type, code, statusCode, requestId } = error as Stripe.errors.StripeError
      log.warn(
        { what, type, code, statusCode, stripeRequestId: requestId },
        'Stripe did not answer',
      )
      throw new ApiError('UNAVAILABLE', 'The billing provider cannot answer right now.')
    }
  }

  async function checkout(input: Parameters<BillingProvider['checkout']>[0]): Promise<string> {
    const { workspaceId, priceId, customerId } = input
    const page = await ask(
      'checkout',
      client.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price: priceId, quantity: 1 }],
        client_reference_id: workspaceId,
        // The subscription carries it from then on: that is how its events find the workspace.
        subscription_data: { metadata: { workspaceId } },
        ...(customerId !== null && { customer: customerId }),
        success_url: `${returnUrl()}?checkout=done`,
        cancel_url: `${returnUrl()}?checkout=left`,
      }),
    )
    if (page.url === null) throw new ApiError('UNAVAILABLE', 'The billing provider gave no page.')
    return page.url
  }

  async function portal(customerId: string): Promise<string> {
    const page = await ask(
      'portal',
      client.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl() }),
    )
    return page.url
  }

  async function invoices(customerId: string): Promise<Invoice[]> {
    const { data } = await ask(
      'invoices',
      client.invoices.list({ customer: customerId, limit: MAX_ROWS }),
    )
    return data.filter(({ status }) => status !== 'draft').map(toInvoice)
  }

  async function paymentMethods(customerId: string): Promise<PaymentMethod[]> {
    const { data } = await ask(
      'payment methods',
      client.customers.listPaymentMethods(customerId, { limit: MAX_ROWS }),
    )
    return data.map(toPaymentMethod)
  }

  async function subscription(id: string): Promise<ProvidedSubscription | null> {
    const found = await ask('subscription', nullIfMissing(client.subscriptions.retrieve(id)))
    return found && toSubscription(found, plans)
  }

  /** Asked for first: Stripe answers the end of one that has ended as if it had never been there. */
  async function cancel(id: string): Promise<boolean> {
    const found = await subscription(id)
    if (found && found.status !== 'canceled')
      await ask('cancel', nullIfMissing(client.subscriptions.cancel(id)))
    return found !== null
  }

  function readEvent(rawBody: Buffer, signature: string): ProviderEvent | null {
    try {
      const event = client.webhooks.constructEvent(
        rawBody,
        signature,
        webhookSecret,
        SIGNATURE_TOLERANCE_SECONDS,
        undefined,
        clock(),
      )
      return { id: event.id, type: event.type, subscriptionId: subscriptionOf(event) }
    } catch {
      return null
    }
  }

  return {
    name: 'stripe',
    checkout,
    portal,
    invoices,
    paymentMethods,
    subscription,
    cancel,
    readEvent,
  }
}

function nullIfMissing<T>(asking: Promise<T>): Promise<T | null> {
  return asking.catch((error: { code?: string }) => {
    if (error.code === 'resource_missing') return null
    throw error
  })
}

/**
 * An event is told in the version of the API that its endpoint was made with, so only the id is
 * taken from it; what the subscription is now is asked in the library's own version.
 */
function subscriptionOf({ type, data }: Stripe.Event): string | null {
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
      return idOf(object.subscription)
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return idOf(object.parent?.subscription_details?.subscription ?? object.subscription)
    default:
      return null
  }
}

type Named = string | { id: string } | null | undefined

function idOf(named: Named): string | null {
  return typeof named === 'string' ? named : (named?.id ?? null)
}

function toSubscription(found: Stripe.Subscription, plans: Plans): ProvidedSubscription {
  const items = found.items.data
  const sold = items.find((item) => plans.withStripePrice(item.price.id)) ?? items[0]
  const [status, isGranting] = STATUSES[found.status] ?? (['past_due', false] as const)
  return {
    id: found.id,
    customerId: idOf(found.customer)!,
    workspaceId: found.metadata['workspaceId'] ?? null,
    planId: sold ? (plans.withStripePrice(sold.price.id)?.id ?? null) : null,
    status,
    isGranting,
    createdAt: dateOf(found.created)!,
    currentPeriodStart: dateOf(sold?.current_period_start),
    currentPeriodEnd: dateOf(sold?.current_period_end),
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
    periodStart: dateOf(invoice.period_start)?.toISOString() ?? null,
    periodEnd: dateOf(invoice.period_end)?.toISOString() ?? null,
    createdAt: dateOf(invoice.created)!.toISOString(),
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

/** Their times are in seconds. */
function dateOf(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : new Date(seconds * 1_000)
}
