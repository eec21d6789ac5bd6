import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/core/errors.ts'

const ORDER = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Must be called before any route is added. */
export function createRouteIndex(app: FastifyInstance) {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`,
    )
    const entry = paths.get(url) ?? { pattern, methods: new Set() }
    for (const name of [method].flat()) entry.methods.add(name)
    paths.set(url, entry)
  })
  return {
    /** The methods of a path; empty without a route. */
    listMethods: (path: string): string[] => {
      const found = [...paths.values()].filter(({ pattern }) => pattern.test(path))
      return ORDER.filter((method) => found.some(({ methods }) => methods.has(method)))
    },
  }
}

/**
 * Answers a request without a route before its body is read.
 * @throws ApiError METHOD_NOT_ALLOWED, NOT_FOUND
 */
export function answerUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  index: ReturnType<typeof createRouteIndex>,
): FastifyReply {
  const methods = index.listMethods(request.url.split('?')[0]!)
  if (methods.length === 0) throw new ApiError('NOT_FOUND', 'No route has this path.')
  reply.header('allow', [...methods, 'OPTIONS'].join(', '))
  if (request.method !== 'OPTIONS') throw new ApiError('METHOD_NOT_ALLOWED')
  return reply.code(204).send()
}
