import type { Registry } from 'prom-client'
import type { Clock } from '../platform/core/clock.ts'
import { ulid } from '../platform/core/ids.ts'
import type { Log } from '../platform/core/log.ts'
import { toRequestId } from '../platform/http/request.ts'
import type { ResponseHead } from '../platform/http/plain-connection.ts'
import type { RequestHead } from '../platform/http/plain-request.ts'
import { withClickId } from '../decision/candidate.ts'
import { decide, inspect, quotaOf } from '../decision/decide.ts'
import {
  cutUtm,
  type Click,
  type Decision,
  type EdgeLink,
  type Redirect,
} from '../decision/link.ts'
import { withoutParameter } from '../decision/location.ts'
import type { ToShortUrl } from '../platform/facts/click-data.ts'
import type { ClientAddress } from '../platform/facts/client-address.ts'
import type { Place } from '../platform/facts/geo-fields.ts'
import type { NamedCountry } from '../platform/facts/country.ts'
import { SP_ID, type SignClick } from '../platform/facts/click-identity.ts'
import { encodeSlug, isReservedFile, slugFromPath } from '../platform/facts/slug.ts'
import type { ClickRecord } from '../clicks/journal/format.ts'
import { BioPage } from './pages/bio-pages.ts'
import { NO_BRANDING } from './pages/brand.ts'
import { BioVisits } from './visits/bio-visits.ts'
import type { Outcome, Waiter } from '../clicks/journal/open-segment.ts'
import type { Journal } from '../clicks/journal/writer.ts'
import type { Hosts } from './hosts/hosts.ts'
import type { IsHttps } from './hosts/https.ts'
import { Meters } from './visits/meters.ts'
import type { QuotaNeed, Quotas } from './links/quotas.ts'
import {
  sendCard,
  sendInspection,
  sendInterstitial,
  sendPage,
  type AnyPage,
} from './pages/pages.ts'
import { LockedLinks } from './links/locked-links.ts'
import { MEDIA_PATH, type PublicMedia } from './public-media.ts'
import {
  createVisitorFacts,
  hasTwoHosts,
  toRecord,
  Visit,
  type VisitFacts,
} from './visits/visit.ts'
import type { Found, Resolved, Resolver } from './links/resolve.ts'
import type { Unlock } from './links/unlock.ts'
import type { WellKnown } from './hosts/well-known.ts'

export type EdgeDeps = {
  resolver: Pick<Resolver, 'peek' | 'resolve' | 'forget' | 'stats'>
  journal: Pick<Journal, 'append' | 'stats'>
  quotas: Pick<Quotas, 'claim' | 'stats'>
  hosts: Pick<Hosts, 'find'>
  wellKnown: Pick<WellKnown, 'answer'>
  publicMedia: Pick<PublicMedia, 'answer'>
  clientAddress: ClientAddress
  locate: (ip: string) => Place
  toShortUrl: ToShortUrl
  sharedOrigin: () => string
  namedCountry: NamedCountry
  isHttps: IsHttps
  unlock: Unlock
  signClick: SignClick
  clock: Clock
  log: Log
  registry: Registry
  /** Answers `/` of the shared host; a missing page if absent. */
  onRoot?: (req: RequestHead, res: ResponseHead) => void
}

const MAX_URL_LENGTH = 16_000
const NOINDEX = ['X-Robots-Tag', 'noindex']
const NO_HEADERS: string[] = []
const SLASH = 47
/** Pages that a domain may replace with a URL of its own. */
const NOT_FOUND: ReadonlySet<AnyPage> = new Set<AnyPage>(['missing', 'pending', 'noPreview'])
const LOWER_HOST = /^[a-z0-9.:-]*$/

/**
 * The redirect: `/{slug}` to a Location.
 *
 *   read ─▶ peek ─known──▶ decide ─click, GET──▶ journal ─settled──▶ answer
 *             └─▶ resolve ──▶ ┘ └─other, or HEAD──────────────────▶ answer
 *
 * Invariants: a redirect or an interstitial to a GET is sent only after its click is settled; no other
 * response is a click; a 5xx means that the server failed, not that the request was wrong.
 */
export class Edge {
  readonly #deps: EdgeDeps
  readonly #meters: Meters
  readonly #visitFacts: VisitFacts
  readonly #lockedLinks: LockedLinks
  readonly #bioVisits: BioVisits

  constructor(deps: EdgeDeps) {
    this.#deps = deps
    this.#visitFacts = { ...deps, visitors: createVisitorFacts(deps.locate, deps.clock) }
    this.#meters = new Meters(deps.registry, deps)
    this.#lockedLinks = new LockedLinks({
      unlock: deps.unlock,
      sendPage: (visit, page) => this.#sendPage(visit, page),
      countPage: (page) => this.#meters.countPage(page),
      fail: (visit, error) => this.#fail(visit.res, error),
    })
    this.#bioVisits = new BioVisits({
      journal: deps.journal,
      sendPage: (visit, page) => this.#sendPage(visit, page),
      countView: () => this.#meters.countView(),
    })
  }

  readonly handle = (req: RequestHead, res: ResponseHead): void => {
    try {
      this.#visit(req, res)
    } catch (error) {
      this.#fail(res, error)
    }
  }

  /**
   * `answered`: GET requests answered with a redirect or a bio page, whose clicks and views are journaled
   * or dropped.
   */
  stats(): { answered: number } {
    return { answered: this.#meters.answered() }
  }

  #visit(req: RequestHead, res: ResponseHead): void {
    const { clock, hosts, publicMedia, resolver } = this.#deps
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
    const visit = new Visit(req, res, { host, query, ulid: id, requestId }, this.#visitFacts)
    if (this.#meters.measuresNext()) visit.arrivedAtMs = performance.now()

    if (!visit.isHead && req.method !== 'GET') return this.#receive(visit)
    if (hasTwoHosts(req)) return this.#sendPage(visit, 'malformed')
    // Not a path: the absolute form for a proxy, `*`, or an authority.
    if (url.charCodeAt(0) !== SLASH) return this.#sendPage(visit, 'malformed')
    if (url.length > MAX_URL_LENGTH) return this.#sendPage(visit, 'tooLong')
    const path = queryAt === -1 ? url : url.slice(0, queryAt)
    const site = hosts.find(host)
    if (site === null) return this.#answerForeign(visit, path)
    visit.site = site
    const isMedia = site.domainId === '' && path.startsWith(MEDIA_PATH)
    if (isMedia && publicMedia.answer(visit, path, this.#sendOwnPage)) return
    const slug = slugFromPath(path, site.isCaseSensitive)
    if (slug === null) return this.#answerOther(visit, path)
    if (slug === 'malformed') return this.#sendPage(visit, 'malformed')
    if (site.domainId !== '' && isReservedFile(slug.key)) return this.#answerOther(visit, path)

    visit.slug = slug.slug
    visit.key = `${site.key}\n${slug.key}`
    const found = resolver.peek(visit.key)
    if (found !== undefined) this.#show(visit, found, nowMs)
    else
      resolver.resolve(visit.key, (resolved) =>
        this.#continue(visit, resolved, (read) => this.#show(visit, read, clock())),
      )
  }

  #show(visit: Visit, found: Found | null, nowMs: number): void {
    if (found instanceof BioPage) this.#bioVisits.show(visit, found, nowMs)
    else this.#follow(visit, found, nowMs)
  }

  /** A host that this server does not serve (yet): only its owner may request a proof. */
  #answerForeign(visit: Visit, path: string): void {
    const isAnswered = this.#deps.wellKnown.answer(visit, path, this.#sendOwnPage)
    if (!isAnswered) this.#sendPage(visit, 'missing')
  }

  #answerOther(visit: Visit, path: string): void {
    if (path === '/') return this.#answerRoot(visit)
    // No slug contains a plus sign.
    if (path.endsWith('+')) return this.#inspect(visit, path)
    const isAnswered = this.#deps.wellKnown.answer(visit, path, this.#sendOwnPage)
    if (!isAnswered) this.#sendPage(visit, 'missing')
  }

  #answerRoot(visit: Visit): void {
    const { domainId, rootRedirectUrl } = visit.site
    const { onRoot } = this.#deps
    if (rootRedirectUrl !== null) return sendAway(visit, rootRedirectUrl)
    if (domainId === '' && onRoot !== undefined) return onRoot(visit.req, visit.res)
    if (domainId === '') return this.#sendOwnPage(visit, 'missing')
    // A page may be at the root of a branded host.
    this.#find(visit, `${visit.site.key}\n`, (found) => {
      if (found instanceof BioPage) this.#bioVisits.show(visit, found, this.#deps.clock())
      else this.#sendOwnPage(visit, 'missing')
    })
  }

  /** Neither GET nor HEAD: the form of a link with a password, or not allowed. */
  #receive(visit: Visit): void {
    const { method, url } = visit.req
    const isForm = method === 'POST' && url!.length <= MAX_URL_LENGTH && !hasTwoHosts(visit.req)
    const site = isForm ? this.#deps.hosts.find(visit.host) : null
    if (site === null) return this.#sendPage(visit, 'wrongMethod')
    visit.site = site
    const slug = slugFromPath(url!.split('?', 1)[0]!, site.isCaseSensitive)
    if (slug === null || slug === 'malformed') return this.#sendPage(visit, 'wrongMethod')
    visit.slug = slug.slug
    this.#find(visit, `${site.key}\n${slug.key}`, (found) => {
      if (found instanceof BioPage) return this.#sendPage(visit, 'wrongMethod')
      this.#lockedLinks.receive(visit, found, `/${encodeSlug(slug.slug)}`, this.#deps.clock())
    })
  }

  #find(visit: Visit, key: string, answer: (found: Found | null) => void): void {
    const found = this.#deps.resolver.peek(key)
    if (found !== undefined) answer(found)
    else this.#deps.resolver.resolve(key, (resolved) => this.#continue(visit, resolved, answer))
  }

  /** Continues after the query, when the client may have disconnected. */
  #continue(visit: Visit, resolved: Resolved, answer: (found: Found | null) => void): void {
    if (visit.res.destroyed) return
    try {
      if (resolved === 'unavailable') this.#sendPage(visit, 'unavailable')
      else answer(resolved)
    } catch (error) {
      this.#fail(visit.res, error)
    }
  }

  #follow(visit: Visit, link: EdgeLink | null, nowMs: number): void {
    const decision = decide(link, visit, nowMs)
    if (link === null || link.options === null) return this.#answer(visit, link, decision, nowMs)
    const need = quotaOf(link, decision)
    if (need === 'none') this.#answer(visit, link, decision, nowMs)
    else this.#followCounted(visit, link, decision, need, nowMs)
  }

  /** Takes one of the link's remaining redirects before answering; HEAD takes none. */
  #followCounted(
    visit: Visit,
    link: EdgeLink,
    decision: Decision,
    need: QuotaNeed,
    nowMs: number,
  ): void {
    const isGone = () => visit.res.destroyed
    this.#deps.quotas.claim(link, visit.isHead ? 'left' : need, isGone, (outcome) => {
      if (isGone()) return
      try {
        if (outcome === 'granted') return this.#answer(visit, link, decision, nowMs)
        if (outcome === 'changed' && !visit.isReloaded) return this.#followAgain(visit)
        if (outcome !== 'exhausted') return this.#sendPage(visit, 'unavailable')
        visit.isExhausted = true
        this.#answer(visit, link, decide(link, visit, nowMs), nowMs)
      } catch (error) {
        this.#fail(visit.res, error)
      }
    })
  }

  /** The link turned out to be out of date. */
  #followAgain(visit: Visit): void {
    const { resolver, clock } = this.#deps
    visit.isReloaded = true
    resolver.forget(visit.key)
    resolver.resolve(visit.key, (resolved) =>
      this.#continue(visit, resolved, (found) => this.#show(visit, found, clock())),
    )
  }

  #answer(visit: Visit, link: EdgeLink | null, decision: Decision, nowMs: number): void {
    if (decision.kind !== 'redirect' && decision.kind !== 'interstitial')
      return this.#sendOther(visit, link!, decision)
    if (visit.isHead) return sendClick(visit, decision)
    const answer = new Answer(visit, this.#withClickId(visit, link!, decision), this.#meters)
    const recordPart = recordPartOf(link!, decision)
    this.#deps.journal.append(this.#toClick(visit, link!, decision, nowMs), answer, recordPart)
  }

  /**
   * Adds the click id to the destination of a link with `trackConversions`, or to Google Play, but not to
   * the record. A page that opens an app has none, and passes on none that the visitor chose.
   */
  #withClickId(visit: Visit, link: EdgeLink, click: Click): Click {
    if (link.options === null || !link.options.tracksConversions) return click
    if (click.kind === 'interstitial')
      return { ...click, fallback: withoutParameter(click.fallback, SP_ID) }
    const spId = this.#deps.signClick(visit.ulid, link.id)
    return { ...click, location: withClickId(click, SP_ID, spId) }
  }

  #sendOther(visit: Visit, link: EdgeLink, decision: Exclude<Decision, Click>): void {
    if (decision.kind === 'page') {
      if (decision.page !== 'password') return this.#sendPage(visit, decision.page)
      return this.#lockedLinks.ask(visit, link, () => this.#follow(visit, link, this.#deps.clock()))
    }
    if (decision.kind === 'away') {
      this.#meters.countPage('expired')
      return sendAway(visit, decision.location)
    }
    this.#meters.countPage('card')
    sendCard(visit.res, decision, visit.requestId, visit.shortUrl(link.slug))
  }

  /** @param path of a short URL with a plus sign at its end */
  #inspect(visit: Visit, path: string): void {
    const { key, isCaseSensitive } = visit.site
    const slug = slugFromPath(path.slice(0, -1), isCaseSensitive)
    if (slug === null || slug === 'malformed') return this.#sendPage(visit, 'noPreview')
    visit.slug = slug.slug
    this.#find(visit, `${key}\n${slug.key}`, (found) =>
      this.#sendInspection(visit, found instanceof BioPage ? null : found),
    )
  }

  #sendInspection(visit: Visit, link: EdgeLink | null): void {
    const inspection = inspect(link, this.#deps.clock())
    if (inspection.kind === 'page') return this.#sendPage(visit, 'noPreview')
    this.#meters.countPage('inspection')
    sendInspection(visit.res, inspection, visit.shown, visit.shortUrl(link!.slug))
  }

  #toClick(visit: Visit, link: EdgeLink, click: Click, nowMs: number): ClickRecord {
    const { candidate } = click
    const subject = {
      workspaceId: link.workspaceId,
      linkId: link.id,
      slug: link.slug,
      destination: candidate === null ? link.destination : candidate.destination,
      utm: cutUtm(click.utm),
      trigger: click.trigger,
      route: candidate === null ? 'default' : candidate.route,
      isView: false,
    }
    return toRecord(visit, subject, nowMs)
  }

  /** Sends a page, or redirects to the domain's page for links that are not found. */
  #sendPage(visit: Visit, page: AnyPage): void {
    const { notFoundUrl } = visit.site
    if (notFoundUrl === null || !NOT_FOUND.has(page)) return this.#sendOwnPage(visit, page)
    this.#meters.countPage(page)
    sendAway(visit, notFoundUrl)
  }

  readonly #sendOwnPage = (visit: Visit, page: AnyPage): void =>
    countAndSendPage(this.#meters, visit, page)

  #fail(res: ResponseHead, error: unknown): void {
    this.#deps.log.error({ err: error }, 'a redirect failed unexpectedly')
    if (res.headersSent) res.destroy()
    else {
      const requestId = toRequestId(undefined, this.#deps.clock())
      sendPage(res, 'broken', {
        requestId,
        accept: undefined,
        spoken: 'en',
        host: '',
        reportUrl: null,
        branding: NO_BRANDING,
      })
    }
  }
}

/** Answers once its click is settled. A class, because every redirect creates one. */
class Answer implements Waiter {
  readonly #visit: Visit
  readonly #click: Click
  readonly #meters: Meters

  constructor(visit: Visit, click: Click, meters: Meters) {
    this.#visit = visit
    this.#click = click
    this.#meters = meters
  }

  settled(outcome: Outcome): void {
    if (outcome === 'refused') return countAndSendPage(this.#meters, this.#visit, 'unavailable')
    this.#meters.countRedirect(this.#visit.arrivedAtMs)
    sendClick(this.#visit, this.#click)
  }
}

function countAndSendPage(meters: Meters, visit: Visit, page: AnyPage): void {
  meters.countPage(page)
  sendPage(visit.res, page, visit.shown)
}

/**
 * The part of the record that is already encoded; undefined if the redirect depends on the query.
 */
function recordPartOf(link: EdgeLink, click: Click): string | undefined {
  const { candidate } = click
  if (candidate === null) return click === link.plain ? link.recordPart : undefined
  return click === candidate.plain ? candidate.recordPart : undefined
}

function sendClick(visit: Visit, click: Click): void {
  if (click.kind === 'redirect') return sendRedirect(visit, click)
  sendInterstitial(visit.res, click, visit.shown)
}

function sendAway({ res, requestId }: Visit, location: string): void {
  res.writeHead(302, {
    Location: location,
    'Cache-Control': 'private, no-store',
    'X-Request-Id': requestId,
    'Content-Length': '0',
  })
  res.end()
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
    ...(redirect.candidate?.isNoindex === true ? NOINDEX : NO_HEADERS),
  ])
  res.end()
}

function toLower(host: string): string {
  return LOWER_HOST.test(host) ? host : host.toLowerCase()
}
