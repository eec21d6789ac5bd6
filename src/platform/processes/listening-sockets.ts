import { lookup } from 'node:dns/promises'
import { BoundSocket } from 'node:net'
import { OperatorError } from '../core/errors.ts'
import { explainListening, isLoopbackDefault, type PassedSockets } from '../http/listening.ts'
import type { Config } from '../config/config.ts'
import { partsOf } from '../config/roles.ts'

const LOOPBACK = '127.0.0.1'

/**
 * This process only holds the sockets: its children accept, and connections wait while none of them runs.
 * @throws OperatorError for ports in use, and for sockets that no process would use
 */
export async function openListeningSockets(config: Config, passed: PassedSockets) {
  const { host, port, httpsPort } = config
  const servesHttps = httpsPort !== null && partsOf(config.role).edge
  if (servesHttps && !config.acmeAgreeTos)
    throw new OperatorError(
      'HTTPS_PORT orders certificates: read the terms of the certificate authority and set ACME_AGREE_TOS=true.',
    )
  if (servesHttps && httpsPort === port) throw new OperatorError('HTTPS_PORT and PORT must differ.')
  if (passed.https.length > 0 && !servesHttps)
    throw new OperatorError(
      'systemd passes a socket named https, and this process serves none: set HTTPS_PORT or disable its unit.',
    )
  await using opening = new AsyncDisposableStack()
  const bind = async (at: number, setting: string) => {
    const bound = await bindAll(host, at, setting)
    opening.defer(() => bound.forEach((socket) => socket.close()))
    return bound
  }
  const http = passed.http.length > 0 ? [] : await bind(port, 'PORT')
  const https = !servesHttps || passed.https.length > 0 ? [] : await bind(httpsPort, 'HTTPS_PORT')
  const opened = opening.move()
  return {
    port: http.length > 0 ? portOf(http[0]!) : port,
    sockets: {
      http: [...passed.http, ...http.map((socket) => socket.fd())],
      https: [...passed.https, ...https.map((socket) => socket.fd())],
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function bindAll(host: string, port: number, setting: string): Promise<BoundSocket[]> {
  const first = await bindOne(host, port, setting)
  if (!isLoopbackDefault(host)) return [first]
  try {
    return [first, await bindOne('::1', portOf(first), setting)]
  } catch (error) {
    // The machine may have no ::1; but a port that the operator chose must be free there.
    const isTaken = error instanceof OperatorError && error.cause === 'EADDRINUSE'
    if (!isTaken || port === 0) return [first]
    first.close()
    throw error
  }
}

async function bindOne(host: string, port: number, setting: string): Promise<BoundSocket> {
  try {
    const address = host === 'localhost' ? LOOPBACK : (await lookup(host)).address
    return new BoundSocket({ host: address, port })
  } catch (error) {
    throw explainListening(error as NodeJS.ErrnoException, { host, port, setting })
  }
}

function portOf(socket: BoundSocket): number {
  return (socket.address() as { port: number }).port
}
