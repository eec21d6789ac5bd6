import { setTimeout as pass } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

type Options = {
  /** Refusals that leave in a second while others wait. */
  perSecond?: number
  maxWaitMs?: number
  /** Beyond this number refusals leave at once. */
  maxWaiting?: number
}

/** Delays an answer that is a 429. */
export type Tarpit = (reply: FastifyReply) => Promise<void>

const PER_SECOND = 100
const MAX_WAIT_MS = 2_000
const MAX_WAITING = 1_000

/**
 * Paces the 429s of clients that send too many requests. A client that guesses would repeat a fast
 * refusal at once, and a few hundred such clients would fill the event loop that answers all others;
 * while it waits for a slow refusal it sends nothing. The first few refusals leave without delay.
 *
 * Beyond `maxWaiting` the refusal leaves at once and closes its connection: memory stays bounded,
 * and the next guess costs a handshake.
 */
export function createTarpit(options: Options = {}): Tarpit {
  const { perSecond = PER_SECOND, maxWaitMs = MAX_WAIT_MS, maxWaiting = MAX_WAITING } = options
  let freeAtMs = 0
  let waiting = 0

  return async (reply) => {
    if (reply.statusCode !== 429) return
    if (waiting >= maxWaiting) {
      reply.header('connection', 'close')
      return
    }
    const nowMs = performance.now()
    const waitMs = Math.min(Math.max(0, freeAtMs - nowMs), maxWaitMs)
    freeAtMs = nowMs + waitMs + 1_000 / perSecond
    if (waitMs === 0) return
    waiting++
    await pass(waitMs)
    waiting--
  }
}
