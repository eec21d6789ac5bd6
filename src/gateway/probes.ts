import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { ApiError } from '../base/errors.ts'

type Deps = {
  registry: Registry
  version: string
  metricsToken: string | null
  /** PUBLIC_URL; null when any host is ours. */
  publicUrl: string | null
  /** What the process needs to be useful, each resolving when it answers. */
  checks: Record<string, () => Promise<unknown>>
}

const CHECK_TIMEOUT_MS = 2_000
/** A check that never ends no longer stands in for new ones after this. */
const CHECK_FORGOTTEN_MS = 60_000
const LOOPBACK_PEER = /^(::1$|127\.|::ffff:127\.)/
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
/** What proxies add to a request, in order of how often they do. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-original-forwarded-for',
  'x-original-host',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'forwarded',
  'via',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-envoy-external-address',
  'x-amzn-trace-id',
]

/** `/health`: the process lives. `/ready`: its databases answer. `/metrics`: its numbers, not for strangers. */
export function addProbes(app: FastifyInstance, deps: Deps): void {
  app.get('/health', async (request) => ({
    data: { status: 'ok', version: deps.version },
    meta: { requestId: request.id },
  }))

  const checks = Object.fromEntries(
    Object.entries(deps.checks).map(([name, check]) => [name, sharing(check)]),
  )

  app.get('/ready', async (request, reply) => {
    const names = Object.keys(checks)
    const results = await Promise.allSettled(
      names.map((name) => withTimeout(checks[name]!(), CHECK_TIMEOUT_MS)),
    )
    const isReady = results.every((result) => result.status === 'fulfilled')
    const states = Object.fromEntries(
      names.map((name, i) => [name, results[i]!.status === 'fulfilled' ? 'ok' : 'failing']),
    )
    return reply.code(isReady ? 200 : 503).send({
      data: { status: isReady ? 'ready' : 'not_ready', checks: states },
      meta: { requestId: request.id },
    })
  })

  const isPublic = deps.publicUrl !== null && !isLoopbackUrl(deps.publicUrl)
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, deps.metricsToken, isPublic))
      throw new ApiError('FORBIDDEN', 'Metrics need the METRICS_TOKEN of this server.')
    return reply.type(deps.registry.contentType).send(await deps.registry.metrics())
  })
}

function isLoopbackUrl(url: string): boolean {
  return LOOPBACK_HOST.test(new URL(url).host)
}

/** Behind a proxy on this machine each visitor is a loopback peer, so a public server asks for the token. */
function mayReadMetrics(request: FastifyRequest, token: string | null, isPublic: boolean): boolean {
  if (!isPublic && isFromThisMachine(request)) return true
  const { authorization } = request.headers
  if (token === null || authorization === undefined) return false
  const expected = Buffer.from(`Bearer ${token}`)
  const given = Buffer.from(authorization)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * A proxy on this machine, and a page in a browser on it, make any stranger a loopback peer. So the
 * request must look like one that was made here: asked of a loopback name (no DNS rebinding, no
 * proxy that passes the Host on), with no trace of a proxy (nginx speaks HTTP/1.0 to what is behind
 * it unless told otherwise) and of no other page.
 */
function isFromThisMachine({ raw, headers, socket }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return (
    LOOPBACK_PEER.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    raw.httpVersion !== '1.0' &&
    headers.origin === undefined &&
    (site === undefined || site === 'none' || site === 'same-origin') &&
    PROXY_HEADERS.every((name) => headers[name] === undefined)
  )
}

/** All who ask while an answer is under way get that one, so that a database that hangs is asked once. */
function sharing(check: () => Promise<unknown>): () => Promise<unknown> {
  let underWay: Promise<unknown> | null = null
  return () => {
    if (underWay) return underWay
    const asked = (underWay = check())
    const done = () => {
      clearTimeout(timer)
      if (underWay === asked) underWay = null
    }
    const timer = setTimeout(done, CHECK_FORGOTTEN_MS).unref()
    asked.then(done, done)
    return asked
  }
}

function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), timeoutMs)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
