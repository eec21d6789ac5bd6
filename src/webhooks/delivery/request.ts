import type { KeyObject } from 'node:crypto'
import { toWireHeaders } from './endpoint-headers.ts'
import type { Claim } from './queue/queue-claims.ts'
import { packSignatures, sign, standardHeaders } from './signature.ts'

export type DeliveryRequest = {
  url: string
  headers: Record<string, string>
  body: string | Buffer
  signed: Buffer
}

/**
 * The body contains the attempt number, so bytes, timestamp and signature differ with each attempt (spec, Delivery
 * format).
 * @param claim its `data` is not null
 */
export function deliveryRequest(
  claim: Claim,
  key: KeyObject,
  previousKey: KeyObject | null,
  own: Record<string, string>,
  nowMs: number,
): DeliveryRequest {
  const timestamp = Math.floor(nowMs / 1000)
  const body = Buffer.from(deliveryBody(claim, claim.data!, claim.attempts + 1))
  const headers = {
    ...toWireHeaders(own),
    ...fixedHeaders(claim.eventType, claim.eventId),
    'x-service-signature': sign(key, timestamp, body),
    ...(previousKey && { 'x-service-signature-previous': sign(previousKey, timestamp, body) }),
    'x-service-timestamp': String(timestamp),
    ...(claim.standardHeaders ? standardHeaders(key, claim.id, timestamp, body, previousKey) : {}),
  }
  return { url: claim.url, headers, body, signed: packSignatures(timestamp, headers) }
}

export function fixedHeaders(eventType: string, eventId: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'accept-encoding': 'identity',
    'x-service-event': eventType,
    'x-service-event-id': eventId,
  }
}

/** Inserts the payload as it was stored, byte for byte. */
export function deliveryBody(
  delivery: {
    id: string
    eventType: string
    workspaceId: string
    endpointId: string
    createdAt: Date
  },
  data: string,
  attempt: number,
): string {
  const { id, eventType, workspaceId, endpointId, createdAt } = delivery
  return (
    `{"id":${JSON.stringify(id)},"type":${JSON.stringify(eventType)},` +
    `"workspaceId":${JSON.stringify(workspaceId)},"endpointId":${JSON.stringify(endpointId)},` +
    `"attempt":${attempt},"createdAt":"${createdAt.toISOString()}","data":${data}}`
  )
}
