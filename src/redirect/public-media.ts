import { toChunkStream } from '../platform/http/connections.ts'
import type { ServerResponse } from 'node:http'
import { ApiError } from '../platform/core/errors.ts'
import { FairQueue } from '../platform/work/fair-queue.ts'
import { PLACES } from '../platform/limits/places.ts'
import { SIZES } from '../platform/limits/sizes.ts'
import type { Log } from '../platform/core/log.ts'
import { withinMs } from '../platform/core/service.ts'
import { networkOf } from '../platform/facts/ip-address.ts'
import type { SystemSql } from '../platform/storage/postgres/postgres.ts'
import type { AnyPage } from './pages/pages.ts'
import type { Visit } from './visits/visit.ts'

type Deps = { sql: SystemSql; log: Log }
/** The request came through node:http (createPlainDispatch). */
type MediaVisit = Visit & { readonly res: ServerResponse }
type SendPage = (visit: Visit, page: AnyPage) => void
/** `busy`: slow readers hold as much as they may. */
type Found = Row | 'busy' | undefined
type Row = { contentType: string; etag: string; bytes: Buffer | null }

/** Reserved on the shared host only. */
export const MEDIA_PATH = '/media-public/'

const PATH = /^\/media-public\/(med_[0-9A-HJKMNP-TV-Z]{26})$/
const WIDTHS = new Set(['small', 'wide', 'card'])
const BUDGET_MS = 3_000

/**
 * Images of published pages, cards and logos, as copies that this program has encoded itself: no uploaded byte is
 * public. Each request queries the database, so that a blocked image is gone at once, and so is one that
 * only blocked pages show; browsers revalidate by ETag.
 */
export class PublicMedia {
  readonly #deps: Deps
  /** Networks take turns: one that requests many images does not delay others. */
  readonly #queue = new FairQueue(PLACES.publicImages)
  readonly #heldByNetwork = new Map<string, number>()
  #heldBytes = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** @returns whether the path is an image's */
  answer(visit: Visit, path: string, sendPage: SendPage): boolean {
    const id = PATH.exec(path)?.[1]
    if (id === undefined) return false
    void this.#send(visit as MediaVisit, id, sendPage)
    return true
  }

  async #send(visit: MediaVisit, id: string, sendPage: SendPage): Promise<void> {
    const size = new URLSearchParams(visit.query).get('size') ?? 'wide'
    const known = etagsOf(visit.headers['if-none-match'])
    const network = networkOf(visit.address)
    let found: Found
    try {
      found = WIDTHS.has(size)
        ? await this.#inTurn(visit, network, () => this.#read(id, size, known))
        : undefined
    } catch (error) {
      if (!(error instanceof ApiError))
        this.#deps.log.warn({ err: error }, 'a public image could not be read from PostgreSQL')
      if (!visit.res.destroyed) sendPage(visit, 'unavailable')
      return
    }
    if (visit.res.destroyed) return
    if (found === undefined) sendPage(visit, 'missing')
    else if (found === 'busy') sendPage(visit, 'unavailable')
    else this.#sendFile(visit, found)
  }

  #sendFile({ res, requestId, isHead }: MediaVisit, { contentType, etag, bytes }: Row): void {
    const headers = {
      ETag: `"${etag}"`,
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
    }
    if (bytes === null) {
      res.writeHead(304, headers)
      res.end()
      return
    }
    res.writeHead(200, { ...headers, 'Content-Type': contentType, 'Content-Length': bytes.length })
    if (isHead) {
      res.end()
      return
    }
    toChunkStream(bytes).pipe(res)
  }

  #addHeld(network: string, bytes: number): void {
    this.#heldBytes += bytes
    const held = (this.#heldByNetwork.get(network) ?? 0) + bytes
    if (held === 0) this.#heldByNetwork.delete(network)
    else this.#heldByNetwork.set(network, held)
  }

  #isFull(network: string): boolean {
    const held = this.#heldByNetwork.get(network) ?? 0
    return this.#heldBytes > SIZES.imagesOfAll.bytes || held > SIZES.imagesOfNetwork.bytes
  }

  /**
   * Reads nothing for a client that has left, nor beyond what readers may hold.
   * @throws ApiError RATE_LIMITED when too many wait
   */
  #inTurn(
    { res }: MediaVisit,
    network: string,
    read: () => Promise<Row | undefined>,
  ): Promise<Found> {
    return this.#queue.run([network], undefined, async () => {
      if (res.destroyed || this.#isFull(network)) return 'busy'
      const found = await withinMs(read(), BUDGET_MS)
      const bytes = found?.bytes?.length ?? 0
      // Counted before the next one's turn.
      if (bytes > 0 && !res.destroyed) {
        this.#addHeld(network, bytes)
        res.once('close', () => this.#addHeld(network, -bytes))
      }
      return found
    })
  }

  /** @param known ETags of the client's copies, whose bytes are not read */
  async #read(id: string, kind: string, known: readonly string[]): Promise<Row | undefined> {
    const { sql } = this.#deps
    // Triggers on links know which of them are blocked.
    const [row] = await sql<Row[]>`
      select f.content_type, encode(f.sha256, 'hex') as etag,
        case when encode(f.sha256, 'hex') = any(${known}::text[]) then null else f.bytes end as bytes
      from media_files f
      join media m on m.id = f.media_id and not ${isBlockedImage(sql)}
      join workspaces w on w.id = f.workspace_id and w.suspended_at is null
      where f.media_id = ${id} and f.kind = ${kind} and f.kind <> 'original'
        and exists (
          select from media_uses u where u.media_id = f.media_id and u.is_public and not exists (
            select from blocks b where b.kind = 'link' and b.value = u.used_by and b.lifted_at is null))`
    return row
  }
}

/**
 * True for an image `m` that the operator has blocked, in every workspace that has the same file.
 */
export function isBlockedImage(sql: SystemSql) {
  return sql`exists (
    select from blocks b
    where b.kind = 'image' and b.value = encode(m.sha256, 'hex') and b.lifted_at is null)`
}

/** SHA-256 digests in an `If-None-Match`; other tags are not ours. */
function etagsOf(header: string | undefined): string[] {
  return [...(header ?? '').slice(0, 2_000).matchAll(/"([0-9a-f]{64})"/g)].map(([, etag]) => etag!)
}
