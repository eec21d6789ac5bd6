import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import {
  createChecks,
  type Checks,
  needsOf,
  judgeRoles,
  type CheckStates,
} from '../platform/processes/readiness.ts'
import type { Clock } from '../platform/core/clock.ts'
import { errorBody, ERRORS, type ErrorCode } from '../platform/core/errors.ts'
import type { Forwarding } from '../platform/http/forwarded-requests.ts'
import { assignRequestId, hasToken, isFromThisMachine } from '../platform/http/request.ts'
import { readVersion } from '../platform/config/checkout.ts'
import type { Config } from '../platform/config/config.ts'
import type { Hosts } from './hosts/hosts.ts'
import type { Snapshot } from './links/snapshot.ts'
import type { Journal } from '../clicks/journal/writer.ts'
import type { Stores } from '../platform/storage/stores.ts'
import { registerChecks } from '../platform/processes/metrics.ts'

type Deps = {
  config: Pick<Config, 'role' | 'metricsToken'>
  registry: Registry
  hosts: Pick<Hosts, 'servesDomain'>
  journal: Pick<Journal, 'requireWritable'>
  snapshot: Pick<Snapshot, 'isEmpty'> | null
  stores: Pick<Stores, 'preparation'>
  forwarding: Pick<Forwarding, 'request'>
  checks: Checks
  clock: Clock
}

export type RedirectProbes = ReturnType<typeof createRedirectProbes>

type Answer = { status: number; body: object }

/**
 * `/health`, `/ready` and `/internal/tls-ask` of a redirect process, answered without the server process.
 * `/ready` has the checks of both, and is 200 while visits can be answered.
 */
export function createRedirectProbes(deps: Deps) {
  const { role } = deps.config
  let isStopping = false
  const readStates = createStates(deps)
  const answers: Record<string, (req: IncomingMessage) => Answer | Promise<Answer>> = {
    '/health': () => ({ status: 200, body: { data: { status: 'ok', version: readVersion() } } }),
    '/ready': async () => {
      const checks = await readStates()
      const roles = judgeRoles(needsOf(role), checks)
      const status = isStopping ? 'stopping' : roles['edge']!
      return { status: status === 'ready' ? 200 : 503, body: { data: { status, roles, checks } } }
    },
    '/internal/tls-ask': (req) => answerTlsAsk(req, deps),
  }
  return {
    /** @returns null for a request that the server process answers */
    find(req: IncomingMessage): RequestListener | null {
      if (req.method !== 'GET' && req.method !== 'HEAD') return null
      const [path = ''] = req.url!.split('?', 1)
      const answer = Object.hasOwn(answers, path) ? answers[path]! : null
      if (answer === null) return null
      return (_req, res) => {
        const answered = Promise.resolve(answer(req))
        answered.then((given) => send(req, res, given, deps.clock())).catch(() => res.destroy())
      }
    },
    /** From now on a load balancer should send no visitors. */
    stop: () => void (isStopping = true),
  }
}

/** This process's checks, and the server process's while it answers. */
function createStates(deps: Deps) {
  let ofServer: CheckStates = {}
  const readOwn = createChecks({
    ...deps.checks,
    ...visitChecks(deps),
    server: async () => {
      ofServer = {}
      const { body } = await deps.forwarding.request({ method: 'GET', path: '/ready' })
      ofServer = ((await body.json()) as { data: { checks: CheckStates } }).data.checks
    },
  })
  registerChecks(deps.registry, readOwn)
  return async (): Promise<CheckStates> => {
    const own = await readOwn()
    return { ...ofServer, ...own }
  }
}

/**
 * For a proxy that orders certificates on demand (`ask` of Caddy): 200 for a served domain, else 404.
 * Answered from memory, because visitors choose the names. Also answers this machine: a request with such a
 * name as its Host would tell a visitor the same.
 */
function answerTlsAsk(
  req: IncomingMessage,
  { config, hosts, clock }: Pick<Deps, 'config' | 'hosts' | 'clock'>,
): Answer {
  const refuse = (code: ErrorCode, message: string): Answer => ({
    status: ERRORS[code][0],
    body: errorBody(assignRequestId(req, clock()), code, message),
  })
  if (!isFromThisMachine(req) && !hasToken(req, config.metricsToken))
    return refuse(
      'FORBIDDEN',
      'Only programs on the machine of this server may ask this, or clients that send its METRICS_TOKEN.',
    )
  const [domain, ...more] = new URL(req.url!, 'http://localhost').searchParams.getAll('domain')
  if (domain === undefined || more.length > 0 || !hosts.servesDomain(domain.toLowerCase()))
    return refuse('NOT_FOUND', 'This server has no verified domain of this name.')
  return { status: 200, body: { data: { domain: domain.toLowerCase() } } }
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, body }: Answer,
  nowMs: number,
): void {
  const requestId = assignRequestId(req, nowMs)
  const text = JSON.stringify({ meta: { requestId }, ...body })
  res
    .writeHead(status, {
      'x-request-id': requestId,
      'signpost-version': readVersion(),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    .end(text)
}

/** A redirect process without links in memory is useless without PostgreSQL. */
function visitChecks({
  journal,
  stores,
  snapshot,
}: Pick<Deps, 'journal' | 'stores' | 'snapshot'>): Checks {
  return {
    journal: async () => journal.requireWritable(),
    links: async () => {
      if (!stores.preparation.isReady && (snapshot === null || snapshot.isEmpty()))
        throw new Error('PostgreSQL is unavailable, and there is no snapshot of links')
    },
  }
}
