import type { ErrorDetail } from './types.gen.ts'

/**
 * Anything that a call can fail with. What the server refused has a class by its code, such as `NotFoundError`;
 * without a usable answer it is a `ConnectionError`, a `TimeoutError` or an `UnexpectedAnswerError`.
 */
export class SignpostError extends Error {
  /** For programs: `NOT_FOUND`. */
  declare readonly code: string
  /** The HTTP status; 0 without an answer. */
  declare readonly status: number
  /** The id under which the server logged the request. */
  declare readonly requestId: string | undefined
  /** Facts about the error, or one entry for each wrong field. */
  declare readonly details: object | ErrorDetail[]
  /** After how many seconds the server wants to be asked again. */
  declare readonly retryAfter: number | undefined

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause })
    this.name = new.target.name
    const { code, status = 0, requestId, details = [], retryAfter } = facts
    Object.assign(this, { code, status, requestId, details, retryAfter })
  }
}

export type ErrorFacts = {
  code: string
  status?: number
  requestId?: string | undefined
  details?: object
  retryAfter?: number | undefined
  cause?: unknown
}

/** There was no answer: no server, no network, a certificate that is not trusted. */
export class ConnectionError extends SignpostError {
  declare readonly code: 'NO_ANSWER'
}

/** No answer within `timeoutMs`. */
export class TimeoutError extends SignpostError {
  declare readonly code: 'TIMEOUT'
}

/** The answer is not one of Signpost: a wrong `baseUrl`, or a page of a proxy. */
export class UnexpectedAnswerError extends SignpostError {
  declare readonly code: 'UNEXPECTED_ANSWER'
}

/** What a failed `fetch` says, as one sentence about what to do. */
export function explainFailure(cause: unknown, origin: string): ConnectionError {
  const reason = reasonOf(cause)
  return new ConnectionError(sentenceOf(reason, origin), { code: 'NO_ANSWER', cause })
}

function sentenceOf(reason: string, origin: string): string {
  if (reason === 'ENOTFOUND')
    return `The host of ${origin} is unknown (ENOTFOUND): check the spelling of baseUrl, and DNS.`
  if (/CERT|SIGNATURE|ISSUER/i.test(reason))
    return `The certificate of ${origin} is not accepted (${reason}): use the host that it names, renew it, or trust its authority, in Node with NODE_EXTRA_CA_CERTS=ca.pem.`
  if (/SSL|EPROTO/i.test(reason))
    return `${origin} does not speak TLS (${reason}): check whether baseUrl begins with http:// or https://.`
  return `There is no answer from ${origin} (${reason}): check baseUrl, the network, and that the server runs.`
}

/** The code of an error, or of its causes: Node wraps the reason of a failed connection. */
function reasonOf(error: unknown): string {
  const { cause, code, errors, message } = error as Partial<AggregateError & { code: unknown }>
  if (typeof code === 'string') return code
  if (cause) return reasonOf(cause)
  if (errors?.[0]) return reasonOf(errors[0])
  return message ?? String(error)
}
