import { request } from 'node:https'
import type { TestContext } from 'node:test'
import type { TLSSocket } from 'node:tls'
import type { Config } from '../../src/platform/config/config.ts'
import { announceDomain } from '../../src/links/link/addresses.ts'
import { inTransaction, type Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { openAcmeAuthority, type AcmeAuthority } from './acme-authority.ts'
import { databasesToMigrate, type TestDatabases } from './engines.ts'
import { addDomain, addLink } from './fixtures.ts'
import { freePort } from './free-port.ts'
import { openWorld } from './world.ts'

export const HOST = 'go.example.com'
export const SECRET_KEY = 'a secret key that all edges of a test have'

type Edge = Awaited<ReturnType<typeof openEdge>>

export async function openEdge(
  t: TestContext,
  acme: AcmeAuthority,
  port: number,
  options: { databases?: TestDatabases; config?: Partial<Config>; pace?: number } = {},
) {
  const httpsPort = await freePort()
  const config = {
    port,
    httpsPort,
    acmeDirectory: acme.directory,
    acmeAgreeTos: true,
    secretKey: SECRET_KEY,
    ...options.config,
  }
  return { ...(await openWorld(t, { pace: 5, ...options, config })), httpsPort }
}

export async function openFirstEdge(
  t: TestContext,
  change: (acme: AcmeAuthority) => void = () => {},
) {
  const port = await freePort()
  const acme = await openAcmeAuthority(t, { httpPort: () => port })
  change(acme)
  const databases = await databasesToMigrate(t)
  return { acme, databases, edge: await openEdge(t, acme, port, { databases }) }
}

export async function addHost({ sql, member }: Edge, hostname = HOST): Promise<string> {
  const { workspaceId } = await member()
  const domainId = await addDomain(sql, { workspaceId, hostname })
  await addLink(sql, { workspaceId, domainId, slug: 'a', destinationUrl: 'https://example.com/a' })
  await inTransaction(sql, (tx) => announceDomain(tx, domainId))
  return domainId
}

/** Status and Location of a visit over https whose certificate is checked; the serial number of that. */
export function visit(port: number, acme: Pick<AcmeAuthority, 'root'>, host = HOST, path = '/a') {
  const options = { host: '127.0.0.1', port, path, servername: host, headers: { host } }
  return new Promise<{ status?: number; location?: string; serial: string }>((resolve, reject) => {
    const sent = request({ ...options, ca: acme.root, agent: false }, (answer) => {
      answer.resume()
      const { serialNumber: serial } = (answer.socket as TLSSocket).getPeerCertificate()
      const { location } = answer.headers
      resolve({ status: answer.statusCode!, ...(location && { location }), serial })
    })
    sent.on('error', reject).end()
  })
}

type Certificate = {
  ownerId: string | null
  holder: string | null
  chain: string | null
  notAfter: Date
  nextAttemptAt: Date
  lastError: string
  orderUrl: string
  failures: number
}

export async function rowOf(sql: Sql, hostname = HOST) {
  const [row] = await sql<Certificate[]>`
    select * from tls_certificates where hostname = ${hostname}`
  return row
}

/** The status of the certificate of a domain, and why it failed. */
export async function sslOf(sql: Sql, domainId: string): Promise<[string, string | null]> {
  const [row] = await sql<{ sslStatus: string; sslFailureReason: string | null }[]>`
    select ssl_status, ssl_failure_reason from domains where id = ${domainId}`
  return [row!.sslStatus, row!.sslFailureReason]
}
