import type { EdgeLink, LinkFacts, Request } from '../../src/decision/link.ts'
import { toEdgeLink } from '../../src/decision/prepare.ts'
import { encodeLinkPart } from '../../src/clicks/journal/format.ts'

/** A link as the edge keeps it; `over` replaces single fields of its row. */
export function makeEdgeLink(over: Partial<LinkFacts> = {}): EdgeLink {
  const facts: LinkFacts = {
    id: 'lnk_1',
    workspaceId: 'ws_1',
    domainId: '',
    slug: 'docs',
    destination: 'https://example.com',
    status: 'active',
    redirectType: 302,
    expiresAtMs: null,
    utm: ['', '', '', '', ''],
    options: null,
    passwordHash: null,
    ...over,
  }
  return toEdgeLink(facts, encodeLinkPart)
}

export const UNKNOWN_PLACE = {
  country: 'unknown',
  region: 'unknown',
  city: 'unknown',
  continent: 'unknown',
} as const

/** A request of an unknown visitor without a query; `over` replaces single facts. */
export function makeRequest(over: Partial<Request> = {}): Request {
  return {
    query: '',
    address: '203.0.113.9',
    userAgent: '',
    kind: 'human',
    place: UNKNOWN_PLACE,
    device: { device: 'other', browser: 'unknown', os: 'unknown' },
    language: 'unknown',
    isExhausted: false,
    expiredUrl: null,
    shortUrl: (slug) => `https://s.example/${slug}`,
    isUnlocked: () => false,
    ...over,
  }
}
