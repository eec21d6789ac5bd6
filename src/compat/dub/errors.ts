import type { ApiError, ErrorCode } from '../../platform/core/errors.ts'
import type { Answered } from '../api.ts'
import { THEIR_NAMES } from './link.ts'

/** The codes that Dub's clients know, one for each status. */
const CODES: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'unprocessable_entity',
  UNAUTHORIZED: 'unauthorized',
  FORBIDDEN: 'forbidden',
  PLAN_CAPABILITY_REQUIRED: 'forbidden',
  PLAN_LIMIT_REACHED: 'forbidden',
  NOT_FOUND: 'not_found',
  CONFLICT: 'conflict',
  RATE_LIMITED: 'rate_limit_exceeded',
  INTERNAL_ERROR: 'internal_server_error',
  UNAVAILABLE: 'internal_server_error',
}

export const codeOf = (code: ErrorCode): string => CODES[code] ?? 'bad_request'

/** Fields whose names differ, as messages begin with them. */
const NAMES: Readonly<Record<string, string>> = {
  ...THEIR_NAMES,
  hostname: 'slug',
  variants: 'testVariants',
  rules: 'geo',
}

export function toError({ code, status, message, details }: ApiError): Answered {
  const isUnread = Array.isArray(details) && ['malformed', 'transport'].includes(details[0]?.code)
  const name = isUnread ? 'bad_request' : codeOf(code)
  return {
    status: name === 'unprocessable_entity' ? 422 : status,
    body: {
      error: {
        code: name,
        message: message.replace(/^\w+/, (word) => NAMES[word] ?? word),
        doc_url: `https://dub.co/docs/api-reference/errors#${name.replaceAll('_', '-')}`,
      },
    },
  }
}
