import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Forwarding } from '../../platform/http/forwarded-requests.ts'
import type { Attempt, OwnedLock, PasswordAttempts } from './unlock.ts'

/**
 * Link passwords are compared in the server process, which counts the attempts of all redirect processes.
 * They ask it over the socket that no client can reach, on a path that is never forwarded.
 */
const PATH = '/internal/link-password'
/** Several times what the longest queue of comparisons takes. */
const TIMEOUT_MS = 10_000

type PasswordRequest = { lock: OwnedLock; address: string; password: string }
/** The server's side: answers password requests and passes all others to `handle`. */
export function answerLinkPasswords(
  attempts: Pick<PasswordAttempts, 'attempt'>,
  handle: RequestListener,
): RequestListener {
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const { lock, address, password } = (await json(req)) as PasswordRequest
    const attempt = await attempts.attempt(lock, address, password)
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(attempt))
  }
  return (req, res) => {
    if (req.url !== PATH) return handle(req, res)
    answer(req, res).catch(() => res.destroy())
  }
}

/** A redirect process's side; never rejects. */
export function createPasswordRequests({ request }: Pick<Forwarding, 'request'>) {
  return {
    async attempt(lock: OwnedLock, address: string, password: string): Promise<Attempt> {
      const attempt: PasswordRequest = { lock, address, password }
      try {
        const { body } = await request({
          method: 'POST',
          path: PATH,
          headersTimeout: TIMEOUT_MS,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(attempt),
        })
        return (await body.json()) as Attempt
      } catch {
        return 'unavailable'
      }
    },
  }
}
