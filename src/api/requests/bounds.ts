import type { Caller } from '../../platform/routes/caller.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES, type Places } from '../../platform/limits/places.ts'
import { networkOf } from '../../platform/facts/ip-address.ts'
import { ApiError, rateLimited } from '../../platform/core/errors.ts'
import { SIZES } from '../../platform/limits/sizes.ts'

type Owner = Pick<Caller, 'principal' | 'session' | 'ip'>

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>

/**
 * Requests of one workspace wait for each other, however many there are; a request of another one finds at most five
 * ahead of it. Work keeps its place until it ends, even after its client got an answer.
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

function listOwners({ principal, session, ip }: Owner): readonly string[] {
  if (principal) return [`user:${principal.userId}`, `workspace:${principal.workspaceId}`]
  return session ? [`user:${session.userId}`] : [`network:${networkOf(ip ?? '')}`]
}

/** The workspace, else the user, else the client's network. */
export function toOwner({ principal, session, ip }: Owner): string {
  return principal?.workspaceId ?? session?.userId ?? networkOf(ip ?? '')
}

type TimeoutOptions = {
  limitMs?: number
  maxAbandonedPerOwner?: number
  maxAbandoned?: number
  forgetAfterMs?: number
}

/**
 * @param signal aborted when the client disconnects
 * @param work its signal is aborted with `signal`, or at the timeout
 * @throws ApiError UNAVAILABLE at the timeout, or when the owner has too much unfinished work
 */
export type RequestTimeout = <T>(
  owner: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  ownLimitMs?: number,
) => Promise<T>

const LIMIT_MS = 10_000
const MAX_ABANDONED_PER_OWNER = 50
/** Reaching this takes hundreds of owners: the database is down, and this bounds memory. */
const MAX_ABANDONED = 2_000
const FORGET_AFTER_MS = 300_000

/**
 * For a database that may hang: the signal cancels reads; a write may still take effect. An owner with much abandoned
 * work is refused at once; others are not affected.
 */
export function createRequestTimeout(options: TimeoutOptions = {}): RequestTimeout {
  const { limitMs = LIMIT_MS, forgetAfterMs = FORGET_AFTER_MS } = options
  const { maxAbandonedPerOwner = MAX_ABANDONED_PER_OWNER, maxAbandoned = MAX_ABANDONED } = options
  /** At most `maxAbandoned` entries, since each counts abandoned work. */
  const abandonedByOwner = new Map<string, number>()
  let abandoned = 0

  function count(owner: string, n: number): void {
    abandoned += n
    const left = (abandonedByOwner.get(owner) ?? 0) + n
    if (left === 0) abandonedByOwner.delete(owner)
    else abandonedByOwner.set(owner, left)
  }

  function abandon(owner: string, running: Promise<unknown>): void {
    count(owner, 1)
    let isForgotten = false
    const forget = () => {
      if (!isForgotten) count(owner, -1)
      isForgotten = true
      clearTimeout(timer)
    }
    const timer = setTimeout(forget, forgetAfterMs).unref()
    running.then(forget, forget)
  }

  return async (owner, signal, work, ownLimitMs = limitMs) => {
    const isTooMuch =
      abandoned >= maxAbandoned || (abandonedByOwner.get(owner) ?? 0) >= maxAbandonedPerOwner
    if (isTooMuch) throw new ApiError('UNAVAILABLE')
    const stop = new AbortController()
    const onAbort = () => stop.abort(signal!.reason)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    const running = work(stop.signal)
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new ApiError('UNAVAILABLE', 'The answer takes too long. Try again later.'))
        // Aborting ends work that only waits, so it is counted for one turn of the event loop.
        stop.abort()
        abandon(owner, running)
      }, ownLimitMs)
    })
    return Promise.race([running, limit]).finally(() => clearTimeout(timer))
  }
}

/** Counted until it is released and all work with it has ended. */
export type BodyHold = {
  /** For a chunked body. @throws ApiError as {@link BodyBudget.hold} */
  grow(bytes: number): void
  release(): void
  until(work: Promise<unknown>): void
}

/**
 * A body beyond the budget is refused instead of queued, since its client would have to hold it. Small bodies are
 * refused only for what their owner or network holds: accounts elsewhere cannot crowd out ordinary requests.
 */
export class BodyBudget {
  readonly #heldByOwner = new Map<string, number>()
  #held = 0

  /**
   * @param bytes 0 for a chunked body
   * @throws ApiError RATE_LIMITED for the owner or its network, UNAVAILABLE for all together
   */
  hold(owner: Pick<Caller, 'principal' | 'session' | 'ip'>, bytes: number): BodyHold {
    const owners = listOwners(owner)
    const network = `accounts of ${networkOf(owner.ip ?? '')}`
    const keys = [...owners, network]
    let held = 0
    const grow = (more: number) => {
      this.#requireRoom(owners, network, more, held + more > SIZES.body.bytes)
      this.#add(keys, more)
      held += more
    }
    grow(bytes)
    let uses = 1
    const end = () => {
      if (--uses > 0) return
      this.#add(keys, -held)
      held = 0
    }
    return {
      grow: (more) => {
        if (uses > 0) grow(more)
      },
      release: once(end),
      until: (work) => {
        uses++
        work.then(end, end)
      },
    }
  }

  #requireRoom(owners: readonly string[], network: string, more: number, isLarge: boolean): void {
    const isOver = (key: string, maxBytes: number) =>
      (this.#heldByOwner.get(key) ?? 0) + more > maxBytes
    const smallBytes = isLarge ? 0 : SIZES.smallBodies.bytes
    const maxBytes = SIZES.largeBodies.bytes + smallBytes
    if (
      owners.some((key) => isOver(key, maxBytes)) ||
      isOver(network, SIZES.largeBodiesOfNetwork.bytes + smallBytes)
    )
      throw rateLimited(
        `Too many ${isLarge ? 'large ' : ''}bodies at a time. Wait until some of the requests are answered.`,
        1,
        maxBytes,
        1,
      )
    if (isLarge && this.#held + more > SIZES.largeBodiesOfAll.bytes)
      throw new ApiError(
        'UNAVAILABLE',
        'This server receives too many large bodies. Try again later.',
      )
  }

  #add(keys: readonly string[], bytes: number): void {
    this.#held += bytes
    for (const key of keys) {
      const held = (this.#heldByOwner.get(key) ?? 0) + bytes
      if (held === 0) this.#heldByOwner.delete(key)
      else this.#heldByOwner.set(key, held)
    }
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
