import { refuseBadText } from '../../platform/routes/bad-text.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { isTooDeep, MAX_JSON_DEPTH } from '../../platform/routes/json-depth.ts'
import { DEFAULT_LIMITS, type Limits } from '../../platform/routes/route.ts'

type Bounds = Pick<Limits, 'keys' | 'items'>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body. Refuses input that PostgreSQL or a serializer cannot handle: invalid UTF-8,
 * nesting beyond 32, more keys or items than the route takes, NUL characters, lone surrogates,
 * numbers that JavaScript cannot hold exactly, and the key `__proto__`.
 * @throws ApiError VALIDATION_ERROR
 */
export function parseBody(bytes: Buffer, bounds: Bounds = DEFAULT_LIMITS): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw malformed('The body is not valid UTF-8.')
  }
  if (isTooDeep(text)) throw malformed(`The body is nested beyond ${MAX_JSON_DEPTH} levels.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON.')
  }
  inspect(value, '', { keys: 0, items: 0 }, bounds)
  return value
}

function inspect(value: unknown, path: string, seen: Bounds, bounds: Bounds): void {
  if (typeof value === 'string') return refuseBadText(value, path)
  if (typeof value === 'number' && !isExact(value))
    throw malformed(
      'Numbers beyond 9007199254740991 (2^53 - 1) are not accepted; send the value as a string.',
      path,
    )
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    seen.items += value.length
    if (seen.items > bounds.items)
      throw malformed(`The body holds more than ${bounds.items} list items.`)
    value.forEach((item, i) => inspect(item, join(path, String(i)), seen, bounds))
    return
  }
  for (const [key, item] of Object.entries(value)) {
    if (++seen.keys > bounds.keys) throw malformed(`The body holds more than ${bounds.keys} keys.`)
    refuseBadText(key, path)
    if (key === '__proto__') throw malformed('A key must not be __proto__.')
    inspect(item, join(path, key), seen, bounds)
  }
}

/** False for infinities and for whole numbers beyond 2^53. */
function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function malformed(message: string, path = ''): ApiError {
  return new ApiError('VALIDATION_ERROR', message, [{ path, message, code: 'malformed' }])
}
