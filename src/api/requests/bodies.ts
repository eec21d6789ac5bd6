import { SIZES } from '../../platform/limits/sizes.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { refuseBadText, isTooDeep, MAX_JSON_DEPTH } from '../../platform/routes/text-checks.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import {
  type Limits,
  type Route,
  type Upload,
  DEFAULT_LIMITS,
} from '../../platform/routes/route.ts'
import type { BodyBudget, BodyHold } from './bounds.ts'
import { digestBody } from '../border/forwarded-identity.ts'
import { IDEMPOTENCY_KEY } from './idempotency.ts'
import type { TrustBoundary } from '../border/trust-boundary.ts'
import { createUploadReader, digestUpload } from './uploads.ts'

const FORM_LIMIT_BYTES = SIZES.form.bytes
const MAX_FIELDS = 100
const MIB = 1024 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    acceptsForm?: boolean
    limits?: Limits
  }
  interface FastifyRequest {
    bodyHold: BodyHold | null
  }
}

/** Compares a body with what the gateway signed. */
export type BodyBoundary = Pick<TrustBoundary, 'checkBody' | 'hasWithheldBody'>

export function toBodyOptions(
  route: Route,
  boundary: BodyBoundary | undefined,
  budget: BodyBudget,
) {
  const { accepts, limits, shapes } = route
  const upload = createUploadReader(route)
  const mayBeAbsent = (shapes.body as { type?: unknown } | undefined)?.type === 'object'
  return {
    config: { acceptsForm: accepts === 'form', limits, ...(upload && { upload }) },
    bodyLimit: limits.bodyBytes,
    preParsing: async (request: FastifyRequest, reply: FastifyReply, body: RequestPayload) => {
      const announced = Number(request.headers['content-length'] ?? 0)
      if (announced > limits.bodyBytes || boundary?.hasWithheldBody(request.raw))
        throw tooLarge(limits.bodyBytes)
      const isChunked = request.headers['transfer-encoding'] !== undefined
      if (announced === 0 && !isChunked) return undefined
      upload?.checkType(request)
      request.bodyHold = budget.hold(request.caller!, isChunked ? 0 : announced)
      reply.raw.once('close', request.bodyHold.release)
      return isChunked ? countArriving(body, request.bodyHold) : undefined
    },
    /** An absent body is `{}`, so that all fields may be optional, and errors name the field. */
    preValidation: async (request: FastifyRequest) => {
      if (mayBeAbsent) request.body ??= {}
      if (upload && request.body === undefined) throw upload.missing()
    },
  }
}

function countArriving(body: RequestPayload, hold: BodyHold): Transform {
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      try {
        hold.grow(chunk.length)
      } catch (error) {
        return done(error as Error)
      }
      return done(null, chunk)
    },
  })
  body.once('error', (error) => counted.destroy(error))
  return body.pipe(counted)
}

export function tooLarge(limitBytes: number): ApiError {
  const message = `The body is larger than ${describeBytes(limitBytes)}.`
  return new ApiError('PAYLOAD_TOO_LARGE', message, [{ path: '', message, code: 'transport' }])
}

function describeBytes(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${Math.floor(bytes / 1024)} KiB`
}

/** Any other non-empty body gets a 415. */
export function readBodies(app: FastifyInstance, boundary?: BodyBoundary): void {
  app.removeAllContentTypeParsers()
  const parser =
    (parse: (body: Buffer, request: FastifyRequest) => unknown) =>
    async (request: FastifyRequest, body: Buffer) => {
      boundary?.checkBody(request.raw, body)
      if (body.length === 0) return undefined
      const hasKey = request.headers[IDEMPOTENCY_KEY] !== undefined
      const { upload } = request.routeOptions.config
      if (!upload) {
        if (hasKey) request.bodyDigest = digestBody(body)
        return parse(body, request)
      }
      const file: Upload = await upload.read(request, body)
      if (hasKey) request.bodyDigest = digestUpload(file)
      return file
    }
  app.addContentTypeParser(
    /^application\/(json|[a-z0-9.+-]+\+json)\s*(;|$)/i,
    { parseAs: 'buffer' },
    parser((body, { headers, routeOptions }) => {
      refuseEncoding(headers)
      return parseBody(body, routeOptions.config.limits)
    }),
  )
  app.addContentTypeParser(
    /^application\/x-www-form-urlencoded\s*(;|$)/i,
    { parseAs: 'buffer' },
    parser((body, { headers, routeOptions }) => {
      if (!routeOptions.config.acceptsForm) throw notJson()
      refuseEncoding(headers)
      return parseForm(body)
    }),
  )
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    parser(() => {
      throw notJson()
    }),
  )
}

export function passBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

function refuseEncoding(headers: IncomingHttpHeaders): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'A compressed body is not supported. Send it without Content-Encoding.',
    )
  const charset = /charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be UTF-8.')
}

function notJson(): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.')
}

/** @throws ApiError VALIDATION_ERROR, PAYLOAD_TOO_LARGE */
function parseForm(bytes: Buffer): Record<string, string> {
  if (bytes.length > FORM_LIMIT_BYTES)
    throw new ApiError('PAYLOAD_TOO_LARGE', 'The form is larger than 16 KiB.')
  const fields = new Map<string, string>()
  for (const pair of bytes.toString('latin1').split('&', MAX_FIELDS + 1)) {
    if (fields.size === MAX_FIELDS)
      throw invalid('', `The form has more than ${MAX_FIELDS} fields.`, 'malformed')
    const at = pair.indexOf('=')
    const name = decodeField(at === -1 ? pair : pair.slice(0, at))
    if (name === '') continue
    if (name === '__proto__' || fields.has(name))
      throw invalid('', 'The form has two fields with the same name.', 'malformed')
    const value = at === -1 ? '' : decodeField(pair.slice(at + 1))
    refuseBadText(name, '')
    refuseBadText(value, name)
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

function decodeField(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid('', 'The form is not valid percent-encoded UTF-8.', 'malformed')
  }
}

type Bounds = Pick<Limits, 'keys' | 'items'>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Refuses what PostgreSQL or a serializer cannot handle. @throws ApiError VALIDATION_ERROR */
function parseBody(bytes: Buffer, bounds: Bounds = DEFAULT_LIMITS): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw malformed('The body is not valid UTF-8.')
  }
  if (isTooDeep(text))
    throw malformed(`The body is nested more than ${MAX_JSON_DEPTH} levels deep.`)
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
      throw malformed(`The body has more than ${bounds.items} list items.`)
    value.forEach((item, i) => inspect(item, join(path, String(i)), seen, bounds))
    return
  }
  for (const [key, item] of Object.entries(value)) {
    if (++seen.keys > bounds.keys) throw malformed(`The body has more than ${bounds.keys} keys.`)
    refuseBadText(key, path)
    if (key === '__proto__') throw malformed('A key must not be __proto__.')
    inspect(item, join(path, key), seen, bounds)
  }
}

function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function malformed(message: string, path = ''): ApiError {
  return new ApiError('VALIDATION_ERROR', message, [{ path, message, code: 'malformed' }])
}
