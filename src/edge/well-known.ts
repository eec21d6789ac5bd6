import type { Log } from '../base/log.ts'
import { isReservedFile } from '../facts/slug.ts'
import type { SystemSql } from '../storage/postgres.ts'
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
const FILES = {
  '/.well-known/apple-app-site-association': 'appleAppSiteAssociation',
  '/apple-app-site-association': 'appleAppSiteAssociation',
  '/.well-known/assetlinks.json': 'assetLinks',
} as const
type FileName = (typeof FILES)[keyof typeof FILES]
const BUDGET_MS = 1_000

/**
 * Paths of a branded host that are no slugs: the files of apps. They are read from the database, many at once,
 * so that a flood of requests costs few queries; files of up to 64 kB of every domain would fill the memory.
 *
 * The proof of ownership over HTTP is not among them: a server that answered it for every claim would let any
 * workspace verify any host that points here.
 */
export class WellKnown {
  /** Files by `<domain id>\n<file>`. */
  readonly #files: Loader<string>

  constructor({ sql, log, budgetMs = BUDGET_MS }: Deps) {
    this.#files = new Loader({
      fetch: (keys) => readFiles(sql, keys),
      onLoaded: () => {},
      what: 'files of domains',
      log,
      budgetMs,
    })
  }

  /** Answers a request for such a path; false for any other one. */
  answer(visit: Visit, path: string, sendPage: SendPage): boolean {
    const { domainId } = visit.site
    if (domainId === '') return false
    const file = Object.hasOwn(FILES, path) ? FILES[path as keyof typeof FILES] : null
    if (file !== null) this.#sendFile(visit, `${domainId}\n${file}`, sendPage)
    // A missing file is no visit that a page of the domain should receive.
    else if (path.startsWith(PREFIX) || isReservedFile(path.slice(1))) sendPage(visit, 'missing')
    else return false
    return true
  }

  /** `queries`: of the database, so far. */
  stats() {
    return { queries: this.#files.queries() }
  }

  #sendFile(visit: Visit, key: string, sendPage: SendPage): void {
    this.#files.load(key, (content) => {
      if (visit.res.destroyed) return
      if (content === undefined) sendPage(visit, 'unavailable')
      else if (content === null) sendPage(visit, 'missing')
      else sendJson(visit, content)
    })
  }
}

function sendJson({ res, requestId }: Visit, content: string): void {
  res.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(content)),
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  })
  res.end(content)
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
