import { invalid } from '../../platform/core/errors.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import {
  isReservedHeader,
  MASK,
  openEndpointHeaders,
  sealEndpointHeaders,
} from '../delivery/endpoint-headers.ts'
import type { Changes } from '../../platform/audit/audit.ts'

const MAX_HEADERS = 20
const MAX_NAME_CHARS = 128
const MAX_VALUE_BYTES = 1_024
/** A `token` of RFC 9110. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const CONTROL = /\p{Cc}/u

export type StoredHeaders = { headerNames: string[]; headersSealed: Buffer | null }

type Headers = Record<string, string>

/**
 * Headers as they are stored, and what the audit log says of each name, without values. A value that is
 * the mask stays as it is; a name that is left out is removed.
 * @param wanted null and `{}` are the same
 * @returns no changes when names and values are those of before
 * @throws ApiError VALIDATION_ERROR with `headers.<name>`, or SECRET_KEY_CHANGED when a kept value cannot be opened
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

/** @returns the stored values by their names in lower case; none when they do not open and none is kept */
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

/** @returns the headers by their names in lower case */
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

/** Without the value, which may be a secret. */
function problemOfValue(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be text'
  if (CONTROL.test(value)) return 'must not have control characters, such as a line break'
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES)
    return `must have at most ${MAX_VALUE_BYTES} bytes`
  return null
}
