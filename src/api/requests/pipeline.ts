import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller, Membership } from '../../platform/routes/caller.ts'
import type { ErrorCode } from '../../platform/core/errors.ts'
import type { Route } from '../../platform/routes/route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** Null behind the trust boundary. */
    membership: Membership | null
    untilAnswered: AbortSignal
  }
}

/**
 * The first step that refuses a request answers it, so that an answer discloses nothing that the caller may not know;
 * steps that need no body run before one is read. A gateway identifies, admits and counts; its services do the rest.
 * docs/api.md has the same table.
 */
export const PIPELINE = [
  { step: 'requestId', phase: 'framework', refuses: [] },
  { step: 'sameSite', phase: 'onRequest', refuses: ['FORBIDDEN'] },
  { step: 'limitAddress', phase: 'onRequest', refuses: ['RATE_LIMITED'] },
  { step: 'identify', phase: 'onRequest', refuses: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'] },
  { step: 'limitCredential', phase: 'onRequest', refuses: ['RATE_LIMITED'] },
  {
    step: 'admit',
    phase: 'onRequest',
    refuses: ['UNAUTHORIZED', 'VALIDATION_ERROR', 'FORBIDDEN'],
  },
  { step: 'find', phase: 'onRequest', refuses: ['NOT_FOUND', 'FORBIDDEN'] },
  { step: 'authorize', phase: 'onRequest', refuses: ['FORBIDDEN'] },
  { step: 'limitRoute', phase: 'onRequest', refuses: ['RATE_LIMITED'] },
  {
    step: 'validate',
    phase: 'framework',
    refuses: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMITED', 'VALIDATION_ERROR'],
  },
  { step: 'quota', phase: 'preHandler', refuses: ['PLAN_LIMIT_REACHED'] },
  { step: 'handle', phase: 'handler', refuses: [] },
  { step: 'serialize', phase: 'framework', refuses: [] },
  { step: 'forget', phase: 'onSend', refuses: [] },
  { step: 'tarpit', phase: 'onSend', refuses: [] },
] as const satisfies readonly { step: string; phase: string; refuses: readonly ErrorCode[] }[]

type StepName = Exclude<(typeof PIPELINE)[number], { phase: 'framework' }>['step']

/** @throws ApiError to refuse the request */
type Step = (request: FastifyRequest, reply: FastifyReply, route: Route) => unknown

export type Steps = Partial<Record<StepName, Step>> & { handle: Step }

type Phase = (typeof PIPELINE)[number]['phase']

/** One for all requests: making it, with its stack, takes a fiftieth of a small request. */
const OVER = new DOMException('The request is over.', 'AbortError')

/** @param validation empty where this process forwards requests */
export function addRoute(
  app: FastifyInstance,
  route: Route,
  steps: Steps,
  validation: Partial<RouteOptions> = {},
): void {
  const preHandler = runPhase('preHandler', route, steps)
  const onSend = runPhase('onSend', route, steps)
  const onRequest = runPhase('onRequest', route, steps)
  app.route({
    ...validation,
    method: route.method,
    url: route.path,
    onRequest: async (request, reply) => {
      const answered = new AbortController()
      reply.raw.once('close', () => answered.abort(OVER))
      request.untilAnswered = answered.signal
      if (route.isUnlisted) reply.header('x-robots-tag', 'noindex')
      await onRequest?.(request, reply)
    },
    ...(preHandler && { preHandler }),
    ...(onSend && { onSend }),
    handler: async (request, reply) => steps.handle(request, reply, route),
  })
}

function runPhase(phase: Phase, route: Route, steps: Steps) {
  const own = PIPELINE.filter((entry) => entry.phase === phase).flatMap(
    ({ step }) => steps[step as StepName] ?? [],
  )
  if (own.length === 0) return null
  return async (request: FastifyRequest, reply: FastifyReply) => {
    for (const step of own) await step(request, reply, route)
  }
}
