import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { openLog } from '../../src/platform/core/log.ts'
import { createSecrets, type Secrets } from '../../src/platform/core/secrets.ts'
import { USES_SHORT_PATH } from './short-path.ts'
import { Connections } from '../../src/platform/http/connections.ts'
import { servePlain } from '../../src/platform/http/plain-connection.ts'
import { createPlainDispatch } from '../../src/redirect/dispatch.ts'
import { Edge, type EdgeDeps } from '../../src/redirect/edge.ts'
import { Hosts } from '../../src/redirect/hosts/hosts.ts'
import { openJournal, type Journal, type JournalDeps } from '../../src/clicks/journal/writer.ts'
import { Quotas } from '../../src/redirect/links/quotas.ts'
import { PublicMedia } from '../../src/redirect/public-media.ts'
import { Resolver } from '../../src/redirect/links/resolve.ts'
import { createUnlockCookies, PasswordAttempts } from '../../src/redirect/links/unlock.ts'
import { WellKnown } from '../../src/redirect/hosts/well-known.ts'
import { createClientAddress } from '../../src/platform/facts/client-address.ts'
import {
  createSignClick,
  SP_ID_PURPOSE,
  type SignClick,
} from '../../src/platform/facts/click-identity.ts'
import type { ClickRecord } from '../../src/clicks/journal/format.ts'
import {
  closePostgres,
  openPostgres,
  type Sql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { openRateLimits } from '../../src/platform/limits/rate-limits.ts'
import { freshPostgres } from './engines.ts'
import { until } from './eventually.ts'
import { asSystem } from './privileges.ts'
import { decodeSegment } from './decode-segment.ts'

export type Answer = { status: number; headers: Map<string, string>; body: string; head: string }

type EdgeDatabase = { postgresUrl: string; sql: Sql }

export type EdgeWorld = EdgeDatabase & {
  edge: Edge
  resolver: Resolver
  journal: Journal
  quotas: Quotas
  unlock: Pick<PasswordAttempts, 'stats'>
  signClick: SignClick
  wellKnown: WellKnown
  registry: Registry
  port: number
  clock: { now: number }
  /** Sends a request with these header lines; only Host and Connection are added. */
  ask(target: string, headers?: string[], method?: string, body?: string): Promise<Answer>
  /** Sends bytes unchanged and returns the bytes of the server until it closes. */
  send(bytes: string | Buffer): Promise<string>
  clicks(): ClickRecord[]
}

const UNKNOWN = { country: 'unknown', region: 'unknown', city: 'unknown', continent: 'unknown' }

type Options = {
  /** Of another world, which then has a second edge. */
  database?: EdgeDatabase
  /** PUBLIC_URL and SHORT_URL. */
  origins?: readonly string[]
  edge?: Partial<EdgeDeps>
  journal?: Partial<JournalDeps>
  budgetMs?: number
  secrets?: Secrets
}

/** The edge alone on a real server, without gateway and shipper. */
export async function openEdgeWorld(t: TestContext, options: Options = {}): Promise<EdgeWorld> {
  const { postgresUrl, sql } = options.database ?? (await freshPostgres(t))
  const root = mkdtempSync(join(tmpdir(), 'signpost-edge-'))
  const log = openLog('silent')
  const clock = { now: Date.now() }
  const pool = openPostgres(postgresUrl, { maxConnections: 2 })
  const hosts = new Hosts(options.origins ?? [], () => clock.now)
  const resolver = new Resolver({
    sql: asSystem(pool),
    hosts,
    openChangesSql: () => asSystem(openPostgres(postgresUrl, { maxConnections: 1 })),
    sharedOrigin: () => 'http://localhost',
    clock: () => clock.now,
    log,
    budgetMs: options.budgetMs ?? 30_000,
  })
  const quotas = new Quotas({
    openSql: () => asSystem(openPostgres(postgresUrl, { maxConnections: 4 })),
    log,
  })
  const journal = openJournal({
    root,
    durability: 'write',
    onFailure: 'serve',
    log,
    ...options.journal,
  })
  const registry = new Registry()
  const secrets = options.secrets ?? createSecrets('a secret key of this test')
  const signClick = createSignClick(secrets.keyFor(SP_ID_PURPOSE))
  const attempts = new PasswordAttempts({
    secrets,
    rateLimits: await openRateLimits({ redisUrl: null, log }),
    log,
  })
  const unlock = {
    ...createUnlockCookies(secrets, () => clock.now),
    attempt: attempts.attempt.bind(attempts),
    stats: () => attempts.stats(),
  }
  const wellKnown = new WellKnown({ sql: asSystem(pool), log, budgetMs: 30_000 })
  const publicMedia = new PublicMedia({ sql: asSystem(pool), log })
  const edge = new Edge({
    resolver,
    journal,
    quotas,
    hosts,
    wellKnown,
    publicMedia,
    clientAddress: createClientAddress([]),
    locate: () => UNKNOWN,
    toShortUrl: (host, slug) => `http://${host}/${slug}`,
    sharedOrigin: () => 'http://localhost',
    namedCountry: () => '',
    isHttps: () => false,
    unlock,
    signClick,
    clock: () => clock.now,
    log,
    registry,
    ...options.edge,
  })
  const server = createServer(edge.handle)
  if (USES_SHORT_PATH) {
    const byNode = server.listeners('connection')
    const connections = new Connections(server, 'connection')
    const handle = createPlainDispatch({ role: 'all' }, { edge, hosts })
    servePlain(server, 'connection', byNode, connections, handle)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const stop = new AbortController()
  const running = resolver.service.run(stop.signal)
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await quotas.close()
    await journal.close()
    stop.abort()
    await running
    await closePostgres(pool)
    rmSync(root, { recursive: true, force: true })
  })
  await until(() => resolver.stats().isConnected, 'the listener is connected')

  const send = (bytes: string | Buffer) => exchange(port, bytes)
  async function ask(
    target: string,
    headers: string[] = [],
    method = 'GET',
    body = '',
  ): Promise<Answer> {
    const hasHost = headers.some((line) => line.toLowerCase().startsWith('host:'))
    const lines = [...(hasHost ? [] : ['Host: localhost']), 'Connection: close', ...headers]
    return parse(await send(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`))
  }
  const clicks = () => readClicks(journal.folder)
  return {
    postgresUrl,
    sql,
    edge,
    resolver,
    journal,
    quotas,
    unlock,
    signClick,
    wellKnown,
    registry,
    port,
    clock,
    ask,
    send,
    clicks,
  }
}

function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(20_000, () => socket.destroy(new Error('no end of the answer')))
    socket.on('data', (chunk) => chunks.push(chunk))
    // A server that refuses a request before it has read all of it resets the connection.
    socket.on('error', (error) => (chunks.length === 0 ? reject(error) : undefined))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}

function parse(text: string): Answer {
  const end = text.indexOf('\r\n\r\n')
  const head = end === -1 ? text : text.slice(0, end)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  const body = Buffer.from(text.slice(end + 4), 'latin1').toString()
  return { status: Number(statusLine.split(' ')[1]), headers, body, head }
}

function readClicks(folder: string): ClickRecord[] {
  return readdirSync(folder)
    .filter((name) => /\.(open|sealed)$/.test(name))
    .toSorted()
    .flatMap((name) => decodeSegment(readFileSync(join(folder, name))).records)
}
