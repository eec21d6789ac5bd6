import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { addressOf } from '../../platform/http/sender.ts'
import type { Lock, Request } from '../../decision/link.ts'
import type { ClientAddress } from '../../platform/facts/client-address.ts'
import { placeOf } from '../../platform/facts/country.ts'
import type { Place } from '../../platform/facts/geo-fields.ts'
import type { Device } from '../../platform/facts/device.ts'
import type { ToShortUrl } from '../../platform/facts/click-data.ts'
import type { NamedCountry } from '../../platform/facts/named-country.ts'
import { FOREIGN_HOST, type ServedHost } from '../hosts/hosts.ts'
import type { IsHttps } from '../hosts/https.ts'
import type { Shown } from '../pages/pages.ts'
import type { Unlock } from '../links/unlock.ts'
import type { VisitorFacts } from './visitor-facts.ts'

const MAX_AGENT_LENGTH = 512
const MAX_LANGUAGE_LENGTH = 128
/** As long as a reported URL may be. */
const MAX_REPORTED_LENGTH = 2_048

/** Sources of the facts that the head of a request does not state. */
export type VisitFacts = {
  readonly clientAddress: ClientAddress
  readonly namedCountry: NamedCountry
  readonly visitors: VisitorFacts
  readonly toShortUrl: ToShortUrl
  /** Of the shared host, where reports are taken. */
  readonly sharedOrigin: () => string
  readonly isHttps: IsHttps
  readonly unlock: Pick<Unlock, 'isUnlocked'>
}

/**
 * One request and the facts that are read from it. Those of the visitor are computed when they are asked
 * for: most links do not need them.
 */
export class Visit implements Request {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly isHead: boolean
  readonly headers: IncomingHttpHeaders
  /** In lower case, with its port if it has one; '' if absent. */
  readonly host: string
  readonly query: string
  /** Also the id of the click, if the answer is one. */
  readonly ulid: string
  readonly requestId: string
  /** The host that serves the request, once it is known. */
  site: ServedHost = FOREIGN_HOST
  /** Of the link, as in the resolver. */
  key = ''
  /** As the visitor spelled it; '' for a path that is no slug. */
  slug = ''
  isExhausted = false
  /** `performance.now()` at the arrival of a request whose time is measured; else 0. */
  arrivedAtMs = 0
  /** True once the link was loaded a second time for this request. */
  isReloaded = false
  /** The hash that a password in this request was compared with, and is right. */
  givenHash: string | null = null
  readonly #facts: VisitFacts
  // Facts that each condition of each rule asks for, and then the journal.
  #address: string | undefined
  #place: Place | undefined
  #device: Device | undefined

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
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

  /** Country that a trusted proxy names; '' if none. */
  get namedCountry() {
    return this.#facts.namedCountry(addressOf(this.req), this.headers)
  }

  get userAgent() {
    return cut(this.headers['user-agent'] ?? '', MAX_AGENT_LENGTH)
  }

  /** The Accept-Language header. */
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

  /** For the page that answers the request. */
  get shown(): Shown {
    const host = this.site === FOREIGN_HOST ? '' : this.host
    return {
      requestId: this.requestId,
      accept: this.headers.accept,
      host,
      reportUrl: host === '' ? null : this.#toReportUrl(),
    }
  }

  /** The form for a report, relative on the shared host, which may have several names. */
  #toReportUrl(): string {
    const origin = this.site.domainId === '' ? '' : this.#facts.sharedOrigin()
    const form = `${origin}/report-abuse`
    // No other path is repeated: a page must not contain the proof of a domain because its address does.
    const address = this.slug === '' ? '' : this.shortUrl(this.slug)
    if (address === '' || address.length > MAX_REPORTED_LENGTH) return form
    return `${form}?url=${encodeURIComponent(address)}`
  }

  get expiredUrl(): string | null {
    return this.site.expiredUrl
  }

  /** Whether the browser of the visitor sees an https address. */
  get isHttps() {
    return this.#facts.isHttps(this.host, this.req)
  }

  isUnlocked(lock: Lock): boolean {
    if (this.givenHash === lock.passwordHash) return true
    return this.#facts.unlock.isUnlocked(lock, this.headers.cookie, this.isHttps)
  }
}

export function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) : text
}
