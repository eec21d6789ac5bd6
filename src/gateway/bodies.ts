import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError, invalid } from '../base/errors.ts'
import { parseBody, refuseBadText } from './body.ts'

const FORM_LIMIT_BYTES = 16 * 1024
const MAX_FIELDS = 100

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes the body of a plain HTML form too. */
    acceptsForm?: boolean
  }
}

/** JSON everywhere, forms where a route takes them; any other non-empty body is a 415, an empty one is no body. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/(json|[a-z0-9.+-]+\+json)\s*(;|$)/i,
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (body.length === 0) return done(null, undefined)
      try {
        refuseEncoding(request.headers)
        return done(null, parseBody(body))
      } catch (error) {
        return done(error as Error)
      }
    },
  )
  app.addContentTypeParser(
    /^application\/x-www-form-urlencoded\s*(;|$)/i,
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (body.length === 0) return done(null, undefined)
      try {
        if (!request.routeOptions.config.acceptsForm) throw notJson()
        refuseEncoding(request.headers)
        return done(null, parseForm(body))
      } catch (error) {
        return done(error as Error)
      }
    },
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) =>
    body.length === 0 ? done(null, undefined) : done(notJson()),
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
