import type { RequestListener, IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../platform/core/clock.ts'
import type { Forwarding } from '../platform/http/forwarded-requests.ts'
import { refuseRequest } from '../platform/http/http-server.ts'
import type { Config } from '../platform/config/config.ts'
import type { PlainHandler } from '../platform/http/plain-connection.ts'
import type { Edge } from './edge.ts'
import { Hosts } from './hosts/hosts.ts'
import { hasTwoHosts } from './visits/visit.ts'
import { MEDIA_PATH } from './public-media.ts'
import type { LinkChangeReceiver } from './links/link-announcements.ts'
import type { RedirectProbes } from './probes.ts'
import { ownerOf, partsOf } from '../platform/config/roles.ts'
import { configuredOrigins } from '../platform/facts/short-url.ts'
import { assignRequestId } from '../platform/http/request.ts'
import type { Stores } from '../platform/storage/stores.ts'
import { createToHttps } from './hosts/https.ts'

type Deps = {
  edge: Pick<Edge, 'handle'>
  hosts: Pick<Hosts, 'find'>
  forwarding: Pick<Forwarding, 'forward'>
  changes: Pick<LinkChangeReceiver, 'isConnected' | 'connect'>
  probes: Pick<RedirectProbes, 'find'>
  clock: Clock
}

const TWO_HOSTS = 'There are two Host headers.'
const RETRY_AFTER = { 'retry-after': '1' }

/**
 * Dispatches requests in a redirect process. On a branded domain every path belongs to its links; on the
 * shared host some belong to the API, which is in the server process.
 */
export function createRedirectDispatch(
  { role }: Pick<Config, 'role'>,
  { edge, hosts, forwarding, changes, probes, clock }: Deps,
): RequestListener {
  return (req, res) => {
    const owner = ownerOf(role, req.url!)
    if (owner === 'edge') return edge.handle(req, res)
    const site = hosts.find(req.headers.host?.toLowerCase() ?? '')
    const isBranded = site !== null && site.domainId !== ''
    if (isBranded || (site === null && owner !== 'probes')) return edge.handle(req, res)
    if (hasTwoHosts(req)) return refuseRequest(req, res, clock(), 'VALIDATION_ERROR', TWO_HOSTS)
    const probe = owner === 'probes' ? probes.find(req) : null
    if (probe !== null) return probe(req, res)
    if (changes.isConnected) return forwarding.forward(req, res)
    void changes.connect().then((isConnected) => {
      if (isConnected) forwarding.forward(req, res)
      else refuseRequest(req, res, clock(), 'UNAVAILABLE', undefined, RETRY_AFTER)
    })
  }
}

/** Answers visits without node:http, except of images, which are streamed. */
export function createPlainDispatch(
  { role }: Pick<Config, 'role'>,
  { edge, hosts }: Pick<Deps, 'edge' | 'hosts'>,
): PlainHandler {
  return (req, res) => {
    if (req.url!.startsWith(MEDIA_PATH)) return false
    if (ownerOf(role, req.url!) !== 'edge') {
      const site = hosts.find(req.headers.host!.toLowerCase())
      if (site === null || site.domainId === '') return false
    }
    edge.handle(req, res)
    return true
  }
}

type ServerDeps = Pick<Stores, 'preparation'> & { clock: Clock }

/** Dispatches requests in a server process, from redirect processes or its own clients. */
export function createDispatch(
  config: Config,
  handle: RequestListener,
  { clock, preparation }: ServerDeps,
): RequestListener {
  const { role } = config
  const { api } = partsOf(role)
  const hosts = new Hosts(configuredOrigins(config), clock)
  const toHttps = createToHttps(config)
  return (req, res) => {
    const owner = ownerOf(role, req.url ?? '')
    // The tables may still have an earlier version's schema.
    if (!preparation.isReady && owner !== 'probes')
      return refuseRequest(req, res, clock(), 'UNAVAILABLE')
    // Only the gateway calls services, at their own address.
    if (api === 'behind') return handle(req, res)
    if (owner === 'api' && hosts.find(req.headers.host?.toLowerCase() ?? '') === null)
      return refuseRequest(req, res, clock(), 'NOT_FOUND')
    if (hasTwoHosts(req)) return refuseRequest(req, res, clock(), 'VALIDATION_ERROR', TWO_HOSTS)
    const secure = owner === 'api' ? toHttps(req) : null
    if (secure !== null) return redirect(req, res, secure, clock())
    return handle(req, res)
  }
}

function redirect(req: IncomingMessage, res: ServerResponse, location: string, nowMs: number) {
  const headers = { location, 'x-request-id': assignRequestId(req, nowMs), 'content-length': 0 }
  res.writeHead(308, headers).end()
}
