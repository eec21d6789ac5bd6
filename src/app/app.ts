import { collectDefaultMetrics, Registry } from 'prom-client'
import { systemClock, type Clock } from '../platform/core/clock.ts'
import type { Log } from '../platform/core/log.ts'
import { NO_SOCKETS } from '../platform/http/listening.ts'
import type { Route } from '../platform/routes/route.ts'
import { aborted, sleep } from '../platform/core/service.ts'
import type { Config } from '../platform/config/config.ts'
import type { Bootstrap } from '../operator/workspaces/bootstrap.ts'
import { openMissingEngines } from '../platform/storage/embedded/engines.ts'
import { createAddress, type ServerAddress } from './services.ts'
import { holdInstallation } from './installation.ts'
import { openRedirect } from './redirect.ts'
import { partsOf } from '../platform/config/roles.ts'
import { openServer } from './server.ts'
import { openServerSockets } from '../platform/processes/process-messages.ts'

export type App = {
  /** PUBLIC_URL, or loopback with the port. */
  readonly origin: string
  readonly bootstrap: Bootstrap
  readonly routes: readonly Route[]
  /** Until the signal; then closes requests, journal and shipper, in this order. */
  run(signal: AbortSignal): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Context = {
  log: Log
  clock?: Clock
  stop?: AbortSignal
  checkout?: string
}

/** All parts in one process, for the demo and for tests. `npm start` runs a process for each (supervisor.ts). */
export async function openApp(config: Config, context: Context): Promise<App> {
  const { log, clock = systemClock, stop } = context
  await using opening = new AsyncDisposableStack()
  const { dataDir, role } = config
  await holdInstallation(config, { log, clock }, opening)
  const engines = { dataDir, log, ...(stop && { signal: stop }) }
  const { addresses } = opening.use(await openMissingEngines(config, engines))
  // Complete once the port is known, before the first request.
  const address = {} as ServerAddress
  const onPort = (port: number) => void Object.assign(address, createAddress(config, port))
  const shared = { ...context, clock, addresses, sockets: NO_SOCKETS, onPort }
  const sockets = { server: await openServerSockets(dataDir) }
  const [ofServer, ofRedirect] = [new Registry(), new Registry()]
  collectDefaultMetrics({ register: ofServer })
  const server = opening.use(
    await openServer(config, {
      ...{ ...shared, ...sockets, address, registry: ofServer },
      readMetricsOfOthers: async () => [await ofRedirect.getMetricsAsJSON()],
    }),
  )
  const redirect = partsOf(role).edge
    ? opening.use(
        await openRedirect(config, { ...shared, ...sockets, number: 1, registry: ofRedirect }),
      )
    : null
  const opened = opening.move()
  return {
    origin: address.ownOrigin,
    bootstrap: server.bootstrap,
    routes: server.routes,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
    run: async (signal) => {
      const [redirects, serves] = [new AbortController(), new AbortController()]
      const running = [redirect?.run(redirects.signal), server.run(serves.signal)]
      await Promise.race([aborted(signal), ...running.filter((part) => part !== undefined)])
      redirect?.drain()
      server.drain()
      await sleep(config.drainSeconds * 1_000)
      server.endStreams()
      redirects.abort()
      await running[0]
      serves.abort()
      await running[1]
    },
  }
}
