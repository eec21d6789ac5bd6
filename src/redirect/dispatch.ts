import type { RequestListener } from 'node:http'
import type { Clock } from '../platform/core/clock.ts'
import type { Forwarding } from '../platform/http/forwarded-requests.ts'
import { refuseRequest } from '../platform/http/http-server.ts'
import type { Config } from '../platform/config/config.ts'
import type { Edge } from './edge.ts'
import type { Hosts } from './hosts/hosts.ts'
import { hasTwoHosts } from './visits/request.ts'
import type { LinkChangeReceiver } from './links/link-announcements.ts'
import type { RedirectProbes } from './probes.ts'
import { ownerOf } from '../platform/config/roles.ts'

type Deps = {
  edge: Pick<Edge, 'handle'>
  hosts: Pick<Hosts, 'find'>
  forwarding: Pick<Forwarding, 'forward'>
  changes: Pick<LinkChangeReceiver, 'isConnected' | 'connect'>
  probes: Pick<RedirectProbes, 'find'>
  clock: Clock
}

const RETRY_AFTER = { 'retry-after': '1' }

/**
 * The requests of a redirect process. On a domain, every path belongs to its links; on the shared host, some belong to
 * the API, which is in the server process.
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
    // The edge answers this with a page.
    if (hasTwoHosts(req))
      return refuseRequest(req, res, clock(), 'VALIDATION_ERROR', 'There are two Host headers.')
    const probe = owner === 'probes' ? probes.find(req) : null
    if (probe !== null) return probe(req, res)
    if (changes.isConnected) return forwarding.forward(req, res)
    void changes.connect().then((isConnected) => {
      if (isConnected) forwarding.forward(req, res)
      else refuseRequest(req, res, clock(), 'UNAVAILABLE', undefined, RETRY_AFTER)
    })
  }
}
