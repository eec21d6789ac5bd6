import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import { Registry } from 'prom-client'
import { systemClock } from '../../src/platform/core/clock.ts'
import { openHttpServer } from '../../src/platform/http/http-server.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { createPlainDispatch } from '../../src/redirect/dispatch.ts'
import { Edge } from '../../src/redirect/edge.ts'
import { Hosts } from '../../src/redirect/hosts/hosts.ts'
import { openJournal } from '../../src/clicks/journal/writer.ts'
import { PublicMedia } from '../../src/redirect/public-media.ts'
import { Quotas } from '../../src/redirect/links/quotas.ts'
import { Resolver } from '../../src/redirect/links/resolve.ts'
import { createUnlockCookies, PasswordAttempts } from '../../src/redirect/links/unlock.ts'
import { WellKnown } from '../../src/redirect/hosts/well-known.ts'
import { createClientAddress } from '../../src/platform/facts/client-address.ts'
import { openCountries } from '../../src/platform/facts/country.ts'
import { createSignClick, SP_ID_PURPOSE } from '../../src/platform/facts/click-identity.ts'
import { openPostgres, type SystemSql } from '../../src/platform/storage/postgres/postgres.ts'
import { openRateLimits } from '../../src/platform/limits/rate-limits.ts'
import { readFirstMessage } from '../../src/domains/tls/validations.ts'
import { selfSigned } from '../../test/support/certificates.ts'
import { BRANDED_ID, PAGE_PREFIX, PREFIXES, type LinkKind } from './links.ts'

/**
 * One server under test, in a process of its own so that it can be pinned to a core:
 * `redirect-server.ts net|bare|bare-tls` or `redirect-server.ts edge|edge-tls <database url> <links> <folder> [<kind of links> [<ms>]]`.
 * The last is the time that a request waits for the database, instead of the edge's own. Its peer is a trusted proxy where the links have rules. Prints its port
 * once it is warm; ends with its standard input, with 1 if a redirect's click is not in the journal. Prints the number of
 * look-ups of links in the database since then.
 */
const [kind = '', databaseUrl = '', links = '0', folder = '', linkKind = 'plain', budget = '0'] =
  process.argv.slice(2)
const prefix = linkKind === 'pages' ? PAGE_PREFIX : PREFIXES[linkKind as LinkKind]
const waits = Number(budget) > 0 ? { budgetMs: Number(budget) } : {}

function bare(): RequestListener {
  return (_req, res) => {
    res.writeHead(302, {
      Location: 'https://example.com/landing/page?id=12345',
      'Content-Length': 0,
    })
    res.end()
  }
}

/** The least that Node can do for a request: it reads one packet and writes another. */
function net() {
  const answer =
    'HTTP/1.1 302 Found\r\nLocation: https://example.com/landing/page?id=12345\r\nContent-Length: 0\r\n\r\n'
  return createNetServer((socket) => {
    socket.on('data', () => socket.write(answer, 'latin1')).on('error', () => socket.destroy())
  })
}

async function edge() {
  const log = openLog('warn', process.stderr)
  const sql = openPostgres(databaseUrl, { maxConnections: 4 }) as SystemSql
  const hosts = new Hosts([], systemClock)
  const resolver = new Resolver({
    sql,
    hosts,
    openChangesSql: () => openPostgres(databaseUrl, { maxConnections: 1 }) as SystemSql,
    sharedOrigin: () => 'http://localhost',
    clock: systemClock,
    log,
    ...waits,
  })
  void resolver.service.run(new AbortController().signal)
  while (!resolver.stats().isConnected) await new Promise((resolve) => setTimeout(resolve, 20))
  const hostKey = linkKind === 'branded' ? hosts.keyOf(BRANDED_ID)! : ''
  await warm(
    Number(links),
    (slug) => new Promise((done) => resolver.resolve(`${hostKey}\n${slug}`, done)),
  )
  const warmQueries = resolver.stats().queries
  const journal = openJournal({
    root: join(folder, 'journal'),
    durability: 'write',
    onFailure: 'serve',
    log,
  })
  const secrets = createSecrets('the secret key of a benchmark')
  const rateLimits = await openRateLimits({ redisUrl: null, log })
  const attempts = new PasswordAttempts({ secrets, rateLimits, log })
  const countries = await openCountries(null, { log, clock: systemClock })
  const openQuotas = () => openPostgres(databaseUrl, { maxConnections: 4 }) as SystemSql
  const quotas = new Quotas({ openSql: openQuotas, log, ...waits })
  const server = new Edge({
    resolver,
    journal,
    quotas,
    hosts,
    wellKnown: new WellKnown({ sql, log }),
    publicMedia: new PublicMedia({ sql, log }),
    clientAddress: createClientAddress(linkKind === 'rules' ? ['127.0.0.1'] : []),
    locate: countries.locate,
    toShortUrl: (host, slug) => `http://${host}/${slug}`,
    sharedOrigin: () => 'http://localhost',
    namedCountry: () => '',
    isHttps: () => false,
    signClick: createSignClick(secrets.keyFor(SP_ID_PURPOSE)),
    unlock: {
      ...createUnlockCookies(secrets, systemClock),
      attempt: (...attempt) => attempts.attempt(...attempt),
    },
    clock: systemClock,
    log,
    registry: new Registry(),
  })
  process.stdin.on('end', () => {
    process.stdout.write(`${resolver.stats().queries - warmQueries}\n`)
    const { journaled, unsettled } = journal.stats()
    const { answered } = server.stats()
    if (journaled + unsettled >= answered) return
    process.stderr.write(`${answered} redirects, but ${journaled} clicks in the journal\n`)
    process.exitCode = 1
  })
  return {
    handle: server.handle,
    handlePlain: createPlainDispatch({ role: 'edge' }, { edge: server, hosts }),
  }
}

/** Reads the links until all are in memory: a look-up may exceed its time. */
async function warm(count: number, resolve: (slug: string) => Promise<unknown>): Promise<void> {
  const read = async (slug: string) => {
    while ((await resolve(slug)) === 'unavailable') await sleep(50)
  }
  for (let i = 0; i < count; i += 5_000) {
    const slugs = Array.from({ length: Math.min(5_000, count - i) }, (_, j) => `${prefix}${i + j}`)
    await Promise.all(slugs.map(read))
  }
}

/** The bare server as its documentation shows it, the edge behind the server that the program opens. */
async function serve(): Promise<{ port: number; close: () => Promise<void> }> {
  const certificate = kind.endsWith('-tls') ? selfSigned(['localhost']) : null
  if (kind.startsWith('edge')) {
    const { handle, handlePlain } = await edge()
    const context = certificate && createSecureContext(certificate)
    const opened = await openHttpServer(() => handle, {
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      handlePlain: process.env.EDGE_FAST === 'false' ? undefined : handlePlain,
      ...(context && {
        certificateOf: (_name, done) => done(null, context),
        beforeTls: (socket, proceed) => readFirstMessage(socket, () => proceed()),
      }),
    })
    return { port: opened.port, close: () => opened[Symbol.asyncDispose]() }
  }
  const server =
    kind === 'net'
      ? net()
      : certificate
        ? createTlsServer(certificate, bare())
        : createServer(bare())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

const { port, close } = await serve()
process.stdout.write(`${port}\n`)
process.stdin.on('end', () => void close().then(() => process.exit()))
process.stdin.resume()
