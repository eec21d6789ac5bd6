import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { refuseRequest } from '../base/http-server.ts'
import { assignRequestId } from '../base/request-id.ts'
import type { Config } from '../config/config.ts'
import type { Edge } from '../edge/edge.ts'
import type { Hosts } from '../edge/hosts.ts'
import { hasTwoHosts } from '../edge/request.ts'
import type { Stores } from '../storage/stores.ts'
import { createToHttps } from './https-redirect.ts'
import { ownerOf, partsOf } from './roles.ts'

type Deps = Pick<Stores, 'preparation'> & { hosts: Hosts; clock: Clock }

/**
 * One server for the rooms of this process: each request goes to the API or to the edge. On a domain, every path
 * belongs to its links; on the shared host, some belong to the API.
 */
export function createDispatch(
  config: Config,
  handle: RequestListener,
  edge: Edge | null,
  { hosts, clock, preparation }: Deps,
): RequestListener {
  const { role } = config
  const { api } = partsOf(role)
  const toHttps = createToHttps(config)
  return (req, res) => {
    const owner = ownerOf(role, req.url ?? '')
    // The tables may be those of an earlier version.
    if (!preparation.isReady && owner !== 'probes' && (owner === 'api' || edge === null))
      return refuseRequest(req, res, clock(), 'UNAVAILABLE')
    // Only the gateway calls services, at their own address.
    if (api === 'behind') return handle(req, res)
    const isOurs = !isForEdge(role, hosts, req)
    if (!isOurs && edge) return edge.handle(req, res)
    if (!isOurs && owner === 'api') return refuseRequest(req, res, clock(), 'NOT_FOUND')
    // The edge answers this with a page.
    if (hasTwoHosts(req))
      return refuseRequest(req, res, clock(), 'VALIDATION_ERROR', 'There are two Host headers.')
    const secure = owner === 'api' ? toHttps(req) : null
    if (secure !== null) return redirect(req, res, secure, clock())
    return handle(req, res)
  }
}

/** With the same method and body. */
function redirect(req: IncomingMessage, res: ServerResponse, location: string, nowMs: number) {
  const headers = { location, 'x-request-id': assignRequestId(req, nowMs), 'content-length': 0 }
  res.writeHead(308, headers).end()
}

/**
 * The server of a process that answers redirects alone. What a process counts for all (passwords of links) or has
 * alone (the API, probes) is forwarded to the process that has it.
 */
export function createEdgeDispatch(
  { role }: Config,
  forward: RequestListener,
  edge: Edge,
  hosts: Hosts,
): RequestListener {
  return (req, res) => {
    const { method, headers } = req
    // Passwords are in forms and in this header.
    const isRead = (method === 'GET' || method === 'HEAD') && headers.authorization === undefined
    if (isRead && isForEdge(role, hosts, req)) edge.handle(req, res)
    else forward(req, res)
  }
}

function isForEdge(role: Config['role'], hosts: Hosts, req: IncomingMessage): boolean {
  const owner = ownerOf(role, req.url ?? '')
  if (owner === 'edge') return true
  const site = hosts.find(req.headers.host?.toLowerCase() ?? '')
  const isBranded = site !== null && site.domainId !== ''
  return isBranded || (owner !== 'probes' && (owner !== 'api' || site === null))
}
