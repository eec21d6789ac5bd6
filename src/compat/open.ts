import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../api/answers/errors.ts'
import { isClientGone } from '../api/answers/reply.ts'
import { toBodyOptions } from '../api/requests/bodies.ts'
import { BodyBudget } from '../api/requests/bounds.ts'
import { addRoute, type Steps } from '../api/requests/pipeline.ts'
import { readMultipartForms } from '../api/requests/uploads.ts'
import type { Config } from '../platform/config/config.ts'
import { ApiError } from '../platform/core/errors.ts'
import { SIZES } from '../platform/limits/sizes.ts'
import { route, type Route } from '../platform/routes/route.ts'
import type { Answered, Asked, CompatApi, Handler } from './api.ts'
import { createCall, type Method } from './call.ts'
import { dub } from './dub/dub.ts'
import { kutt } from './kutt/kutt.ts'
import { shlink } from './shlink/shlink.ts'
import { createYourls, type YourlsDeps } from './yourls/yourls.ts'

type Deps = YourlsDeps & {
  apis: Config['compat']
  /** Those of a gateway. */
  steps: Omit<Steps, 'handle'>
}

const PUBLIC = { credential: 'none' } as const
const KEYED = { credential: 'any', role: 'viewer' } as const

const unknown: Handler = () => {
  throw new ApiError('NOT_FOUND', 'This API has no such path.')
}
const UNKNOWN = Object.fromEntries(
  ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].map((method) => [`${method} /*`, unknown]),
)

/** APIs of other shorteners. Each of their answers is made of answers of `/v1` within this process. */
export function addCompat(app: FastifyInstance, { apis, steps, ...deps }: Deps): void {
  const budget = new BodyBudget()
  const known = { yourls: createYourls(deps), shlink, kutt, dub }
  for (const api of apis.map((name) => known[name]))
    void app.register(async (scope) => {
      if (api.takesForms) readMultipartForms(scope)
      scope.setErrorHandler((error, request, reply) =>
        sendError(error, request, reply, (refused) => {
          void send(reply, api.toError(refused, toAsked(request)))
        }),
      )
      const rows: Readonly<Record<string, Handler>> = { ...api.rows, ...api.publicRows, ...UNKNOWN }
      for (const [address, handle] of Object.entries(rows)) {
        const own = toRoute(api, address)
        addRoute(
          scope,
          own,
          toSteps(api, own, handle, steps),
          toBodyOptions(own, undefined, budget),
        )
      }
    })
}

function toRoute({ name, prefix, takesForms, ...api }: CompatApi, address: string): Route {
  const [method, path] = address.split(' ') as [Method, string]
  return route(`${method} ${prefix}${path}`, {
    requires: address in (api.publicRows ?? {}) ? PUBLIC : KEYED,
    name: 'answerAs',
    summary: `Answer as ${name} does`,
    description: 'It is no operation of the API.',
    tag: 'Compatible APIs',
    ...(takesForms && { accepts: 'form' as const }),
    limits: takesForms ? { bodyBytes: SIZES.form.bytes } : (api.limits?.[address] ?? {}),
    shapes: {},
    handle: async () => ({ data: undefined }),
  })
}

function toSteps(api: CompatApi, own: Route, handle: Handler, steps: Deps['steps']): Steps {
  const isKeyInBody = ({ headers, method }: FastifyRequest) =>
    api.takesForms && method === 'POST' && headers.authorization === undefined
  return {
    /** Only the key of the API counts: no session, and no bearer that the API does not know. */
    sameSite: async (request) => {
      const key = await api.findKey(toAsked(request))
      delete request.raw.headers.cookie
      delete request.raw.headers.authorization
      if (key !== null || !isKeyInBody(request)) setKey(request, key)
    },
    identify: (request, reply) =>
      steps.identify!(request, reply, isKeyInBody(request) ? { ...own, requires: PUBLIC } : own),
    handle: async (request, reply) => {
      if (isKeyInBody(request)) {
        setKey(request, await api.findKey(toAsked(request)))
        await steps.identify!(request, reply, own)
      }
      const answer = await handle({
        ...toAsked(request),
        origin: request.caller!.origin,
        keyId: request.caller!.principal?.actor.id ?? null,
        call: createCall(request.server, request, api.name),
      })
      return isClientGone(reply) ? reply.code(499).hijack() : send(reply, answer)
    },
  }
}

/** Without a key it is refused, and counted, as a request with a wrong one. */
function setKey(request: FastifyRequest, key: string | null): void {
  request.raw.headers.authorization = `Bearer ${key ?? ''}`
}

function toAsked({ query, body, params, headers }: FastifyRequest): Asked {
  return { query: query as Asked['query'], body, params: params as Asked['params'], headers }
}

function send(reply: FastifyReply, { status = 200, type, body }: Answered) {
  const isSent = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined
  return reply
    .code(status)
    .type(type ?? 'application/json; charset=utf-8')
    .serializer((content: string) => content)
    .send(isSent ? body : JSON.stringify(body))
}
