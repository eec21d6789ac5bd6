import type { Log } from '../../platform/core/log.ts'
import { isReservedFile } from '../../platform/facts/slug.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { toHostname } from '../../platform/facts/short-url.ts'
import { Loader } from '../../platform/work/load.ts'
import type { AnyPage } from '../pages/pages.ts'
import type { Visit } from '../visits/visit.ts'

type Deps = {
  sql: SystemSql
  log: Log
  budgetMs?: number
}

type SendPage = (visit: Visit, page: AnyPage) => void

const PREFIX = '/.well-known/'
const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{1,256})$/
const FILES = {
  '/.well-known/apple-app-site-association': 'appleAppSiteAssociation',
  '/apple-app-site-association': 'appleAppSiteAssociation',
  '/.well-known/assetlinks.json': 'assetLinks',
} as const
type FileName = (typeof FILES)[keyof typeof FILES]
const BUDGET_MS = 1_000

/**
 * Serves challenges of the certificate authority (ACME, RFC 8555, 8.3) and, on branded hosts, app files.
 * They are read from the database, many at once, so that a flood of requests costs few queries; up to 64 kB
 * for every domain would fill the memory.
 *
 * The HTTP proof of ownership is not served here: answering it for every claim would let any workspace
 * verify any host that points to this server.
 */
export class WellKnown {
  readonly #challenges: Loader<string>
  readonly #files: Loader<string>

  constructor({ sql, log, budgetMs = BUDGET_MS }: Deps) {
    const options = { log, budgetMs, onLoaded: () => {} }
    this.#challenges = new Loader({
      ...options,
      fetch: (keys) => readChallenges(sql, keys),
      what: 'answers to certificate authorities',
    })
    this.#files = new Loader({
      ...options,
      fetch: (keys) => readFiles(sql, keys),
      what: 'files of domains',
    })
  }

  /** @returns false for any other path */
  answer(visit: Visit, path: string, sendPage: SendPage): boolean {
    const token = CHALLENGE.exec(path)?.[1]
    if (token !== undefined) {
      const key = `${toHostname(visit.host)}\n${token}`
      this.#send(visit, this.#challenges, key, sendPage, 'application/octet-stream')
      return true
    }
    const { domainId } = visit.site
    if (domainId === '') return false
    const file = Object.hasOwn(FILES, path) ? FILES[path as keyof typeof FILES] : null
    if (file !== null)
      this.#send(visit, this.#files, `${domainId}\n${file}`, sendPage, 'application/json')
    // A missing file is no visit that the domain's own page should receive.
    else if (path.startsWith(PREFIX) || isReservedFile(path.slice(1))) sendPage(visit, 'missing')
    else return false
    return true
  }

  stats() {
    return { queries: this.#challenges.queries() + this.#files.queries() }
  }

  #send(
    visit: Visit,
    loader: Loader<string>,
    key: string,
    sendPage: SendPage,
    contentType: string,
  ): void {
    loader.load(key, (content) => {
      if (visit.res.destroyed) return
      if (content === undefined) sendPage(visit, 'unavailable')
      else if (content === null) sendPage(visit, 'missing')
      else sendFile(visit, contentType, content)
    })
  }
}

function sendFile({ res, requestId }: Visit, contentType: string, content: string): void {
  res.writeHead(200, {
    'Content-Type': contentType,
    'Content-Length': String(Buffer.byteLength(content)),
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  })
  res.end(content)
}

async function readChallenges(sql: SystemSql, keys: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ hostname: string; token: string; answer: string }[]>`
    select c.hostname, c.token, c.answer
    from unnest(${keys.map(firstPart)}::text[], ${keys.map(secondPart)}::text[]) as wanted (hostname, token)
    join tls_challenges c on c.hostname = wanted.hostname and c.token = wanted.token`
  return new Map(rows.map(({ hostname, token, answer }) => [`${hostname}\n${token}`, answer]))
}

async function readFiles(sql: SystemSql, keys: string[]): Promise<Map<string, string>> {
  const rows = await sql<({ id: string } & Record<FileName, string | null>)[]>`
    select id, apple_app_site_association::text, asset_links::text from domains
    where id = any(${keys.map(firstPart)}::text[])`
  const contents = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    keys.flatMap((key) => {
      const content = contents.get(firstPart(key))?.[secondPart(key) as FileName]
      return typeof content === 'string' ? [[key, content]] : []
    }),
  )
}

function firstPart(key: string): string {
  return key.slice(0, key.indexOf('\n'))
}

function secondPart(key: string): string {
  return key.slice(key.indexOf('\n') + 1)
}
