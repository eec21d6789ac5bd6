import { createHmac } from 'node:crypto'
import type { Clock } from '../../platform/core/clock.ts'
import type { Secrets } from '../../platform/core/secrets.ts'

const DAY_MS = 86_400_000

/**
 * The keys of session tickets on the present day: the same in every process with this SECRET_KEY, so that a visitor resumes a
 * session wherever the next connection leads (docs/decisions/0030-certificates.md).
 */
export function ticketKeysOfToday(secrets: Pick<Secrets, 'keyFor'>, clock: Clock): Buffer {
  const day = Math.floor(clock() / DAY_MS)
  return createHmac('sha384', secrets.keyFor('tls-tickets')).update(String(day)).digest()
}
