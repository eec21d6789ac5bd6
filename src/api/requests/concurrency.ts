import type { Caller } from '../../platform/routes/caller.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES, type Places } from '../../platform/limits/places.ts'
import { networkOf } from '../../platform/facts/network.ts'

type Owner = Pick<Caller, 'principal' | 'session' | 'ip'>

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>

/**
 * Bounds the concurrent requests of each user and workspace; others wait. A thousand requests of one
 * workspace queue behind each other, and a request of the next one finds at most five ahead of it in the pool
 * of connections. Work keeps its place until it ends, even after its client got an answer.
 */
export function createConcurrencyLimit(
  ofOwner: Places = PLACES.requests,
  ofNetwork: Places = PLACES.anonymousRequests,
) {
  const owners = new FairQueue(ofOwner)
  const networks = new FairQueue(ofNetwork)
  /** @throws ApiError RATE_LIMITED when too many requests of the owner wait */
  return <T>(owner: Owner, signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    (owner.principal || owner.session ? owners : networks).run(listOwners(owner), signal, work)
}

/** The user and workspace of a request, else the client's network. */
export function listOwners({ principal, session, ip }: Owner): readonly string[] {
  if (principal) return [`user:${principal.userId}`, `workspace:${principal.workspaceId}`]
  return session ? [`user:${session.userId}`] : [`network:${networkOf(ip ?? '')}`]
}

/** The workspace of a request, else its user, else the client's network. */
export function toOwner({ principal, session, ip }: Owner): string {
  return principal?.workspaceId ?? session?.userId ?? networkOf(ip ?? '')
}
