import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/core/errors.ts'
import type { RateLimits } from '../../platform/limits/rate-limits.ts'
import { SIZES } from '../../platform/limits/sizes.ts'
import { route, type Route } from '../../platform/routes/route.ts'
import { isClientGone } from '../answers/reply.ts'
import { toBodyOptions } from '../requests/bodies.ts'
import { BodyBudget } from '../requests/bounds.ts'
import type { Browser } from '../requests/browser.ts'
import { addRoute, type Steps } from '../requests/pipeline.ts'
import { addOAuthMetadata, toChallenge } from './oauth-metadata.ts'
import { createTools, type Tool } from './tools.ts'

type Deps = {
  routes: readonly Route[]
  /** Those of a gateway. */
  steps: Omit<Steps, 'handle'>
  browser: Pick<Browser, 'refuseForeignPage' | 'getOrigin'>
  rateLimits: RateLimits
  version: string
}

/** As large as links in bulk; files of imports may be larger over the API. */
const limits = { bodyBytes: SIZES.bulkBody.bytes, keys: 100_000, items: 100_000 }

/**
 * A server of the Model Context Protocol over Streamable HTTP, without sessions. Each message is authenticated here, and
 * each call of a tool once more by the route that it calls.
 */
export function addMcp(app: FastifyInstance, deps: Deps): void {
  const { routes, steps, browser, version } = deps
  const messages = deps.rateLimits.limiter('messages')
  let tools: ReadonlyMap<string, Tool> | undefined
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    if (Array.isArray(request.body))
      throw new ApiError('VALIDATION_ERROR', 'Send one message per request, and no batch.')
    // Loaded with the first message, since most servers never get one.
    const { answerMessage } = await import('./server.ts')
    tools ??= createTools(routes)
    const answer = await answerMessage({ app, tools, version, request })
    if (isClientGone(reply)) return reply.code(499).hijack()
    return reply.code(answer.status).type(answer.type).serializer(String).send(answer.text)
  }
  const row = route('POST /mcp', {
    requires: { credential: 'any', role: 'viewer' },
    name: 'sendMcpMessage',
    summary: 'Send a message of the Model Context Protocol',
    description: 'Answers one message. It is no operation of the API.',
    tag: 'MCP',
    limits,
    shapes: {},
    handle: async () => {},
  })
  /** Tells a client without a valid key where its user can sign in. */
  const challenging =
    (step: Steps['identify']): Steps['handle'] =>
    async (request, reply, to) => {
      reply.header('www-authenticate', toChallenge(browser, request))
      await step?.(request, reply, to)
      reply.removeHeader('www-authenticate')
    }
  const own: Steps = {
    ...steps,
    identify: challenging(steps.identify),
    admit: challenging(steps.admit),
    /** The protocol asks for it. No page signs in here, so a session never counts. */
    sameSite: (request) => {
      browser.refuseForeignPage(request)
      delete request.raw.headers.cookie
    },
    /** The request of a call counts. */
    limitCredential: () => {},
    limitRoute: ({ caller }) => messages.consume(caller!.principal!.userId),
    quota: () => {},
    handle,
  }
  addOAuthMetadata(app, deps)
  addRoute(app, row, own, toBodyOptions(row, undefined, new BodyBudget()))
}
