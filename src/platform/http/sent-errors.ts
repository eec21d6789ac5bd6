import { ApiError, OperatorError, type ErrorCode } from '../core/errors.ts'

/** An error as a message of a thread: what decides on the answer to it, or the end of a job. */
export type SentError =
  | { kind: 'api'; code: ErrorCode; message: string; details: ApiError['details'] }
  | { kind: 'operator'; message: string }
  | { kind: 'other'; message: string; stack: string | undefined; fields: Record<string, unknown> }

/** Fields of errors of PostgreSQL and of connections, by which the gateway tells outages and conflicts from defects (src/api/answers/errors.ts). */
const FIELDS = ['code', 'syscall', 'constraint'] as const

export function toSentError(error: unknown): SentError {
  if (error instanceof ApiError) {
    const { code, message, details } = error
    return { kind: 'api', code, message, details }
  }
  const { message, stack, ...rest } = error as Error & Record<string, unknown>
  if (error instanceof OperatorError) return { kind: 'operator', message }
  const fields = Object.fromEntries(FIELDS.map((name) => [name, rest[name]]))
  return { kind: 'other', message, stack, fields }
}

export function openSentError(sent: SentError): Error {
  if (sent.kind === 'api') return new ApiError(sent.code, sent.message, sent.details)
  if (sent.kind === 'operator') return new OperatorError(sent.message)
  const { message, stack, fields } = sent
  return Object.assign(new Error(message), { stack, ...fields })
}
