import { ApiError } from '../base/errors.ts'

type Options = {
  /** How long a client waits for one piece of work. */
  limitMs?: number
  /** So many pieces of one owner may be left behind unfinished before no new one of it is begun. */
  maxAbandonedPerOwner?: number
  /** The same for all owners together. */
  maxAbandoned?: number
  /** After this a piece that never ended no longer counts. */
  forgetAfterMs?: number
}

/**
 * Runs work that a client waits for.
 * @param owner the workspace, else the user or the client's network
 * @param signal of the client: aborted when it is gone
 * @param work is given a signal that is aborted for either reason: the client's, or the time
 * @throws ApiError UNAVAILABLE when it takes too long, or too much of the owner's is unfinished
 */
export type Patience = <T>(
  owner: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>

const LIMIT_MS = 10_000
const MAX_ABANDONED_PER_OWNER = 50
/**
 * What an owner leaves behind is bounded by its places, which abandoned work keeps: five for requests
 * and two for reads. So it takes hundreds of owners to come here, which means that the database is
 * dead; then memory is bounded by this, and nothing would be answered anyway.
 */
const MAX_ABANDONED = 2_000
const FORGET_AFTER_MS = 300_000

/**
 * A database that hangs says nothing, so the answer must not wait for it. Of the work itself reads are
 * cancelled by the signal; a write cannot be taken back (its statement is with the server,
 * or in the driver's queue), and may still take effect. Once an owner has left much behind, its new
 * work is refused at once instead of queued after it; work of other owners is not.
 */
export function createPatience(options: Options = {}): Patience {
  const { limitMs = LIMIT_MS, forgetAfterMs = FORGET_AFTER_MS } = options
  const { maxAbandonedPerOwner = MAX_ABANDONED_PER_OWNER, maxAbandoned = MAX_ABANDONED } = options
  /** Bounded: each entry is work that was abandoned, of which there are at most `maxAbandoned`. */
  const abandonedOf = new Map<string, number>()
  let abandoned = 0

  function count(owner: string, n: number): void {
    abandoned += n
    const left = (abandonedOf.get(owner) ?? 0) + n
    if (left === 0) abandonedOf.delete(owner)
    else abandonedOf.set(owner, left)
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

  return async (owner, signal, work) => {
    const isTooMuch =
      abandoned >= maxAbandoned || (abandonedOf.get(owner) ?? 0) >= maxAbandonedPerOwner
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
        // What waits ends with this, so it is not counted beyond the turn.
        stop.abort()
        abandon(owner, running)
      }, limitMs)
    })
    return Promise.race([running, limit]).finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }
}
