import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Clock } from '../platform/core/clock.ts'
import { refuseRequest } from '../platform/http/http-server.ts'
import { assignRequestId } from '../platform/http/request-id.ts'
import type { Config } from '../platform/config/config.ts'
import { configuredOrigins } from '../platform/facts/short-urls.ts'
import { createHosts } from './hosts/hosts.ts'
import { hasTwoHosts } from './visits/request.ts'
import type { Stores } from '../platform/storage/stores.ts'
import { createToHttps } from './hosts/https-redirect.ts'
import { ownerOf, partsOf } from '../platform/config/roles.ts'

type Deps = Pick<Stores, 'preparation'> & { clock: Clock }

/** Requests to a server process, from redirect processes or from its own clients. */
export function createDispatch(
  config: Config,
  handle: RequestListener,
  { clock, preparation }: Deps,
): RequestListener {
  const { role } = config
  const { api } = partsOf(role)
  const hosts = createHosts(configuredOrigins(config), clock)
  const toHttps = createToHttps(config)
  return (req, res) => {
    const owner = ownerOf(role, req.url ?? '')
    // The tables may be those of an earlier version.
    if (!preparation.isReady && owner !== 'probes')
      return refuseRequest(req, res, clock(), 'UNAVAILABLE')
    // Only the gateway calls services, at their own address.
    if (api === 'behind') return handle(req, res)
    if (owner === 'api' && hosts.find(req.headers.host?.toLowerCase() ?? '') === null)
      return refuseRequest(req, res, clock(), 'NOT_FOUND')
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
