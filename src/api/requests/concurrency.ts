import type { Caller } from '../../platform/routes/caller.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES, type Places } from '../../platform/limits/places.ts'
import { networkOf } from '../../platform/facts/network.ts'

type Owner = Pick<Caller, 'principal' | 'session' | 'ip'>

/**
 * Runs work as soon as its owner has room for it.
 * @throws ApiError RATE_LIMITED when too many requests of the user, workspace or network wait
 */
export type ConcurrencyLimit = <T>(
  owner: Owner,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>

/**
 * Bounds the concurrent requests of one user, and of one workspace; others wait. A thousand requests
 * of one workspace queue behind each other, and a request of the next workspace finds at most
 * five of them ahead of it in the pool of connections. Work keeps its place until it has ended,
 * also when its client has been answered long before.
 */
export function createConcurrencyLimit(
  ofOwner: Places = PLACES.requests,
  ofNetwork: Places = PLACES.anonymousRequests,
): ConcurrencyLimit {
  const owners = new FairQueue(ofOwner)
  const networks = new FairQueue(ofNetwork)
  return (owner, signal, work) =>
    (owner.principal || owner.session ? owners : networks).run(listOwners(owner), signal, work)
}

/** Keys of a request: its user and workspace, else the client's network. */
export function listOwners({ principal, session, ip }: Owner): readonly string[] {
  if (principal) return [`user:${principal.userId}`, `workspace:${principal.workspaceId}`]
  return session ? [`user:${session.userId}`] : [`network:${networkOf(ip ?? '')}`]
}

/** The owner of a request's work: its workspace, else its user, else the client's network. */
export function toOwner({ principal, session, ip }: Owner): string {
  return principal?.workspaceId ?? session?.userId ?? networkOf(ip ?? '')
}
