import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { refuseBadText } from '../base/bad-text.ts'
import { ApiError, invalid } from '../base/errors.ts'
import { parseBody } from './body.ts'
import { digestBody } from './forwarded-identity.ts'
import { IDEMPOTENCY_KEY } from './idempotency.ts'

const FORM_LIMIT_BYTES = 16 * 1024
const MAX_FIELDS = 100

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes the body of a plain HTML form too. */
    acceptsForm?: boolean
  }
}

/** Checks the bytes of a body before they are parsed, and throws to refuse the request. */
export type CheckBody = (request: IncomingMessage, body: Buffer) => void

/**
 * Hooks of a route with a body of this shape. An absent body of an object shape is validated as `{}`:
 * optional fields may all be left out, and the error names a required field.
 */
export function bodyHooks(shape: TSchema | undefined) {
  if ((shape as { type?: unknown } | undefined)?.type !== 'object') return []
  return [
    async (request: FastifyRequest) => {
      request.body ??= {}
    },
  ]
}

/** Reads JSON, and forms where a route takes them; any other non-empty body gets a 415. */
export function readBodies(app: FastifyInstance, checkBody: CheckBody = () => {}): void {
  app.removeAllContentTypeParsers()
  const parser =
    (parse: (body: Buffer, request: FastifyRequest) => unknown) =>
    async (request: FastifyRequest, body: Buffer) => {
      checkBody(request.raw, body)
      if (body.length === 0) return undefined
      if (request.headers[IDEMPOTENCY_KEY] !== undefined) request.bodyDigest = digestBody(body)
      return parse(body, request)
    }
  app.addContentTypeParser(
    /^application\/(json|[a-z0-9.+-]+\+json)\s*(;|$)/i,
    { parseAs: 'buffer' },
    parser((body, { headers }) => {
      refuseEncoding(headers)
      return parseBody(body)
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

/** Leaves bodies unread, for the services to which they are passed on. */
export function passBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE */
function refuseEncoding(headers: IncomingHttpHeaders): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'A compressed body is not supported.')
  const charset = /charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be UTF-8.')
}

function notJson(): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.')
}

/** Parses the fields of a form: text, each name once. @throws ApiError VALIDATION_ERROR, PAYLOAD_TOO_LARGE */
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
      throw invalid('', 'The form has two fields of the same name.', 'malformed')
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
