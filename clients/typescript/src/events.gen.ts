// Written by "npm run clients" from the OpenAPI document; tests compare.
import type * as types from './types.gen.ts'

/** Any event that an endpoint receives; `type` tells which. */
export type WebhookEvent =
  | types.LinkCreatedEvent
  | types.LinkUpdatedEvent
  | types.LinkDeletedEvent
  | types.DomainVerifiedEvent
  | types.DomainFailedEvent
  | types.ClickReceivedEvent
  | types.ConversionReceivedEvent
  | types.CampaignCompletedEvent
  | types.ReportGeneratedEvent
  | types.BillingSubscriptionUpdatedEvent
