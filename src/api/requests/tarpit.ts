import type { FastifyReply } from 'fastify'
import { createRefusalPacer, type PacerOptions } from '../../platform/http/refusal-pacer.ts'

/** Delays answers that are a 429. */
export function createTarpit(options: PacerOptions = {}) {
  const pace = createRefusalPacer(options)
  return async (reply: FastifyReply): Promise<void> => {
    if (reply.statusCode === 429 && !(await pace())) reply.header('connection', 'close')
  }
}
