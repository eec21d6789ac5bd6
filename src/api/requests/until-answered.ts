import type { FastifyReply } from 'fastify'

/**
 * A signal that is aborted when the answer has been sent, or the client has disconnected before. A
 * response closes once in both cases.
 */
export function untilAnswered({ raw }: FastifyReply): AbortSignal {
  const stop = new AbortController()
  raw.once('close', () => stop.abort())
  return stop.signal
}

/** True when the connection was closed before the answer was sent. */
export function isClientGone({ raw }: FastifyReply): boolean {
  return raw.destroyed && !raw.writableFinished
}
