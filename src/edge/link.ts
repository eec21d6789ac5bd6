import type { LinkOptions } from '../facts/link-options.ts'
import type { EdgeOptions } from './options.ts'

/** utm_source, _medium, _campaign, _term, _content; '' if not set. */
export type Utm = readonly [string, string, string, string, string]

/** Fields of a link that a redirect or its click record needs. */
export type LinkFacts = {
  readonly id: string
  readonly workspaceId: string
  /** In its author's spelling. */
  readonly slug: string
  readonly destination: string
  /** `suspended`: the link is active or archived, and its workspace is suspended or being deleted. */
  readonly status: 'active' | 'paused' | 'archived' | 'blocked' | 'suspended'
  readonly redirectType: 301 | 302 | 307 | 308
  readonly expiresAtMs: number | null
  readonly utm: Utm
  readonly options: LinkOptions | null
  /** PHC string of argon2id. */
  readonly passwordHash: string | null
}

export type Redirect = {
  readonly kind: 'redirect'
  readonly status: LinkFacts['redirectType']
  /** A valid header value: printable ASCII. */
  readonly location: string
  readonly cacheControl: string
  /** The values in `location`, decoded. */
  readonly utm: Utm
  readonly trigger: 'link' | 'qr'
  /** Asks search engines not to index the short URL. */
  readonly isNoindex: boolean
}

/** A link in the memory of the edge. Nearly all requests have no query: their answer is computed once. */
export type EdgeLink = Omit<LinkFacts, 'options' | 'passwordHash'> & {
  readonly plain: Redirect
  /** Shared part of its click records; see journal/format.ts. */
  readonly recordPart: string
  /** Null for nearly every link, which then is answered with `plain`. */
  readonly options: EdgeOptions | null
}
