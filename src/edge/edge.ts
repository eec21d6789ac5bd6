import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import type { Clock } from '../base/clock.ts'
import { ulid } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { requestIdOf } from '../base/request-id.ts'
import type { ClientAddress } from '../facts/client-address.ts'
import { slugFromPath } from '../facts/slug.ts'
import type { ClickRecord } from '../journal/format.ts'
import { cutUtm, decide } from './decide.ts'
import type { DomainKeyOf } from './hosts.ts'
import type { Journal } from '../journal/writer.ts'
import type { EdgeLink, Redirect } from './link.ts'
import { createMeters, type Meters } from './meters.ts'
import { sendPage, type AnyPage } from './pages.ts'
import { hasTwoHosts, isPrefetch } from './request.ts'
import type { Resolved, Resolver } from './resolve.ts'
import type { Outcome, Waiter } from '../journal/open-segment.ts'

/**
 * The redirect: `/{slug}` to a Location.
 *
 *   read ─▶ peek ─known──▶ decide ─redirect, GET──▶ journal ─settled──▶ answer
 *             └─▶ resolve ──▶ ┘ └─page, or HEAD──────────────────────▶ answer
 *
 * What must stay true: a redirect to a GET is answered only after its click is settled; nothing
 * else is a click; no request gets a 5xx for what it asks, only for what we cannot do.
 */
export type EdgeDeps = {
  resolver: Resolver
  journal: Pick<Journal, 'append' | 'stats'>
  domainKeyOf: DomainKeyOf
  clientAddress: ClientAddress
  clock: Clock
  log: Log
  registry: Registry
  /** Answers `/`; a missing page when absent. */
  onRoot?: (req: IncomingMessage, res: ServerResponse) => void
}

export type Edge = {
  /** Answers any request; never throws. */
  handle(req: IncomingMessage, res: ServerResponse): void
  stats(): EdgeStats
}

export type EdgeStats = {
  /** GETs that were answered with a redirect: journaled and dropped clicks. */
  answered: number
}

/** One request on its way through the edge. */
type Visit = {
  req: IncomingMessage
  res: ServerResponse
  isHead: boolean
  headers: IncomingHttpHeaders
  /** Lower-cased, with the port when there is one; '' when absent. */
  host: string
  query: string
  /** Also the click's id, when there is one. */
  ulid: string
  requestId: string
}

const MAX_URL_LENGTH = 16_000
const SLASH = 47
const LOWER_HOST = /^[a-z0-9.:-]*$/

export function createEdge(deps: EdgeDeps): Edge {
  const { resolver, journal, domainKeyOf, clientAddress, clock, log, onRoot } = deps
  const meters = createMeters(deps.registry, resolver, journal)

  function handle(req: IncomingMessage, res: ServerResponse): void {
    try {
      visit(req, res)
    } catch (error) {
      giveUp(res, error)
    }
  }

  function giveUp(res: ServerResponse, error: unknown): void {
    log.error({ err: error }, 'the edge failed')
    if (res.headersSent) res.destroy()
    else sendPage(res, 'broken', requestIdOf(undefined, clock()), undefined)
  }

  function visit(req: IncomingMessage, res: ServerResponse): void {
    const nowMs = clock()
    const { headers } = req
    const asked = headers['x-request-id']
    const id = ulid(nowMs)
    const requestId = asked === undefined ? `req_${id}` : requestIdOf(asked, nowMs)
    const host = lower(headers.host ?? '')
    const url = req.url!
    const queryAt = url.indexOf('?')
    const query = queryAt === -1 ? '' : url.slice(queryAt + 1)
    const isHead = req.method === 'HEAD'
    const made: Visit = { req, res, isHead, headers, host, query, ulid: id, requestId }

    if (!isHead && req.method !== 'GET') return refuse(made, 'wrongMethod')
    if (hasTwoHosts(req)) return refuse(made, 'malformed')
    // A proxy's absolute form, `*`, or an authority: none of them is asked of a link server.
    if (url.charCodeAt(0) !== SLASH) return refuse(made, 'malformed')
    if (url.length > MAX_URL_LENGTH) return refuse(made, 'tooLong')
    const domainKey = domainKeyOf(host)
    if (domainKey === null) return refuse(made, 'missing')
    const path = queryAt === -1 ? url : url.slice(0, queryAt)
    if (path === '/' && onRoot !== undefined) return onRoot(req, res)
    const slug = slugFromPath(path)
    if (slug === null) return refuse(made, 'missing')
    if (slug === 'malformed') return refuse(made, 'malformed')

    const key = `${domainKey}\n${slug.key}`
    const link = resolver.peek(key)
    if (link !== undefined) follow(made, link, nowMs)
    else resolver.resolve(key, (resolved) => followLate(made, resolved))
  }

  /** Goes on when the database has answered; whoever asked may be gone by then. */
  function followLate(made: Visit, resolved: Resolved): void {
    if (made.res.destroyed) return
    try {
      if (resolved === 'unavailable') refuse(made, 'unavailable')
      else follow(made, resolved, clock())
    } catch (error) {
      giveUp(made.res, error)
    }
  }

  function follow(made: Visit, link: EdgeLink | null, nowMs: number): void {
    const decision = decide(link, made, nowMs)
    if (decision.kind === 'page') return refuse(made, decision.page)
    if (made.isHead) return sendRedirect(made, decision)
    const part = decision === link!.plain ? link!.recordPart : undefined
    const answer = new Answer(made, decision, meters)
    journal.append(clickOf(made, link!, decision, nowMs), answer, part)
  }

  function refuse(made: Visit, page: AnyPage): void {
    meters.page(page)
    sendPage(made.res, page, made.requestId, made.req.headers.accept)
  }

  function clickOf(made: Visit, link: EdgeLink, redirect: Redirect, atMs: number): ClickRecord {
    const { req, headers } = made
    return {
      clickId: made.ulid,
      atMs,
      workspaceId: link.workspaceId,
      linkId: link.id,
      host: made.host,
      slug: link.slug,
      destination: link.destination,
      utm: cutUtm(redirect.utm),
      trigger: redirect.trigger,
      ip: clientAddress(req.socket.remoteAddress, headers),
      userAgent: cut(headers['user-agent'] ?? '', 512),
      referrer: cut(headers.referer ?? '', 2_048),
      language: cut(headers['accept-language'] ?? '', 128),
      isPrefetch: isPrefetch(headers),
    }
  }

  return { handle, stats: () => ({ answered: meters.answered() }) }
}

/** What waits for a click to be settled. A class, because one is made for every redirect. */
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
    if (outcome === 'refused') {
      const { req, res, requestId } = this.#visit
      this.#meters.page('unavailable')
      sendPage(res, 'unavailable', requestId, req.headers.accept)
      return
    }
    this.#meters.redirected()
    sendRedirect(this.#visit, this.#redirect)
  }
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
  ])
  res.end()
}

function lower(host: string): string {
  return LOWER_HOST.test(host) ? host : host.toLowerCase()
}

function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) : text
}
