import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../base/errors.ts'

const ORDER = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Which methods each path takes, learned from the routes as they are added. */
type PathBook = {
  /** Empty for a path that no route has. */
  methodsOf(path: string): string[]
}

/** Has to be called before any route is added. */
export function keepPathBook(app: FastifyInstance): PathBook {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`)
    const entry = paths.get(url) ?? { pattern, methods: new Set() }
    for (const each of [method].flat()) entry.methods.add(each)
    paths.set(url, entry)
  })
  return {
    methodsOf: (path) => {
      const found = [...paths.values()].filter(({ pattern }) => pattern.test(path))
      return ORDER.filter((method) => found.some(({ methods }) => methods.has(method)))
    },
  }
}

/**
 * Answers what no route takes, before a body is read: a preflight, a 405 that lists what the path
 * takes, or a 404.
 * @throws ApiError METHOD_NOT_ALLOWED, NOT_FOUND
 */
export function answerUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  book: PathBook,
): FastifyReply {
  const methods = book.methodsOf(request.url.split('?')[0]!)
  if (methods.length === 0) throw new ApiError('NOT_FOUND', 'There is no such path.')
  reply.header('allow', [...methods, 'OPTIONS'].join(', '))
  if (request.method !== 'OPTIONS') throw new ApiError('METHOD_NOT_ALLOWED')
  return reply.code(204).send()
}
