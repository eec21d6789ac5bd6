import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import type { Clock } from '../base/clock.ts'
import { ulid } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { toRequestId } from '../base/request-id.ts'
import type { ClientAddress } from '../facts/client-address.ts'
import { slugFromPath } from '../facts/slug.ts'
import type { ClickRecord } from '../journal/format.ts'
import type { Outcome, Waiter } from '../journal/open-segment.ts'
import type { Journal } from '../journal/writer.ts'
import { cutUtm, decide } from './decide.ts'
import type { ToDomainKey } from './hosts.ts'
import type { EdgeLink, Redirect } from './link.ts'
import { Meters } from './meters.ts'
import { sendPage, type AnyPage } from './pages.ts'
import { hasTwoHosts, isPrefetch } from './request.ts'
import type { Resolved, Resolver } from './resolve.ts'

export type EdgeDeps = {
  resolver: Pick<Resolver, 'peek' | 'resolve' | 'stats'>
  journal: Pick<Journal, 'append' | 'stats'>
  toDomainKey: ToDomainKey
  clientAddress: ClientAddress
  clock: Clock
  log: Log
  registry: Registry
  /** Answers `/`; a missing page if absent. */
  onRoot?: (req: IncomingMessage, res: ServerResponse) => void
}

/** One request and the facts that are read from it. */
type Visit = {
  req: IncomingMessage
  res: ServerResponse
  isHead: boolean
  headers: IncomingHttpHeaders
  /** In lower case, with its port if it has one; '' if absent. */
  host: string
  query: string
  /** Also the id of the click, if the answer is one. */
  ulid: string
  requestId: string
}

const MAX_URL_LENGTH = 16_000
const NOINDEX = ['X-Robots-Tag', 'noindex']
const NO_HEADERS: string[] = []
const SLASH = 47
const LOWER_HOST = /^[a-z0-9.:-]*$/

/**
 * The redirect: `/{slug}` to a Location.
 *
 *   read ─▶ peek ─known──▶ decide ─redirect, GET──▶ journal ─settled──▶ answer
 *             └─▶ resolve ──▶ ┘ └─page, or HEAD──────────────────────▶ answer
 *
 * Invariants: a redirect to a GET is answered only after its click is settled; no other answer is a
 * click; a 5xx reports a failure of the server, never a fault of the request.
 */
export class Edge {
  readonly #deps: EdgeDeps
  readonly #meters: Meters

  constructor(deps: EdgeDeps) {
    this.#deps = deps
    this.#meters = new Meters(deps.registry, deps.resolver, deps.journal)
  }

  /** Answers any request; never throws. */
  readonly handle = (req: IncomingMessage, res: ServerResponse): void => {
    try {
      this.#visit(req, res)
    } catch (error) {
      this.#fail(res, error)
    }
  }

  /** `answered`: GET requests that were answered with a redirect; their clicks are journaled or dropped. */
  stats(): { answered: number } {
    return { answered: this.#meters.answered() }
  }

  #visit(req: IncomingMessage, res: ServerResponse): void {
    const { clock, toDomainKey, onRoot, resolver } = this.#deps
    const nowMs = clock()
    const { headers } = req
    const clientRequestId = headers['x-request-id']
    const id = ulid(nowMs)
    const requestId =
      clientRequestId === undefined ? `req_${id}` : toRequestId(clientRequestId, nowMs)
    const host = toLower(headers.host ?? '')
    const url = req.url!
    const queryAt = url.indexOf('?')
    const query = queryAt === -1 ? '' : url.slice(queryAt + 1)
    const isHead = req.method === 'HEAD'
    const visit: Visit = { req, res, isHead, headers, host, query, ulid: id, requestId }

    if (!isHead && req.method !== 'GET') return this.#sendPage(visit, 'wrongMethod')
    if (hasTwoHosts(req)) return this.#sendPage(visit, 'malformed')
    // Not a path: the absolute form for a proxy, `*`, or an authority.
    if (url.charCodeAt(0) !== SLASH) return this.#sendPage(visit, 'malformed')
    if (url.length > MAX_URL_LENGTH) return this.#sendPage(visit, 'tooLong')
    const domainKey = toDomainKey(host)
    if (domainKey === null) return this.#sendPage(visit, 'missing')
    const path = queryAt === -1 ? url : url.slice(0, queryAt)
    if (path === '/' && onRoot !== undefined) return onRoot(req, res)
    const slug = slugFromPath(path)
    if (slug === null) return this.#sendPage(visit, 'missing')
    if (slug === 'malformed') return this.#sendPage(visit, 'malformed')

    const key = `${domainKey}\n${slug.key}`
    const link = resolver.peek(key)
    if (link !== undefined) this.#follow(visit, link, nowMs)
    else resolver.resolve(key, (resolved) => this.#followResolved(visit, resolved))
  }

  /** Continues after the query, when the client may have disconnected. */
  #followResolved(visit: Visit, resolved: Resolved): void {
    if (visit.res.destroyed) return
    try {
      if (resolved === 'unavailable') this.#sendPage(visit, 'unavailable')
      else this.#follow(visit, resolved, this.#deps.clock())
    } catch (error) {
      this.#fail(visit.res, error)
    }
  }

  #follow(visit: Visit, link: EdgeLink | null, nowMs: number): void {
    const decision = decide(link, visit, nowMs)
    if (decision.kind === 'page') return this.#sendPage(visit, decision.page)
    if (visit.isHead) return sendRedirect(visit, decision)
    const recordPart = decision === link!.plain ? link!.recordPart : undefined
    const answer = new Answer(visit, decision, this.#meters)
    this.#deps.journal.append(this.#toClick(visit, link!, decision, nowMs), answer, recordPart)
  }

  #toClick(visit: Visit, link: EdgeLink, redirect: Redirect, atMs: number): ClickRecord {
    const { req, headers } = visit
    return {
      clickId: visit.ulid,
      atMs,
      workspaceId: link.workspaceId,
      linkId: link.id,
      host: visit.host,
      slug: link.slug,
      destination: link.destination,
      utm: cutUtm(redirect.utm),
      trigger: redirect.trigger,
      ip: this.#deps.clientAddress(req.socket.remoteAddress, headers),
      userAgent: cut(headers['user-agent'] ?? '', 512),
      referrer: cut(headers.referer ?? '', 2_048),
      language: cut(headers['accept-language'] ?? '', 128),
      isPrefetch: isPrefetch(headers),
    }
  }

  #sendPage(visit: Visit, page: AnyPage): void {
    countAndSendPage(this.#meters, visit, page)
  }

  #fail(res: ServerResponse, error: unknown): void {
    this.#deps.log.error({ err: error }, 'a redirect failed unexpectedly')
    if (res.headersSent) res.destroy()
    else sendPage(res, 'broken', toRequestId(undefined, this.#deps.clock()), undefined)
  }
}

/** Answers once its click is settled. A class, because every redirect creates one. */
class Answer implements Waiter {
  readonly #visit: Visit
  readonly #redirect: Redirect
  readonly #meters: Meters

  constructor(visit: Visit, redirect: Redirect, meters: Meters) {
    this.#visit = visit
    this.#redirect = redirect
    this.#meters = meters
  }

  settled(outcome: Outcome): void {
    if (outcome === 'refused') return countAndSendPage(this.#meters, this.#visit, 'unavailable')
    this.#meters.countRedirect()
    sendRedirect(this.#visit, this.#redirect)
  }
}

function countAndSendPage(meters: Meters, { req, res, requestId }: Visit, page: AnyPage): void {
  meters.countPage(page)
  sendPage(res, page, requestId, req.headers.accept)
}

function sendRedirect({ res, requestId }: Visit, redirect: Redirect): void {
  res.writeHead(redirect.status, [
    'Location',
    redirect.location,
    'Cache-Control',
    redirect.cacheControl,
    'X-Request-Id',
    requestId,
    'Content-Length',
    '0',
    ...(redirect.isNoindex ? NOINDEX : NO_HEADERS),
  ])
  res.end()
}

function toLower(host: string): string {
  return LOWER_HOST.test(host) ? host : host.toLowerCase()
}

function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) : text
}
