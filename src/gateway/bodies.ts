import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { refuseBadText } from '../base/bad-text.ts'
import { ApiError, invalid } from '../base/errors.ts'
import { parseBody } from './body.ts'

const FORM_LIMIT_BYTES = 16 * 1024
const MAX_FIELDS = 100

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes the body of a plain HTML form too. */
    acceptsForm?: boolean
  }
}

/** Looks at the bytes of a body before they are parsed, and throws to refuse the request. */
export type CheckBody = (request: IncomingMessage, body: Buffer) => void

/**
 * Hooks of a route that takes a body of this shape. Where it is an object, an absent body is validated
 * as `{}`: optional fields may all be left out, and a required one that is missing is named.
 */
export function bodyHooks(shape: TSchema | undefined) {
  if ((shape as { type?: unknown } | undefined)?.type !== 'object') return {}
  return {
    preValidation: async (request: FastifyRequest) => {
      request.body ??= {}
    },
  }
}

/** JSON everywhere, forms where a route takes them; any other non-empty body is a 415, an empty one is no body. */
export function readBodies(app: FastifyInstance, checkBody: CheckBody = () => {}): void {
  app.removeAllContentTypeParsers()
  const parser =
    (parse: (body: Buffer, request: FastifyRequest) => unknown) =>
    async (request: FastifyRequest, body: Buffer) => {
      checkBody(request.raw, body)
      return body.length === 0 ? undefined : parse(body, request)
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

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE */
function refuseEncoding(headers: IncomingHttpHeaders): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Compressed bodies are not read.')
  const charset = /charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'A body is in UTF-8.')
}

function notJson(): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.')
}

/** The fields of a form, each once, all of them text. @throws ApiError VALIDATION_ERROR, PAYLOAD_TOO_LARGE */
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
      throw invalid('', 'Each field of a form has a name of its own.', 'malformed')
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
