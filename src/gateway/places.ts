import type { Caller } from '../base/caller.ts'
import { FairQueue } from '../base/fair-queue.ts'
import type { AccountRoute, Route } from '../base/route.ts'
import type { Who } from '../base/who.ts'
import { networkOf } from '../facts/network.ts'
import type { Patience } from './patience.ts'

type Options = {
  /** Requests of one user, and of one workspace, that are worked on at a time. */
  perOwner?: number
  /** The same of one client network, for requests without a user. */
  perNetwork?: number
  maxWaiting?: number
}

type Run = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/** Where requests wait for their turn. */
export type Places = {
  /** @throws ApiError RATE_LIMITED when too many requests of the user or workspace wait */
  ofWho(who: Pick<Who, 'userId' | 'workspaceId'>): Run
  /** @throws ApiError RATE_LIMITED when too many requests of the user or network wait */
  ofCaller(caller: Pick<Caller, 'who' | 'session' | 'ip'>): Run
}

/** Half of the connections of a pool: what one owner does leaves the other half to all others. */
const PER_OWNER = 5
/** Behind one address there may be many people, and a sign-in waits for a hash most of its time. */
const PER_NETWORK = 20
const MAX_WAITING = 500
const MESSAGE = 'Too many requests at a time. Wait for some of them to be answered.'

/**
 * Bounds how many requests of one user, and of one workspace, are worked on at a time; more of them
 * wait. A thousand requests of one workspace stand behind each other, and not in front of
 * the next workspace's: that one finds at most `perOwner` ahead of it in the pool of connections. A
 * place is kept until the work has ended, also when its client has long been answered.
 */
export function createPlaces(options: Options = {}): Places {
  const { perOwner = PER_OWNER, perNetwork = PER_NETWORK, maxWaiting = MAX_WAITING } = options
  const bounds = { maxWaitingPerKey: maxWaiting, message: MESSAGE }
  const owners = new FairQueue({ maxRunningPerKey: perOwner, ...bounds })
  const networks = new FairQueue({ maxRunningPerKey: perNetwork, ...bounds })

  const ofOwners =
    (...keys: string[]): Run =>
    (signal, work) =>
      owners.run(keys, signal, work)
  return {
    ofWho: ({ userId, workspaceId }) => ofOwners(`user:${userId}`, `workspace:${workspaceId}`),
    ofCaller: ({ who, session, ip }) => {
      if (who) return ofOwners(`user:${who.userId}`, `workspace:${who.workspaceId}`)
      if (session) return ofOwners(`user:${session.userId}`)
      const keys = [`network:${networkOf(ip ?? '')}`]
      return (signal, work) => networks.run(keys, signal, work)
    },
  }
}

/** The same rows, whose work waits for a place and is not waited for without end. */
export function boundRoutes(
  routes: readonly Route[],
  within: Patience,
  places: Pick<Places, 'ofWho'>,
): Route[] {
  return routes.map((row) => {
    const { find, handle, boundsOwnWork } = row
    return {
      ...row,
      ...(find && {
        find: (who, params, signal) =>
          within(who.workspaceId, signal, (stop) =>
            places.ofWho(who)(stop, () => find(who, params, stop)),
          ),
      }),
      handle: (who, input, signal) =>
        within(who.workspaceId, signal, (stop) =>
          boundsOwnWork
            ? handle(who, input, stop)
            : places.ofWho(who)(stop, () => handle(who, input, stop)),
        ),
    }
  })
}

export function boundAccountRoutes(
  routes: readonly AccountRoute[],
  within: Patience,
  places: Pick<Places, 'ofCaller'>,
): AccountRoute[] {
  return routes.map((row) => ({
    ...row,
    handle: (caller, input, signal) =>
      within(ownerOf(caller), signal, (stop) =>
        places.ofCaller(caller)(stop, () => row.handle(caller, input, stop)),
      ),
  }))
}

function ownerOf({ who, session, ip }: Caller): string {
  return who?.workspaceId ?? session?.userId ?? networkOf(ip ?? '')
}
