import type { Invoice, PaymentMethod, SubscriptionStatus } from './schema.ts'

/** The current state of a subscription at the provider. */
export type ProvidedSubscription = {
  id: string
  customerId: string
  /** The workspace that the checkout named. */
  workspaceId: string | null
  /** Null: its price belongs to no plan. */
  planId: string | null
  status: SubscriptionStatus
  /** False before the first payment, and after the last one has finally failed. */
  isGranting: boolean
  createdAt: Date
  currentPeriodStart: Date | null
  currentPeriodEnd: Date | null
  cancelAtPeriodEnd: boolean
}

/** `subscriptionId` null: the event does not concern a subscription. */
export type ProviderEvent = { id: string; type: string; subscriptionId: string | null }

/**
 * A service that sells plans. Operations that call it throw ApiError UNAVAILABLE when it does not
 * answer.
 */
export type BillingProvider = {
  readonly name: string
  /** Returns the page for buying `priceId` for a workspace. */
  checkout(input: {
    workspaceId: string
    priceId: string
    /** The customer of an earlier purchase of the workspace. */
    customerId: string | null
    /** Two checkouts with one key are one. */
    idempotencyKey?: string | undefined
  }): Promise<string>
  /** Returns the page for changing or ending a subscription. */
  portal(customerId: string): Promise<string>
  /** Newest first, at most 100. */
  invoices(customerId: string): Promise<Invoice[]>
  paymentMethods(customerId: string): Promise<PaymentMethod[]>
  /** Null when it does not exist. */
  subscription(id: string): Promise<ProvidedSubscription | null>
  /**
   * Ends a subscription immediately, without a refund or another invoice.
   * @returns false when it does not exist
   */
  cancel(id: string): Promise<boolean>
  /**
   * Reads the event of a signed request.
   * @returns null when the signature is invalid, or older than five minutes
   */
  readEvent(rawBody: Buffer, signature: string): ProviderEvent | null
}
