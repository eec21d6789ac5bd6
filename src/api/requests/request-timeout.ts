import { ApiError } from '../../platform/core/errors.ts'

type Options = {
  /** The longest time that a client waits for one piece of work. */
  limitMs?: number
  /** Beyond this an owner's new work is refused. */
  maxAbandonedPerOwner?: number
  maxAbandoned?: number
  /** Unfinished work is counted for this long. */
  forgetAfterMs?: number
}

/**
 * Runs work that a client waits for.
 * @param owner the workspace, else the user or the client's network
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
/**
 * Abandoned work keeps its place in the concurrency limits, so reaching this takes hundreds of owners: the
 * database is down, and this bounds memory.
 */
const MAX_ABANDONED = 2_000
const FORGET_AFTER_MS = 300_000

/**
 * A timeout for work in a database that may hang. The signal cancels reads; a write may still take effect. An
 * owner with much abandoned work is refused at once instead of queued behind it; others are not affected.
 */
export function createRequestTimeout(options: Options = {}): RequestTimeout {
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
