import type { Schemas } from '../api/client.ts'

export type EventType = Schemas['WebhookDelivery']['eventType']

/* A record, so that the compiler asks for the names that the API adds. */
const KNOWN: Record<EventType, true> = {
  'link.created': true,
  'link.updated': true,
  'link.deleted': true,
  'click.received': true,
  'conversion.received': true,
  'domain.verified': true,
  'domain.failed': true,
  'campaign.completed': true,
  'report.generated': true,
  'billing.subscription.updated': true,
}

export const EVENT_TYPES = Object.keys(KNOWN) as EventType[]

/** `link.created` belongs to `link`. */
export function groupOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}
