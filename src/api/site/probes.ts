import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { ApiError } from '../../platform/core/errors.ts'
import { addReady, type ReadyDeps } from '../../platform/processes/readiness.ts'
import { hasToken, isFromThisMachine, isLoopbackUrl } from '../../platform/core/this-machine.ts'

type Deps = {
  registry: Pick<Registry, 'contentType' | 'metrics'>
  version: string
  metricsToken: string | null
  /** PUBLIC_URL; null accepts any host. */
  publicUrl: string | null
  readiness: ReadyDeps
}

/**
 * `/health`: the process runs. `/ready`: it can do its work. `/metrics`: the processes of this machine, for
 * the operator.
 */
export function addProbes(app: FastifyInstance, deps: Deps): void {
  app.get('/health', async (request) => ({
    data: { status: 'ok', version: deps.version },
    meta: { requestId: request.id },
  }))

  addReady(app, deps.readiness)

  // Behind a proxy on this machine every visitor is a loopback peer, so a public server requires the token.
  const isPublic = deps.publicUrl !== null && !isLoopbackUrl(deps.publicUrl)
  app.get('/metrics', async (request, reply) => {
    if ((isPublic || !isFromThisMachine(request.raw)) && !hasToken(request.raw, deps.metricsToken))
      throw new ApiError(
        'FORBIDDEN',
        'Reading metrics from here needs the METRICS_TOKEN of this server.',
      )
    return reply.type(deps.registry.contentType).send(await deps.registry.metrics())
  })
}
