import type { FastifyReply } from 'fastify'
import { createRefusalPacer, type PacerOptions } from '../../platform/http/refusal-pacer.ts'

/** Delays an answer that is a 429. */
export type Tarpit = (reply: FastifyReply) => Promise<void>

/** Paces the 429s of the API. */
export function createTarpit(options: PacerOptions = {}): Tarpit {
  const pace = createRefusalPacer(options)
  return async (reply) => {
    if (reply.statusCode === 429 && !(await pace())) reply.header('connection', 'close')
  }
}
