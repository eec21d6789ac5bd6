import type { Invoice, PaymentMethod, SubscriptionStatus } from './schema.ts'

/** A subscription as the provider has it at this moment. */
export type ProvidedSubscription = {
  id: string
  customerId: string
  /** The workspace that it was bought for, as it was named at the checkout. */
  workspaceId: string | null
  /** Null: it sells nothing that is a plan of ours. */
  planId: string | null
  status: SubscriptionStatus
  /** Whether its plan is to be had now: not before it was ever paid, nor after it was given up. */
  isGranting: boolean
  createdAt: Date
  currentPeriodStart: Date | null
  currentPeriodEnd: Date | null
  cancelAtPeriodEnd: boolean
}

/** `subscriptionId` null: the event is about something else. */
export type ProviderEvent = { id: string; type: string; subscriptionId: string | null }

/**
 * Where plans are bought, renewed and given up. Whatever asks it rejects with ApiError UNAVAILABLE
 * when it cannot be reached.
 */
export type BillingProvider = {
  readonly name: string
  /** The page on which a person buys `priceId` for a workspace. */
  checkout(input: {
    workspaceId: string
    priceId: string
    /** Who bought for the workspace before. */
    customerId: string | null
  }): Promise<string>
  /** The page on which a person changes or ends what was bought. */
  portal(customerId: string): Promise<string>
  /** Newest first, at most 100. */
  invoices(customerId: string): Promise<Invoice[]>
  paymentMethods(customerId: string): Promise<PaymentMethod[]>
  /** Null when there is none. */
  subscription(id: string): Promise<ProvidedSubscription | null>
  /**
   * Ends a subscription at once, without a refund and without another invoice; one that has ended
   * stays as it is.
   * @returns false when there is none
   */
  cancel(id: string): Promise<boolean>
  /**
   * The event in a signed request.
   * @returns null when the signature is wrong, or older than five minutes
   */
  readEvent(rawBody: Buffer, signature: string): ProviderEvent | null
}
