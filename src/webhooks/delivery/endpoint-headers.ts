import type { Secrets } from '../../platform/core/secrets.ts'
import { ENDPOINT_HEADERS } from '../../platform/storage/installation/sealed-columns.ts'
import { invalid } from '../../platform/core/errors.ts'
import type { Changes } from '../../platform/audit/audit.ts'

const { purpose, boundTo } = ENDPOINT_HEADERS

const MASK = '********'

/** Shorter values are ordinary words in a response, not secrets. */
const MIN_HIDDEN_CHARS = 8

/** Set by deliveries, about a body or a connection, or refused by HTTP clients. */
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
const RESERVED_PREFIXES = ['x-service-', 'webhook-']

function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))
}

function sealEndpointHeaders(
  secrets: Secrets,
  endpointId: string,
  headers: Record<string, string>,
): Buffer {
  return secrets.seal(purpose, boundTo(endpointId), JSON.stringify(headers))
}

export function openEndpointHeaders(
  secrets: Secrets,
  endpointId: string,
  sealed: Uint8Array | null,
): Record<string, string> {
  if (sealed === null) return {}
  return JSON.parse(secrets.open(purpose, boundTo(endpointId), sealed)) as Record<string, string>
}

export function maskedHeaders(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, MASK]))
}

/** UTF-8 bytes as one character each, the way HTTP clients write them. */
export function toWireHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toWire(value)]))
}

type Answer = { responseBody: string | null; responseHeaders: string | null }

/**
 * For responses that echo the request, since more people can read the delivery log than the headers. Values that
 * the receiver transforms are not recognized.
 */
export function hideHeaders<A extends Answer>(answer: A, headers: Record<string, string>): A {
  const spellings = Object.values(headers).flatMap(toSpellings)
  if (spellings.length === 0) return answer
  // Longest first, since a value may be part of another.
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

const MAX_HEADERS = 20
const MAX_NAME_CHARS = 128
const MAX_VALUE_BYTES = 1_024
/** A `token` of RFC 9110. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const CONTROL = /\p{Cc}/u

export type StoredHeaders = { headerNames: string[]; headersSealed: Buffer | null }

type Headers = Record<string, string>

/**
 * A value equal to the mask keeps the stored one; a name left out is removed. The audit changes never contain
 * values.
 */
export function replaceHeaders(
  secrets: Secrets,
  endpointId: string,
  before: StoredHeaders,
  wanted: Headers | null,
): { stored: StoredHeaders; changes: Changes } {
  const sent = checkHeaders(wanted ?? {})
  const known = new Map(before.headerNames.map((name) => [name.toLowerCase(), name]))
  for (const [lower, { name, value }] of sent)
    if (value === MASK && !known.has(lower))
      throw invalid(
        `headers.${name}`,
        `headers.${name} has the mask as its value, and there is no stored value to keep. Send the value.`,
      )
  const isKept = [...sent.values()].some(({ value }) => value === MASK)
  const values = openValues(secrets, endpointId, before, isKept)
  const changes: Changes = {}
  for (const [lower, name] of known)
    if (!sent.has(lower)) changes[`headers.${name}`] = { old: MASK, new: null }
  const headers: Headers = {}
  for (const [lower, { name, value }] of sent) {
    const old = values.get(lower)
    headers[name] = value === MASK ? old! : value
    if (headers[name] !== old)
      changes[`headers.${name}`] = { old: known.has(lower) ? MASK : null, new: MASK }
  }
  const headerNames = Object.keys(headers)
  const headersSealed =
    headerNames.length === 0 ? null : sealEndpointHeaders(secrets, endpointId, headers)
  return { stored: { headerNames, headersSealed }, changes }
}

/** By lower-case name; none when they cannot be opened and none is kept. */
function openValues(
  secrets: Secrets,
  endpointId: string,
  { headersSealed }: StoredHeaders,
  isKept: boolean,
): Map<string, string> {
  try {
    const opened = openEndpointHeaders(secrets, endpointId, headersSealed)
    return new Map(Object.entries(opened).map(([name, value]) => [name.toLowerCase(), value]))
  } catch (error) {
    if (isKept) throw error
    return new Map()
  }
}

function checkHeaders(headers: Record<string, unknown>) {
  const entries = Object.entries(headers)
  if (entries.length > MAX_HEADERS)
    throw invalid(
      'headers',
      `headers must have at most ${MAX_HEADERS} entries; it has ${entries.length}.`,
    )
  const checked = new Map<string, { name: string; value: string }>()
  for (const [name, value] of entries) {
    const lower = name.toLowerCase()
    const problem = checked.has(lower)
      ? 'appears twice: the names of headers are the same in upper and lower case'
      : (problemOfName(name) ?? problemOfValue(value))
    if (problem !== null) throw invalid(`headers.${name}`, `headers.${name} ${problem}.`)
    checked.set(lower, { name, value: value as string })
  }
  return checked
}

function problemOfName(name: string): string | null {
  if (name.length > MAX_NAME_CHARS) return `has a name of more than ${MAX_NAME_CHARS} characters`
  if (!TOKEN.test(name))
    return 'is not the name of a header, which has letters, digits and - but no spaces or colons'
  if (isReservedHeader(name)) return 'is reserved, because deliveries or the connection set it'
  return null
}

/** Never includes the value, which may be a secret. */
function problemOfValue(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be text'
  if (CONTROL.test(value)) return 'must not have control characters, such as a line break'
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES)
    return `must have at most ${MAX_VALUE_BYTES} bytes`
  return null
}
