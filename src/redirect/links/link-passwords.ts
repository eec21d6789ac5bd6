import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { ApiError } from '../../platform/core/errors.ts'
import type { Forwarding } from '../../platform/http/forwarded-requests.ts'
import type { Attempt, OwnedLock, PasswordAttempts } from './unlock.ts'

/**
 * Passwords of links are compared in the server process: it counts the attempts of all redirect processes. Their
 * question comes on the socket that no client can reach, under a path that no request of a client is handed on with.
 */
const PATH = '/internal/link-password'
/** Several times what the longest queue of comparisons takes. */
const TIMEOUT_MS = 10_000

type Question = { lock: OwnedLock; address: string; password: string }
type Answer =
  | Exclude<Attempt, object>
  | { retryAfter: number; message: string; details: ApiError['details'] }

/** The server's side: answers the question, and leaves every other request to `handle`. */
export function answerLinkPasswords(
  attempts: Pick<PasswordAttempts, 'attempt'>,
  handle: RequestListener,
): RequestListener {
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const { lock, address, password } = (await json(req)) as Question
    const attempt = await attempts.attempt(lock, address, password)
    res
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(toAnswer(attempt)))
  }
  return (req, res) => {
    if (req.url !== PATH) return handle(req, res)
    answer(req, res).catch(() => res.destroy())
  }
}

/** A redirect process's side; never rejects. */
export function createPasswordQuestions({ request }: Pick<Forwarding, 'request'>) {
  return {
    async attempt(lock: OwnedLock, address: string, password: string): Promise<Attempt> {
      const question: Question = { lock, address, password }
      try {
        const { body } = await request({
          method: 'POST',
          path: PATH,
          headersTimeout: TIMEOUT_MS,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(question),
        })
        return toAttempt((await body.json()) as Answer)
      } catch {
        return 'unavailable'
      }
    },
  }
}

function toAnswer(attempt: Attempt): Answer {
  if (typeof attempt === 'string') return attempt
  const { retryAfter, error } = attempt
  return { retryAfter, message: error.message, details: error.details }
}

function toAttempt(answer: Answer): Attempt {
  if (typeof answer === 'string') return answer
  const { retryAfter, message, details } = answer
  return { retryAfter, error: new ApiError('RATE_LIMITED', message, details) }
}
