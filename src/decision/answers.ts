import type { Away, LinkFacts, Page, Request } from './link.ts'

/** Also the answer for a paused link, so that clients cannot tell that it exists. */
export const MISSING: Page = { kind: 'page', page: 'missing', status: 404 }
/** Reveals that there will be a link, but neither when nor where it leads. */
export const PENDING: Page = { kind: 'page', page: 'pending', status: 404 }
const EXPIRED: Page = { kind: 'page', page: 'expired', status: 410 }
const EXHAUSTED: Page = { kind: 'page', page: 'exhausted', status: 410 }
export const PASSWORD: Page = { kind: 'page', page: 'password', status: 401 }
const SUSPENDED: Page = { kind: 'page', page: 'suspended', status: 410 }
const BLOCKED: Page = { kind: 'page', page: 'blocked', status: 451 }

/** Null for statuses that redirect. */
export const BY_STATUS: Record<LinkFacts['status'], Page | null> = {
  active: null,
  archived: null,
  paused: MISSING,
  suspended: SUSPENDED,
  blocked: BLOCKED,
}

/** For an ended link without its own `expiredUrl`. */
export function answerEnded(
  reason: 'expired' | 'exhausted',
  { expiredUrl }: Pick<Request, 'expiredUrl'>,
): Page | Away {
  if (expiredUrl !== null) return { kind: 'away', status: 302, location: expiredUrl }
  return reason === 'expired' ? EXPIRED : EXHAUSTED
}
