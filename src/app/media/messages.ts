import { ApiError, OperatorError, type ErrorCode } from '../../base/errors.ts'
import type { KeysMessage } from '../../base/secrets.ts'
import type { Who } from '../../base/who.ts'
import type { Media } from '../../services/media/schema.ts'
import type { Plan } from '../../services/plan.ts'

/** What the thread that stores images is started with. */
export type Order = {
  databases: { postgresUrl: string; poolUrl: string | null }
  keys: KeysMessage
  plans: { all: readonly Plan[]; initial: string }
  /** The public address of images, before their ids. */
  publicUrl: string
}

export type ToThread =
  | {
      type: 'store'
      id: number
      who: Who
      /** Moved to the thread. */
      bytes: Uint8Array
      filename: string | null
      clockOffsetMs: number
    }
  /** The client of the upload has left. */
  | { type: 'abort'; id: number }
  | { type: 'stop' }

export type FromThread =
  | { type: 'stored'; id: number; media: Media }
  | { type: 'refused'; id: number; error: SentError }
  /** The last message of a thread that ends in order. */
  | { type: 'done' }

/** What the gateway reads of an error to choose its answer. */
export type SentError =
  | { kind: 'api'; code: ErrorCode; message: string; details: ApiError['details'] }
  | { kind: 'operator'; message: string }
  | { kind: 'other'; message: string; stack: string | undefined; fields: Record<string, unknown> }

/** Fields of errors of the database and of its connections. */
const FIELDS = ['code', 'syscall', 'constraint_name'] as const

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
