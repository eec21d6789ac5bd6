import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { isIP } from 'node:net'
import type { Clock } from '../../platform/core/clock.ts'
import { openHttpServer } from '../../platform/http/http-server.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Hosts } from '../../redirect/hosts/hosts.ts'
import type { Snapshot } from '../../redirect/links/snapshot.ts'
import type { Stores } from '../../platform/storage/stores.ts'
import { Certificates } from './certificates.ts'
import type { Renewals } from './renewals.ts'
import { TlsStore } from './store.ts'
import { ticketKeysOfToday } from './tickets.ts'
import { Validations } from './validations.ts'
import { configuredOrigins } from '../../platform/facts/short-urls.ts'

export type HttpsDeps = {
  config: Config
  stores: Stores
  hosts: Pick<Hosts, 'servesDomain'>
  snapshot: Snapshot | null
  listener: RequestListener
  clock: Clock
  log: Log
}

/** The https server of a redirect process. HTTPS_PORT is set. @param sockets that listen for it already */
export async function openHttps(
  { config, stores, hosts, snapshot, listener, clock, log }: HttpsDeps,
  sockets: readonly number[],
) {
  const { secrets } = stores
  const ownHosts = httpsHosts(config)
  const isServed = (name: string) => hosts.servesDomain(name) || ownHosts.includes(name)
  const certificates = new Certificates({
    sql: stores.redirectSql,
    secrets,
    log,
    snapshot,
    isServed,
  })
  const validations = new Validations({ sql: stores.redirectSql, log, isServed })
  return openHttpServer(() => listener, {
    host: config.host,
    port: config.httpsPort!,
    sockets,
    setting: 'HTTPS_PORT',
    clock,
    certificateOf: (name, done) =>
      certificates.find(name, (context) => done(null, context ?? undefined)),
    ticketKeys: () => ticketKeysOfToday(secrets, clock),
    // Other installations need not wait for the first message of a connection.
    ...(config.acmeChallenges.includes('tls-alpn-01') && {
      beforeTls: (socket, proceed) => validations.accept(socket, proceed),
    }),
  })
}

/** Orders the certificates, in a server process beside redirect processes that serve https. */
export async function openRenewals(
  config: Config,
  { stores, clock, log }: Pick<HttpsDeps, 'stores' | 'clock' | 'log'>,
): Promise<Renewals> {
  // No other process loads its client.
  const { createRenewals } = await import('./renewals.ts')
  const { acmeDirectory: directory, acmeEmail: email, acmeChallenges: challenges } = config
  const store = new TlsStore({
    sql: stores.systemSql,
    secrets: stores.secrets,
    clock,
    directory,
    holder: randomUUID(),
    ownHosts: httpsHosts(config),
  })
  return createRenewals({ store, directory, email, challenges, clock, log })
}

/** Hosts of the settings that need a certificate. */
function httpsHosts(config: Config): string[] {
  return configuredOrigins(config)
    .map((origin) => new URL(origin))
    .filter(({ protocol, hostname }) => protocol === 'https:' && isPublicName(hostname))
    .map(({ hostname }) => hostname)
}

/** Authorities issue no certificates for addresses, and none for names of one label. */
function isPublicName(hostname: string): boolean {
  return hostname.includes('.') && isIP(hostname) === 0
}
