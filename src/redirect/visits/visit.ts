import { matchLanguage } from '../../platform/facts/languages.ts'
import { addressOf } from '../../platform/http/request.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { ResponseHead } from '../../platform/http/plain-connection.ts'
import type { RequestHead } from '../../platform/http/plain-request.ts'
import type { Lock, Request } from '../../decision/link.ts'
import type { ClientAddress } from '../../platform/facts/client-address.ts'
import { placeOf, type NamedCountry } from '../../platform/facts/country.ts'
import type { Place } from '../../platform/facts/geo-fields.ts'
import { type Device, createDevices } from '../../platform/facts/device.ts'
import type { ToShortUrl } from '../../platform/facts/click-data.ts'
import { FOREIGN_HOST, type ServedHost } from '../hosts/hosts.ts'
import type { IsHttps } from '../hosts/https.ts'
import { brandingOf } from '../pages/brand.ts'
import type { Shown } from '../pages/pages.ts'
import type { Unlock } from '../links/unlock.ts'
import type { Clock } from '../../platform/core/clock.ts'
import { memoize } from '../../platform/core/functions.ts'
import { classifyAgent } from '../../platform/facts/bots.ts'
import { languageLabel } from '../../platform/facts/visit-headers.ts'
import type { ClickRecord } from '../../clicks/journal/format.ts'

const MAX_AGENT_LENGTH = 512
const MAX_LANGUAGE_LENGTH = 128
const MAX_REPORTED_LENGTH = 2_048

/** Sources of facts that are not in the request's head. */
export type VisitFacts = {
  readonly clientAddress: ClientAddress
  readonly namedCountry: NamedCountry
  readonly visitors: VisitorFacts
  readonly toShortUrl: ToShortUrl
  /** Origin of the shared host, which takes reports. */
  readonly sharedOrigin: () => string
  readonly isHttps: IsHttps
  readonly unlock: Pick<Unlock, 'isUnlocked'>
}

/**
 * One request and the facts read from it. Facts about the visitor are computed on demand: most links do not
 * need them.
 */
export class Visit implements Request {
  readonly req: RequestHead
  readonly res: ResponseHead
  readonly isHead: boolean
  readonly headers: IncomingHttpHeaders
  readonly host: string
  readonly query: string
  /** Also the id of the click, if the response is one. */
  readonly ulid: string
  readonly requestId: string
  site: ServedHost = FOREIGN_HOST
  key = ''
  /** As the visitor spelled it; '' for a path that is no slug. */
  slug = ''
  isExhausted = false
  /** `performance.now()` at the arrival; 0 if not measured. */
  arrivedAtMs = 0
  /** The link was loaded a second time for this request. */
  isReloaded = false
  /** The hash that this request's password matched. */
  givenHash: string | null = null
  readonly #facts: VisitFacts
  // Cached, because every condition of every rule reads them, and then the journal.
  #address: string | undefined
  #place: Place | undefined
  #device: Device | undefined

  constructor(
    req: RequestHead,
    res: ResponseHead,
    head: { host: string; query: string; ulid: string; requestId: string },
    facts: VisitFacts,
  ) {
    this.req = req
    this.res = res
    this.isHead = req.method === 'HEAD'
    this.headers = req.headers
    this.host = head.host
    this.query = head.query
    this.ulid = head.ulid
    this.requestId = head.requestId
    this.#facts = facts
  }

  get address(): string {
    this.#address ??= this.#facts.clientAddress(addressOf(this.req), this.headers)
    return this.#address
  }

  get namedCountry() {
    return this.#facts.namedCountry(addressOf(this.req), this.headers)
  }

  get userAgent() {
    return cut(this.headers['user-agent'] ?? '', MAX_AGENT_LENGTH)
  }

  get languages() {
    return cut(this.headers['accept-language'] ?? '', MAX_LANGUAGE_LENGTH)
  }

  get kind() {
    return this.#facts.visitors.classifyAgent(this.userAgent)
  }

  get place(): Place {
    this.#place ??= placeOf(this.namedCountry, this.#facts.visitors.locate(this.address))
    return this.#place
  }

  get device(): Device {
    this.#device ??= this.#facts.visitors.readDevice(this.userAgent)
    return this.#device
  }

  get language() {
    return this.#facts.visitors.languageLabel(this.languages)
  }

  shortUrl(slug: string): string {
    return this.#facts.toShortUrl(this.host, slug, this.site.domainId)
  }

  get shown(): Shown {
    const host = this.site === FOREIGN_HOST ? '' : this.host
    return {
      requestId: this.requestId,
      accept: this.headers.accept,
      spoken: matchLanguage(this.headers['accept-language']),
      host,
      reportUrl: host === '' ? null : this.#toReportUrl(),
      branding: brandingOf(this.site.brand, this.#facts.sharedOrigin),
    }
  }

  /** Relative on the shared host, which may have several names. */
  #toReportUrl(): string {
    const origin = this.site.domainId === '' ? '' : this.#facts.sharedOrigin()
    const form = `${origin}/report-abuse`
    // Repeats no other path: a page must not contain a domain's proof because its address does.
    const address = this.slug === '' ? '' : this.shortUrl(this.slug)
    if (address === '' || address.length > MAX_REPORTED_LENGTH) return form
    return `${form}?url=${encodeURIComponent(address)}`
  }

  get expiredUrl(): string | null {
    return this.site.expiredUrl
  }

  get isHttps() {
    return this.#facts.isHttps(this.host, this.req)
  }

  isUnlocked(lock: Lock): boolean {
    if (this.givenHash === lock.passwordHash) return true
    return this.#facts.unlock.isUnlocked(lock, this.headers.cookie, this.isHttps)
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) : text
}

const PREFETCH = /prefetch|prerender|preview/i

function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return (
    announces(headers['sec-purpose']) ||
    announces(headers['purpose']) ||
    announces(headers['x-moz'])
  )
}

function announces(value: string | string[] | undefined): boolean {
  return value !== undefined && PREFETCH.test(String(value))
}

/**
 * With two Host headers, a proxy and this server could act on different hosts; node:http keeps the first.
 * Compares the length of a name first, because that is cheap.
 */
export function hasTwoHosts(req: RequestHead): boolean {
  let hosts = 0
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i]!
    if (name.length === 4 && (name === 'Host' || name.toLowerCase() === 'host')) hosts++
  }
  return hosts > 1
}

export type VisitorFacts = ReturnType<typeof createVisitorFacts>

const CACHED_ADDRESSES = 32_768
const CACHED_TEXTS = 8_192
/** The geo database may be replaced while the process runs. */
const PLACES_LIFE_MS = 600_000

/** The same labels as in analytics, cached. */
export function createVisitorFacts(locate: (ip: string) => Place, clock: Clock) {
  let locateCached = memoize(CACHED_ADDRESSES, locate)
  let cachedSinceMs = clock()
  return {
    locate(address: string): Place {
      const ageMs = clock() - cachedSinceMs
      if (ageMs >= PLACES_LIFE_MS || ageMs < 0) {
        locateCached = memoize(CACHED_ADDRESSES, locate)
        cachedSinceMs = clock()
      }
      return locateCached(address)
    },
    classifyAgent: memoize(CACHED_TEXTS, classifyAgent),
    readDevice: createDevices(CACHED_TEXTS),
    languageLabel: memoize(CACHED_TEXTS, languageLabel),
  }
}

type Subject = Pick<
  ClickRecord,
  'workspaceId' | 'linkId' | 'slug' | 'destination' | 'utm' | 'trigger' | 'route' | 'isView'
>

export function toRecord(visit: Visit, subject: Subject, atMs: number): ClickRecord {
  const { headers } = visit
  return {
    clickId: visit.ulid,
    atMs,
    workspaceId: subject.workspaceId,
    linkId: subject.linkId,
    host: visit.host,
    slug: subject.slug,
    destination: subject.destination,
    utm: subject.utm,
    trigger: subject.trigger,
    ip: visit.address,
    userAgent: visit.userAgent,
    referrer: cut(headers.referer ?? '', 2_048),
    language: visit.languages,
    isPrefetch: isPrefetch(headers),
    domainId: visit.site.domainId,
    route: subject.route,
    country: visit.namedCountry,
    isView: subject.isView,
    hasGpc: headers['sec-gpc'] === '1',
    hasDnt: headers['dnt'] === '1',
  }
}
