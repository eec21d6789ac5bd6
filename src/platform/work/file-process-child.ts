import { ApiError, OperatorError, type ErrorCode } from '../core/errors.ts'

type Values = AsyncGenerator | Generator

export type ToFileProcess = Uint8Array | { request: unknown } | 'next'
export type FromFileProcess = { value: unknown } | { error: SentError } | 'end'

/** Sends the values that `read` makes of each file, one per request. */
export function answerFiles(read: (bytes: Buffer, request: never) => Values): void {
  const parts: Uint8Array[] = []
  let values: Values
  process.on('message', (message: ToFileProcess) => {
    if (message instanceof Uint8Array) {
      parts.push(message)
      return
    }
    if (message !== 'next') values = read(Buffer.concat(parts.splice(0)), message.request as never)
    void answer(values)
  })
}

async function answer(values: Values): Promise<void> {
  try {
    const { done, value } = await values.next()
    send(done ? 'end' : { value })
  } catch (error) {
    send({ error: toSentError(error) })
  }
}

function send(message: FromFileProcess): void {
  process.send!(message)
}

type SentError =
  | { kind: 'api'; code: ErrorCode; message: string; details: ApiError['details'] }
  | { kind: 'operator'; message: string }
  | { kind: 'other'; message: string; stack: string | undefined; fields: Record<string, unknown> }

/** Fields by which the gateway tells outages and conflicts from bugs (src/api/answers/errors.ts). */
const FIELDS = ['code', 'syscall', 'constraint'] as const

function toSentError(error: unknown): SentError {
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
