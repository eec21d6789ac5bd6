import { ERRORS, type ApiError, type ErrorCode } from '../../platform/core/errors.ts'
import type { Answered } from '../api.ts'
import { inWords } from '../fields.ts'
import { THEIR_NAMES } from './link.ts'

/** The codes that Dub's clients know. */
const CODES: Readonly<Record<number, string>> = {
  ...{ 401: 'unauthorized', 403: 'forbidden', 404: 'not_found', 409: 'conflict' },
  ...{ 429: 'rate_limit_exceeded', 500: 'internal_server_error', 503: 'internal_server_error' },
}

export function codeOf(code: ErrorCode): string {
  return code === 'VALIDATION_ERROR'
    ? 'unprocessable_entity'
    : (CODES[ERRORS[code][0]] ?? 'bad_request')
}

const NAMES = { ...THEIR_NAMES, hostname: 'slug', variants: 'testVariants', rules: 'geo' }

export function toError({ code, status, message, details }: ApiError): Answered {
  const isUnread = Array.isArray(details) && ['malformed', 'transport'].includes(details[0]?.code)
  const name = isUnread ? 'bad_request' : codeOf(code)
  const error = {
    code: name,
    message: inWords(NAMES, message),
    doc_url: `https://dub.co/docs/api-reference/errors#${name.replaceAll('_', '-')}`,
  }
  return { status: name === 'unprocessable_entity' ? 422 : status, body: { error } }
}
