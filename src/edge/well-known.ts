import type { Log } from '../base/log.ts'
import { isReservedFile } from '../facts/slug.ts'
import type { SystemSql } from '../storage/postgres.ts'
import { toHostname } from './hosts.ts'
import { Loader } from './load.ts'
import type { AnyPage } from './pages.ts'
import type { Visit } from './visit.ts'

type Deps = {
  sql: SystemSql
  log: Log
  budgetMs?: number
}

/** Sends a page of the edge. */
type SendPage = (visit: Visit, page: AnyPage) => void

const PREFIX = '/.well-known/'
const PROOF = /^\/\.well-known\/signpost-verify\/([0-9a-f]{32})$/
const FILES = {
  '/.well-known/apple-app-site-association': 'appleAppSiteAssociation',
  '/apple-app-site-association': 'appleAppSiteAssociation',
  '/.well-known/assetlinks.json': 'assetLinks',
} as const
type FileName = (typeof FILES)[keyof typeof FILES]
const BUDGET_MS = 1_000

/**
 * Paths of a host that are no slugs: the proof that a workspace owns the host, also before that is verified,
 * and on branded hosts the files of apps. Both are read from the database, many at once, so that a flood of
 * requests costs few queries; files of up to 64 kB of every domain would fill the memory.
 */
export class WellKnown {
  /** Proofs by `<host>\n<token>`. */
  readonly #proofs: Loader<string>
  /** Files by `<domain id>\n<file>`. */
  readonly #files: Loader<string>

  constructor({ sql, log, budgetMs = BUDGET_MS }: Deps) {
    const options = { log, budgetMs, onLoaded: () => {}, what: 'files of domains' }
    this.#proofs = new Loader({ ...options, fetch: (keys) => readProofs(sql, keys) })
    this.#files = new Loader({ ...options, fetch: (keys) => readFiles(sql, keys) })
  }

  /** Answers a request for such a path; false for any other one. */
  answer(visit: Visit, path: string, sendPage: SendPage): boolean {
    const token = PROOF.exec(path)?.[1]
    if (token !== undefined) {
      this.#send(visit, this.#proofs, `${toHostname(visit.host)}\n${token}`, sendPage, 'text/plain')
      return true
    }
    const { domainId } = visit.site
    if (domainId === '') return false
    const file = Object.hasOwn(FILES, path) ? FILES[path as keyof typeof FILES] : null
    if (file !== null)
      this.#send(visit, this.#files, `${domainId}\n${file}`, sendPage, 'application/json')
    // A missing file is no visit that a page of the domain should receive.
    else if (path.startsWith(PREFIX) || isReservedFile(path.slice(1))) sendPage(visit, 'missing')
    else return false
    return true
  }

  /** `queries`: of the database, so far. */
  stats() {
    return { queries: this.#proofs.queries() + this.#files.queries() }
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

async function readProofs(sql: SystemSql, keys: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ hostname: string; token: string }[]>`
    select d.hostname, d.token
    from unnest(${keys.map(firstPart)}::text[], ${keys.map(secondPart)}::text[]) as asked (hostname, token)
    join domains d on d.token = asked.token and d.hostname = asked.hostname`
  return new Map(rows.map(({ hostname, token }) => [`${hostname}\n${token}`, token]))
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
