import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { ApiError } from '../base/errors.ts'
import { addReady, type ReadyDeps } from './ready.ts'
import { isFromThisMachine, isLoopbackUrl } from './this-machine.ts'

type Deps = {
  registry: Pick<Registry, 'contentType' | 'metrics'>
  version: string
  metricsToken: string | null
  /** PUBLIC_URL; null accepts any host. */
  publicUrl: string | null
  readiness: ReadyDeps
  /** Whether a host name is that of a domain that this process serves; null in a process without an edge. */
  servesDomain: ((name: string) => boolean) | null
}

/**
 * `/health`: the process runs. `/ready`: it can do its work. `/metrics`: its metrics, for the operator.
 * `/internal/tls-ask`: whether a proxy may order a certificate for a name.
 */
export function addProbes(app: FastifyInstance, deps: Deps): void {
  app.get('/health', async (request) => ({
    data: { status: 'ok', version: deps.version },
    meta: { requestId: request.id },
  }))

  addReady(app, deps.readiness)

  // Behind a proxy on this machine each visitor is a loopback peer, so a public server requires the token.
  const isPublic = deps.publicUrl !== null && !isLoopbackUrl(deps.publicUrl)
  app.get('/metrics', async (request, reply) => {
    if ((isPublic || !isFromThisMachine(request)) && !hasToken(request, deps.metricsToken))
      throw new ApiError(
        'FORBIDDEN',
        'Reading metrics from here needs the METRICS_TOKEN of this server.',
      )
    return reply.type(deps.registry.contentType).send(await deps.registry.metrics())
  })

  if (deps.servesDomain !== null)
    addTlsAsk(app, { servesDomain: deps.servesDomain, metricsToken: deps.metricsToken })
}

/**
 * The question of a proxy that orders certificates on demand (`ask` of Caddy): 200 for a served domain, else 404.
 * It is answered from memory, because visitors choose the names. A public server answers this machine too: a request
 * with such a name as its Host would tell a visitor the same.
 */
function addTlsAsk(
  app: FastifyInstance,
  deps: { servesDomain: (name: string) => boolean; metricsToken: string | null },
): void {
  app.get<{ Querystring: { domain?: string | string[] } }>('/internal/tls-ask', async (request) => {
    if (!isFromThisMachine(request) && !hasToken(request, deps.metricsToken))
      throw new ApiError(
        'FORBIDDEN',
        'This question needs the METRICS_TOKEN of this server, or a client on its machine.',
      )
    const { domain } = request.query
    if (typeof domain !== 'string' || !deps.servesDomain(domain.toLowerCase()))
      throw new ApiError('NOT_FOUND', 'This server has no verified domain of this name.')
    return { data: { domain: domain.toLowerCase() }, meta: { requestId: request.id } }
  })
}

/** Whether the request has the token as a bearer token, or as a password for programs that only take a URL. */
function hasToken(request: FastifyRequest, token: string | null): boolean {
  const { authorization } = request.headers
  if (token === null || authorization === undefined) return false
  const [, scheme = '', credential = ''] = /^(Bearer|Basic) (.+)$/i.exec(authorization) ?? []
  const password = Buffer.from(credential, 'base64')
    .toString()
    .replace(/^[^:]*:/, '')
  const given = Buffer.from(scheme.toLowerCase() === 'basic' ? password : credential)
  const expected = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
