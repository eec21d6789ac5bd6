import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../api/answers/errors.ts'
import { isClientGone } from '../api/answers/reply.ts'
import { toBodyOptions } from '../api/requests/bodies.ts'
import { BodyBudget } from '../api/requests/bounds.ts'
import { addRoute, type Steps } from '../api/requests/pipeline.ts'
import { readMultipartForms } from '../api/requests/uploads.ts'
import type { Config } from '../platform/config/config.ts'
import { ApiError } from '../platform/core/errors.ts'
import { route, type Route } from '../platform/routes/route.ts'
import type { Answered, Asked, CompatApi, Row } from './api.ts'
import { createCall } from './call.ts'
import { dub } from './dub/dub.ts'
import { kutt } from './kutt/kutt.ts'
import { shlink } from './shlink/shlink.ts'
import { createYourls, type YourlsDeps } from './yourls/yourls.ts'

type Deps = YourlsDeps & {
  apis: Config['compat']
  /** Those of a gateway. */
  steps: Omit<Steps, 'handle'>
}

type Address = Parameters<typeof route>[0]

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

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
      for (const [address, row] of listRows(api))
        addRow(scope, api, toRoute(api, address, row), { row, steps, budget })
    })
}

function listRows({ rows, unknownBelow }: CompatApi): [Address, Row][] {
  const unknown: Row = {
    handle: () => {
      throw new ApiError('NOT_FOUND', 'This API has no such path.')
    },
  }
  return [
    ...(Object.entries(rows) as [Address, Row][]),
    ...(unknownBelow === undefined
      ? []
      : METHODS.map((method): [Address, Row] => [`${method} ${unknownBelow}/*`, unknown])),
  ]
}

function toRoute({ name, takesForms }: CompatApi, address: Address, row: Row): Route {
  return route(address, {
    requires: row.isPublic ? { credential: 'none' } : { credential: 'any', role: 'viewer' },
    name: 'answerAs',
    summary: `Answer as ${name} does`,
    description: 'It is no operation of the API.',
    tag: 'Compatible APIs',
    ...(takesForms && { accepts: 'form' as const }),
    ...(row.limits && { limits: row.limits }),
    shapes: {},
    handle: async () => ({ data: undefined }),
  })
}

type Adding = { row: Row; budget: BodyBudget } & Pick<Deps, 'steps'>

function addRow(
  app: FastifyInstance,
  api: CompatApi,
  own: Route,
  { row, steps, budget }: Adding,
): void {
  const isKeyInBody = ({ headers, method }: FastifyRequest) =>
    api.takesForms && method === 'POST' && headers.authorization === undefined
  addRoute(
    app,
    own,
    {
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
        const answer = await row.handle({
          ...toAsked(request),
          origin: request.caller!.origin,
          keyId: request.caller!.principal?.actor.id ?? null,
          call: createCall(app, request, api.name),
        })
        return isClientGone(reply) ? reply.code(499).hijack() : send(reply, answer)
      },
    },
    toBodyOptions(own, undefined, budget),
  )
}

const PUBLIC = { credential: 'none' } as const

/** Without a key it is refused, and counted, as a request with a wrong one. */
function setKey(request: FastifyRequest, key: string | null): void {
  request.raw.headers.authorization = `Bearer ${key ?? ''}`
}

function toAsked({ query, body, params, headers }: FastifyRequest): Asked {
  return { query: query as Asked['query'], body, params: params as Asked['params'], headers }
}

function send(reply: FastifyReply, { status = 200, type, headers = {}, body }: Answered) {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  return reply
    .code(status)
    .headers(headers)
    .type(type ?? 'application/json; charset=utf-8')
    .serializer((content: string) => content)
    .send(Buffer.isBuffer(body) ? body : text)
}
