import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { isIP } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { OperatorError } from '../base/errors.ts'
import { openHttpServer } from '../base/http-server.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import type { Hosts } from '../edge/hosts.ts'
import type { Snapshot } from '../edge/snapshot.ts'
import type { Stores } from '../storage/stores.ts'
import { Certificates } from '../tls/certificates.ts'
import { createRenewals } from '../tls/renewals.ts'
import { TlsStore } from '../tls/store.ts'
import { ticketKeysOfToday } from '../tls/tickets.ts'
import { Validations } from '../tls/validations.ts'
import { configuredOrigins } from './short-urls.ts'
import { partsOf } from './roles.ts'

export type HttpsDeps = {
  config: Config
  stores: Stores
  hosts: Pick<Hosts, 'servesDomain'>
  snapshot: Snapshot | null
  listener: RequestListener
  clock: Clock
  log: Log
}

/** @throws OperatorError for HTTPS_PORT without what it needs */
export function requireForHttps({ role, httpsPort, acmeAgreeTos, port }: Config): void {
  if (httpsPort === null || !partsOf(role).edge) return
  if (!acmeAgreeTos)
    throw new OperatorError(
      'HTTPS_PORT orders certificates: read the terms of the certificate authority and set ACME_AGREE_TOS=true.',
    )
  if (httpsPort === port) throw new OperatorError('HTTPS_PORT and PORT must differ.')
}

/**
 * The https server, and the sweeps that order its certificates. HTTPS_PORT is set.
 * @param sockets that the service manager passed for it
 */
export async function openHttps(
  { config, stores, hosts, snapshot, listener, clock, log }: HttpsDeps,
  sockets: readonly number[],
) {
  const { secrets } = stores
  const ownHosts = configuredOrigins(config)
    .map((origin) => new URL(origin))
    .filter(({ protocol, hostname }) => protocol === 'https:' && isPublicName(hostname))
    .map(({ hostname }) => hostname)
  const isServed = (name: string) => hosts.servesDomain(name) || ownHosts.includes(name)
  const certificates = new Certificates({
    sql: stores.redirectSql,
    secrets,
    log,
    snapshot,
    isServed,
  })
  const validations = new Validations({ sql: stores.redirectSql, log, isServed })
  const { acmeDirectory: directory, acmeEmail: email, acmeChallenges: challenges } = config
  const store = new TlsStore({
    sql: stores.systemSql,
    secrets,
    clock,
    directory,
    holder: randomUUID(),
    ownHosts,
  })
  const server = await openHttpServer(() => listener, {
    host: config.host,
    port: config.httpsPort!,
    sockets,
    setting: 'HTTPS_PORT',
    clock,
    certificateOf: (name, done) =>
      certificates.find(name, (context) => done(null, context ?? undefined)),
    ticketKeys: () => ticketKeysOfToday(secrets, clock),
    // Other installations need not wait for the first message of a connection.
    ...(challenges.includes('tls-alpn-01') && {
      beforeTls: (socket, proceed) => validations.accept(socket, proceed),
    }),
  })
  return {
    renewals: createRenewals({ store, directory, email, challenges, clock, log }),
    descriptors: server.descriptors,
    endWithAnswers: server.endWithAnswers,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Authorities issue no certificates for addresses, and none for names of one label. */
function isPublicName(hostname: string): boolean {
  return hostname.includes('.') && isIP(hostname) === 0
}
