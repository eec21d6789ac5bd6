import { createHmac, randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { HOUR_MS, type Clock } from '../../platform/core/clock.ts'
import type { PlainHandler } from '../../platform/http/plain-connection.ts'
import { openHttpServer } from '../../platform/http/http-server.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Hosts } from '../../redirect/hosts/hosts.ts'
import type { Snapshot } from '../../redirect/links/snapshot.ts'
import type { Stores } from '../../platform/storage/stores.ts'
import { Certificates } from './certificates.ts'
import type { Renewals } from './renewals.ts'
import { TlsStore } from './store.ts'
import { Validations } from './validations.ts'
import { configuredOrigins } from '../../platform/facts/short-url.ts'

const TICKET_KEYS_MS = 12 * HOUR_MS

export type HttpsDeps = {
  config: Config
  stores: Stores
  hosts: Pick<Hosts, 'servesDomain'>
  snapshot: Snapshot | null
  listener: RequestListener
  handlePlain: PlainHandler | undefined
  clock: Clock
  log: Log
}

export async function openHttps(
  { config, stores, hosts, snapshot, listener, handlePlain, clock, log }: HttpsDeps,
  sockets: readonly number[],
) {
  const { secrets } = stores
  const ownHosts = httpsHosts(config)
  const isServed = (name: string) => hosts.servesDomain(name) || ownHosts.includes(name)
  const { redirectSql: sql } = stores
  const certificates = new Certificates({ sql, secrets, log, snapshot, isServed })
  const validations = new Validations({ sql, log, isServed })
  return openHttpServer(() => listener, {
    host: config.host,
    port: config.httpsPort!,
    sockets,
    setting: 'HTTPS_PORT',
    clock,
    handlePlain,
    certificateOf: (name, done) =>
      certificates.find(name, (context) => done(null, context ?? undefined)),
    ticketKeys: () => currentTicketKeys(secrets, clock),
    // Without TLS-ALPN-01, no connection has to wait until its first message is parsed.
    ...(config.acmeChallenges.includes('tls-alpn-01') && {
      beforeTls: (socket, proceed) => validations.accept(socket, proceed),
    }),
  })
}

export async function openRenewals(
  config: Config,
  { stores, clock, log }: Pick<HttpsDeps, 'stores' | 'clock' | 'log'>,
): Promise<Renewals> {
  // Loaded here alone, to save the memory of the other processes.
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

/**
 * Session ticket keys of this half of the day: the same in every process with this SECRET_KEY, so a visitor can resume a session
 * on any of them (docs/decisions/0030-certificates.md).
 */
export function currentTicketKeys(secrets: Pick<Secrets, 'keyFor'>, clock: Clock): Buffer {
  const half = Math.floor(clock() / TICKET_KEYS_MS)
  return createHmac('sha384', secrets.keyFor('tls-tickets')).update(String(half)).digest()
}

function httpsHosts(config: Config): string[] {
  return (
    configuredOrigins(config)
      .map((origin) => new URL(origin))
      .filter(({ protocol }) => protocol === 'https:')
      .map(({ hostname }) => hostname)
      // Authorities issue no certificates for IP addresses or names without a dot.
      .filter((hostname) => hostname.includes('.') && isIP(hostname) === 0)
  )
}
