import type { Secrets } from '../../platform/core/secrets.ts'
import { ENDPOINT_HEADERS } from '../../platform/storage/installation/sealed-columns.ts'

const { purpose, boundTo } = ENDPOINT_HEADERS

/** Stands for every value that is shown; no value can be equal to it. */
export const MASK = '********'

/** Shorter values are ordinary words of an answer, and no secrets. */
const MIN_HIDDEN_CHARS = 8

/** Headers of deliveries, those that describe a body or a connection, and those that HTTP clients refuse. */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])
/** The signatures and what later versions may add to them. */
const RESERVED_PREFIXES = ['x-service-', 'webhook-']

/** True for the name of a header that an endpoint may not have as its own. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))
}

/** Seals headers as webhook_endpoints stores them. */
export function sealEndpointHeaders(
  secrets: Secrets,
  endpointId: string,
  headers: Record<string, string>,
): Buffer {
  return secrets.seal(purpose, boundTo(endpointId), JSON.stringify(headers))
}

/** @throws Error when SECRET_KEY is not the one they were sealed with, or the bytes were moved or changed */
export function openEndpointHeaders(
  secrets: Secrets,
  endpointId: string,
  sealed: Uint8Array | null,
): Record<string, string> {
  if (sealed === null) return {}
  return JSON.parse(secrets.open(purpose, boundTo(endpointId), sealed)) as Record<string, string>
}

/** The same names with the mask as their values. */
export function maskedHeaders(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, MASK]))
}

/** The UTF-8 bytes of the values, one character each, as HTTP clients write them. */
export function toWireHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toWire(value)]))
}

type Answer = { responseBody: string | null; responseHeaders: string | null }

/**
 * Masks the values in an answer that repeats the request, since the delivery log has more readers than
 * the headers. A receiver that changes a value before it repeats it is not recognized.
 * @param answer its `responseHeaders` are JSON
 */
export function hideHeaders<A extends Answer>(answer: A, headers: Record<string, string>): A {
  const spellings = Object.values(headers).flatMap(toSpellings)
  if (spellings.length === 0) return answer
  // The longest first: a value may be part of another.
  spellings.sort((a, b) => b.length - a.length)
  const hide = (text: string) =>
    spellings.reduce((hidden, spelling) => hidden.replaceAll(spelling, MASK), text)
  const { responseBody, responseHeaders } = answer
  return {
    ...answer,
    responseBody: responseBody && hide(responseBody),
    responseHeaders: responseHeaders && hideInValues(responseHeaders, hide),
  }
}

/** A value in a text, as bytes in a response header, and both inside JSON. */
function toSpellings(value: string): string[] {
  if (value.length < MIN_HIDDEN_CHARS) return []
  const plain = [value, toWire(value)]
  return [...new Set([...plain, ...plain.map((text) => JSON.stringify(text).slice(1, -1))])]
}

function hideInValues(json: string, hide: (text: string) => string): string {
  const entries = Object.entries(JSON.parse(json) as Record<string, string>)
  return JSON.stringify(Object.fromEntries(entries.map(([name, value]) => [name, hide(value)])))
}

function toWire(value: string): string {
  return Buffer.from(value).toString('latin1')
}
