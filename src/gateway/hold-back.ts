import { setTimeout as pass } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Options = {
  /** So many refusals leave in a second while others wait. */
  perSecond?: number
  /** How long one waits at most. */
  maxWaitMs?: number
  /** Beyond these nobody else waits. */
  maxWaiting?: number
}

/** An `onSend` hook of routes whose refusals are paced. */
export type HoldBack = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

const PER_SECOND = 100
const MAX_WAIT_MS = 2_000
const MAX_WAITING = 1_000

/**
 * Paces the refusals of whoever asks too often. A guesser who is refused at once guesses again at
 * once, and a few hundred of those would fill the event loop that answers everybody else; one who
 * waits for the refusal sends nothing meanwhile. A few refusals leave as they come.
 *
 * Beyond `maxWaiting` the refusal leaves at once and closes its connection: memory stays bounded,
 * and the next guess costs a handshake.
 */
export function createHoldBack(options: Options = {}): HoldBack {
  const { perSecond = PER_SECOND, maxWaitMs = MAX_WAIT_MS, maxWaiting = MAX_WAITING } = options
  let freeAtMs = 0
  let waiting = 0

  return async (_request, reply) => {
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
