import { ApiError } from './errors.ts'

type Options = {
  /** Work of all keys together that runs at a time; without a bound when absent. */
  maxRunning?: number
  maxRunningPerKey: number
  maxWaitingPerKey: number
  /** The sentence of the refusal. */
  message: string
}

export type FairQueue = {
  /**
   * Runs `work` as soon as each of its keys, and all of them together, have room.
   * @param keys for whom it is done (a user, a workspace); each has its own bounds, and what waits
   *   is taken in turns by the first key
   * @param signal takes the work out of the queue; work that has begun sees to its signal itself
   * @param sharedKey one more bound on what runs, that work of many owners has in common
   * @throws ApiError RATE_LIMITED when too much waits for one of the keys already
   * @throws the reason of the signal
   */
  run<T>(
    keys: readonly string[],
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
    sharedKey?: string,
  ): Promise<T>
  /** How many keys are known at present; 0 when nothing runs and nothing waits. */
  size(): number
}

type Waiter = { keys: readonly string[]; owners: readonly string[]; start: () => void }

/** Any more requests than run and wait are refused for so long. */
const RETRY_AFTER_SECONDS = 1

/**
 * Bounds work by its owners, so that no owner holds up another.
 *
 *   run ──every key has room──▶ running ──▶ done
 *    └──else──▶ waiting ──room, and the first key's turn──▶ running
 *                  └──aborted──▶ out
 *
 * Invariant: what waits could not run; so work that has room never passes by other work that has.
 * Without contention a run costs a few look-ups.
 */
export function createFairQueue(options: Options): FairQueue {
  const { maxRunning = Infinity, maxRunningPerKey, maxWaitingPerKey, message } = options
  const runningOf = new Map<string, number>()
  const waitingOf = new Map<string, number>()
  /** By first key; the one whose turn was last is at the end. */
  const lines = new Map<string, Waiter[]>()
  let running = 0

  const isFull = (key: string) => (runningOf.get(key) ?? 0) >= maxRunningPerKey
  const hasRoom = (keys: readonly string[]) => running < maxRunning && !keys.some(isFull)

  function begin(keys: readonly string[]): void {
    running++
    for (const key of keys) add(runningOf, key, 1)
  }

  function end(keys: readonly string[]): void {
    running--
    for (const key of keys) add(runningOf, key, -1)
    while (lines.size > 0 && startNext());
  }

  function startNext(): boolean {
    if (running >= maxRunning) return false
    for (const [turn, line] of lines) {
      // The first key is in every waiter of the line.
      if (isFull(turn)) continue
      const at = line.findIndex((waiter) => hasRoom(waiter.keys))
      if (at === -1) continue
      const [waiter] = line.splice(at, 1)
      lines.delete(turn)
      if (line.length > 0) lines.set(turn, line)
      begin(waiter!.keys)
      waiter!.start()
      return true
    }
    return false
  }

  function refuse(): ApiError {
    const limit = maxRunningPerKey + maxWaitingPerKey
    return new ApiError('RATE_LIMITED', message, {
      retryAfter: RETRY_AFTER_SECONDS,
      limit,
      window: RETRY_AFTER_SECONDS,
    })
  }

  function wait(
    owners: readonly string[],
    keys: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (owners.some((key) => (waitingOf.get(key) ?? 0) >= maxWaitingPerKey)) throw refuse()
    for (const key of owners) add(waitingOf, key, 1)
    const turn = owners[0]!
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        const rest = lines.get(turn)!.filter((each) => each !== waiter)
        if (rest.length > 0) lines.set(turn, rest)
        else lines.delete(turn)
        for (const key of owners) add(waitingOf, key, -1)
        reject(signal!.reason as Error)
      }
      const start = () => {
        signal?.removeEventListener('abort', leave)
        for (const key of owners) add(waitingOf, key, -1)
        resolve()
      }
      const waiter: Waiter = { keys, owners, start }
      signal?.addEventListener('abort', leave, { once: true })
      const line = lines.get(turn)
      if (line) line.push(waiter)
      else lines.set(turn, [waiter])
    })
  }

  async function run<T>(
    owners: readonly string[],
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
    sharedKey?: string,
  ): Promise<T> {
    signal?.throwIfAborted()
    const keys = sharedKey === undefined ? owners : [...owners, sharedKey]
    if (hasRoom(keys)) begin(keys)
    else await wait(owners, keys, signal)
    try {
      return await work()
    } finally {
      end(keys)
    }
  }

  return { run, size: () => runningOf.size + waitingOf.size }
}

/** A count that is back at zero takes no memory. */
function add(counts: Map<string, number>, key: string, n: number): void {
  const count = (counts.get(key) ?? 0) + n
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
