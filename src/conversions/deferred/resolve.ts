import type { Principal } from '../../platform/routes/principal.ts'
import type { SignClick } from '../../platform/facts/click-identity.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { ClickReader } from '../../analytics/questions/reader.ts'
import type { Dependencies, Limiter } from '../../platform/resources/dependencies.ts'
import type { ShortHost } from '../../links/link/dependencies.ts'
import type { ToDomain } from '../../links/link/addresses.ts'
import {
  findByFingerprint,
  findByUrl,
  findNamed,
  isOpen,
  readLink,
  type DeferredRow,
  type Found,
} from './found.ts'
import { toHints, type Hint } from './hints.ts'
import { DeferredMatch, ResolveDeferred, type Method, type Platform } from './schema.ts'
import { route } from '../../platform/routes/route.ts'

export type DeferredDeps = Pick<
  Dependencies,
  'sql' | 'systemSql' | 'secrets' | 'clock' | 'requireCapability' | 'saveIdempotentResponse'
> & {
  reader: ClickReader
  shortHost: () => ShortHost
  toDomain: ToDomain
  sign: SignClick
  /** Bounds the clicks of a workspace that are matched in a day. */
  matches: Limiter
}

const CONFIDENCE = { click: 1, link: 0.9, fingerprint: 0.6 } as const

const NO_MATCH: DeferredMatch = Object.freeze({
  matched: false,
  method: null,
  confidence: 0,
  clickId: null,
  link: null,
  deepLink: null,
  metadata: null,
  clickedAt: null,
})

/** The first hint that names a click decides, even if it was answered: a later hint is about another click. */
async function resolveDeferred(
  deps: DeferredDeps,
  principal: Principal,
  input: ResolveDeferred,
  signal?: AbortSignal,
): Promise<DeferredMatch> {
  const hints = toHints(deps.sign, input)
  await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    deps.requireCapability(tx, principal.workspaceId, 'deep_links'),
  )
  for (const hint of hints) {
    const found = await find(deps, principal, hint, signal)
    if (found)
      return answer(deps, principal, found, { method: hint.method, platform: input.platform })
  }
  return inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    deps.saveIdempotentResponse(tx, principal, NO_MATCH),
  )
}

function find(
  deps: DeferredDeps,
  principal: Principal,
  hint: Hint,
  signal: AbortSignal | undefined,
): Promise<Found | null> {
  const nowMs = deps.clock()
  if ('click' in hint) return findNamed({ ...deps, nowMs }, principal, hint.click, signal)
  if ('url' in hint) return findByUrl(deps, principal, hint.url)
  return findByFingerprint({ ...deps, nowMs }, principal, hint)
}

async function answer(
  deps: DeferredDeps,
  principal: Principal,
  found: Found,
  by: { method: Method; platform: Platform | undefined },
): Promise<DeferredMatch> {
  if (found.clickId !== null) await deps.matches.consume(principal.workspaceId)
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const link = await readLink(tx, principal, found.linkId)
    const isMatch =
      link !== null &&
      (found.clickId === null ? isOpen(link, deps.clock()) : await claim(tx, principal, found))
    const match = isMatch ? toMatch(link, found, by, deps.shortHost().domain) : NO_MATCH
    return deps.saveIdempotentResponse(tx, principal, match)
  })
}

async function claim(tx: Tx, { workspaceId }: Principal, { clickId, clickedAt }: Found) {
  const claimed = await tx`
    insert into deep_link_matches (workspace_id, click_id, clicked_at)
    values (${workspaceId}, ${clickId}, ${clickedAt})
    on conflict do nothing`
  return claimed.count === 1
}

function toMatch(
  link: DeferredRow,
  { clickId, clickedAt }: Found,
  { method, platform }: { method: Method; platform: Platform | undefined },
  sharedDomain: string,
): DeferredMatch {
  const { id, slug, destinationUrl, metadata } = link
  const { iosDeepLink, androidDeepLink } = link.options ?? {}
  const own = { ios: iosDeepLink, android: androidDeepLink }
  const basis = method === 'fingerprint' ? 'fingerprint' : clickId === null ? 'link' : 'click'
  return {
    matched: true,
    method,
    confidence: CONFIDENCE[basis],
    clickId,
    link: { id, slug, domain: link.hostname ?? sharedDomain, destinationUrl },
    deepLink: (platform && own[platform]) ?? destinationUrl,
    metadata,
    clickedAt: clickedAt?.toISOString() ?? null,
  }
}

export const deferredRoutes = (deps: DeferredDeps) => [
  route('POST /deferred/resolve', {
    requires: { credential: 'any', role: 'member', scope: 'deferred:write' },
    tier: 'ingestion',
    idempotent: true,
    name: 'resolveDeferredLink',
    summary: 'Resolve a deferred deep link',
    description:
      'Tells an app that is opened for the first time which link led to its installation: by the install referrer, by the click or the short URL, or by the address of the phone. A click is matched once.',
    errors: ['PLAN_CAPABILITY_REQUIRED'],
    tag: 'Deep links',
    shapes: { body: ResolveDeferred, reply: DeferredMatch },
    handle: (principal, { body }, signal) => resolveDeferred(deps, principal, body, signal),
  }),
]
