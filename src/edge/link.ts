/** utm_source, _medium, _campaign, _term, _content; '' when not set. */
export type Utm = readonly [string, string, string, string, string]

/** What a redirect needs to know of a link, and what its click records. */
export type LinkFacts = {
  readonly id: string
  readonly workspaceId: string
  /** The author's spelling. */
  readonly slug: string
  readonly destination: string
  /** `suspended`: it would redirect, but its workspace is suspended or being deleted. */
  readonly status: 'active' | 'paused' | 'archived' | 'blocked' | 'suspended'
  readonly redirectType: 301 | 302 | 307 | 308
  readonly expiresAtMs: number | null
  readonly utm: Utm
}

export type Redirect = {
  readonly kind: 'redirect'
  readonly status: LinkFacts['redirectType']
  /** A legal header value: printable ASCII. */
  readonly location: string
  readonly cacheControl: string
  /** As they stand in `location`, decoded. */
  readonly utm: Utm
  readonly trigger: 'link' | 'qr'
}

/** A link as the edge keeps it. Nearly all requests carry no query: these two are made for them. */
export type EdgeLink = LinkFacts & {
  readonly plain: Redirect
  /** What the records of its clicks have in common; see storage/journal.ts. */
  readonly recordPart: string
}
