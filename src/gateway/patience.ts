import { ApiError } from '../base/errors.ts'
import type { AccountRoute, Route } from '../base/route.ts'

type Options = {
  /** How long a client waits for one piece of work. */
  limitMs?: number
  /** So many pieces may be left behind unfinished before no new one is begun. */
  maxAbandoned?: number
  /** After this a piece that never ended no longer counts. */
  forgetAfterMs?: number
}

/** Runs work that somebody waits for. @throws ApiError UNAVAILABLE when it takes too long */
export type Patience = <T>(work: () => Promise<T>) => Promise<T>

const LIMIT_MS = 10_000
const MAX_ABANDONED = 100
const FORGET_AFTER_MS = 300_000

/**
 * A database that hangs says nothing, so the answer must not wait for it. The work itself cannot
 * be taken back (its statement is with the server, or in the driver's queue), and may still take
 * effect; once much of it is left behind, new work is refused at once instead of queued after it.
 */
export function createPatience(options: Options = {}): Patience {
  const { limitMs = LIMIT_MS, maxAbandoned = MAX_ABANDONED } = options
  const { forgetAfterMs = FORGET_AFTER_MS } = options
  let abandoned = 0

  function abandon(running: Promise<unknown>): void {
    abandoned++
    let isForgotten = false
    const forget = () => {
      if (!isForgotten) abandoned--
      isForgotten = true
      clearTimeout(timer)
    }
    const timer = setTimeout(forget, forgetAfterMs).unref()
    running.then(forget, forget)
  }

  return async (work) => {
    if (abandoned >= maxAbandoned) throw new ApiError('UNAVAILABLE')
    const running = work()
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        abandon(running)
        reject(new ApiError('UNAVAILABLE', 'The answer takes too long. Try again later.'))
      }, limitMs)
    })
    return Promise.race([running, limit]).finally(() => clearTimeout(timer))
  }
}

/** The same rows, none of whose work is waited for without end. */
export function patient(routes: readonly Route[], within: Patience): Route[] {
  return routes.map((row) => {
    const { find } = row
    return {
      ...row,
      ...(find && { find: (who, params) => within(() => find(who, params)) }),
      handle: (who, input) => within(() => row.handle(who, input)),
    }
  })
}

export function patientAccounts(routes: readonly AccountRoute[], within: Patience): AccountRoute[] {
  return routes.map((row) => ({
    ...row,
    handle: (caller, input) => within(() => row.handle(caller, input)),
  }))
}
