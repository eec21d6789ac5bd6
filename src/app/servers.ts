import type { RequestListener } from 'node:http'
import { OperatorError } from '../base/errors.ts'
import { openHttpServer, requireFreePort } from '../base/http-server.ts'
import type { PassedSockets } from '../base/passed-sockets.ts'
import type { Config } from '../config/config.ts'
import { createShortHost, type ShortHost } from '../services/links/short-host.ts'
import { openHttps, type HttpsDeps } from './certificates.ts'
import { partsOf } from './roles.ts'

export type ServerAddress = {
  /** Under which users reach the installation: PUBLIC_URL, or loopback. */
  origin: string
  /** At which this process answers: that of the services is not PUBLIC_URL, which leads to the gateway. */
  ownOrigin: string
  shortHost: ShortHost
}

type Deps = HttpsDeps & {
  sockets: PassedSockets
  /** Set as soon as the port is bound. */
  address: ServerAddress
}

/** The servers of this process for requests: http, and https in an edge with HTTPS_PORT. */
export async function openServers(deps: Deps) {
  const { config, clock, listener, sockets } = deps
  await using opening = new AsyncDisposableStack()
  const http = opening.use(
    await openHttpServer((port) => bindAddress(deps, port, listener), {
      host: config.host,
      port: config.port,
      clock,
      sockets: sockets.http,
    }),
  )
  const https = servesHttps(config) ? opening.use(await openHttps(deps, sockets.https)) : null
  const servers = https === null ? [http] : [http, https]
  opening.move()
  return {
    renewals: https?.renewals ?? null,
    /** Descriptors of the listening sockets. */
    sockets: { http: http.descriptors, https: https?.descriptors ?? [] },
    endWithAnswers: () => servers.forEach((server) => server.endWithAnswers()),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
    },
  }
}

/**
 * Refuses, before the databases start, ports that are taken and sockets that no server would take.
 * @throws OperatorError in both cases
 */
export async function requirePorts(config: Config, sockets: PassedSockets): Promise<void> {
  const { host, port, httpsPort } = config
  if (sockets.https.length > 0 && !servesHttps(config))
    throw new OperatorError(
      'systemd passes a socket named https, and this process serves none: set HTTPS_PORT or disable its unit.',
    )
  if (sockets.http.length === 0) await requireFreePort(host, port)
  if (servesHttps(config) && sockets.https.length === 0)
    await requireFreePort(host, httpsPort!, 'HTTPS_PORT')
}

function servesHttps({ role, httpsPort }: Config): boolean {
  return httpsPort !== null && partsOf(role).edge
}

function bindAddress(
  { config, address }: Pick<Deps, 'config' | 'address'>,
  port: number,
  listener: RequestListener,
): RequestListener {
  const local = `http://${loopbackName(config.host)}:${port}`
  address.origin ||= local
  address.ownOrigin = partsOf(config.role).api === 'behind' ? local : address.origin
  address.shortHost = createShortHost({ ...config, origin: address.origin, port })
  return listener
}

/** A browser cannot open a wildcard address. */
function loopbackName(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
