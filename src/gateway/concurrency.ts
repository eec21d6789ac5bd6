import type { Caller } from '../base/caller.ts'
import { FairQueue } from '../base/fair-queue.ts'
import { networkOf } from '../facts/network.ts'

type Options = {
  /** Concurrent requests of one user, and of one workspace. */
  perOwner?: number
  /** Concurrent requests of one client network, without a user. */
  perNetwork?: number
  maxWaiting?: number
}

type Owner = Pick<Caller, 'who' | 'session' | 'ip'>

/**
 * Runs work as soon as its owner has room for it.
 * @throws ApiError RATE_LIMITED when too many requests of the user, workspace or network wait
 */
export type ConcurrencyLimit = <T>(
  owner: Owner,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>

/** Half of the connections of a pool: one owner leaves the other half to all others. */
const PER_OWNER = 5
/** Many users may share an address, and a sign-in spends most of its time on hashing. */
const PER_NETWORK = 20
const MAX_WAITING = 500
const MESSAGE = 'Too many requests at a time. Wait for some of them to be answered.'

/**
 * Bounds the concurrent requests of one user, and of one workspace; others wait. A thousand requests
 * of one workspace queue behind each other, and a request of the next workspace finds at most
 * `perOwner` of them ahead of it in the pool of connections. Work keeps its place until it has ended,
 * also when its client has been answered long before.
 */
export function createConcurrencyLimit(options: Options = {}): ConcurrencyLimit {
  const { perOwner = PER_OWNER, perNetwork = PER_NETWORK, maxWaiting = MAX_WAITING } = options
  const bounds = { maxWaitingPerKey: maxWaiting, message: MESSAGE }
  const owners = new FairQueue({ maxRunningPerKey: perOwner, ...bounds })
  const networks = new FairQueue({ maxRunningPerKey: perNetwork, ...bounds })

  return (owner, signal, work) =>
    (owner.who || owner.session ? owners : networks).run(listOwners(owner), signal, work)
}

/** Keys of a request: its user and workspace, else the client's network. */
export function listOwners({ who, session, ip }: Owner): readonly string[] {
  if (who) return [`user:${who.userId}`, `workspace:${who.workspaceId}`]
  return session ? [`user:${session.userId}`] : [`network:${networkOf(ip ?? '')}`]
}

/** The owner of a request's work: its workspace, else its user, else the client's network. */
export function toOwner({ who, session, ip }: Owner): string {
  return who?.workspaceId ?? session?.userId ?? networkOf(ip ?? '')
}
