import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from './log.ts'

/** A long-lived part of the process. `run` resolves once the signal is aborted and all work has finished. */
export type Service = {
  readonly name: string
  run(signal: AbortSignal): Promise<void>
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** Resolves early when the signal is aborted. Never rejects. */
export async function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal }).catch(() => {})
}

let pace = 1

export function setPace(factor: number): void {
  pace = factor
}

export function paced(everyMs: number): number {
  return everyMs / pace
}

const OUTAGE_LOGGED_EVERY_MS = 60_000

export function createOutageWarning(log: Log, level: 'warn' | 'error' = 'warn') {
  let loggedAtMs = -Infinity
  return (fields: object, message: string): void => {
    if (performance.now() - loggedAtMs < OUTAGE_LOGGED_EVERY_MS) return
    loggedAtMs = performance.now()
    log[level](fields, message)
  }
}

/** Logs failures at most once a minute. */
export async function repeat(
  signal: AbortSignal,
  everyMs: number,
  work: () => Promise<void>,
  log: Log,
  message: string,
): Promise<void> {
  const warn = createOutageWarning(log)
  while (!signal.aborted) {
    await work().catch((error: unknown) => {
      if (!signal.aborted) warn({ err: error }, message)
    })
    await sleep(paced(everyMs), signal)
  }
}

export class LateError extends Error {
  override name = 'LateError'
}

export async function withinMs<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

export class WakeSignal {
  #count = 0
  readonly #waiting = new Set<() => void>()

  /** Read by a loop before it looks for work, so that it misses no later signal. */
  get count(): number {
    return this.#count
  }

  wake(): void {
    this.#count++
    for (const resume of this.#waiting) resume()
  }

  /** Resolves at once if `wake` was called after `count` was read. */
  givenSince(count: number, timeoutMs: number): Promise<void> {
    if (this.#count !== count) return Promise.resolve()
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer)
        this.#waiting.delete(resume)
        resolve()
      }
      const timer = setTimeout(resume, timeoutMs)
      this.#waiting.add(resume)
    })
  }
}
