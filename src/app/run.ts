import { aborted, sleep, type Service } from '../base/service.ts'
import type { Config } from '../config/config.ts'
import type { Readiness } from './readiness.ts'

/** A server whose connections can end with their next answers. */
type Input = { endWithAnswers(): void }

/**
 * Returns a signal that is aborted `DRAIN_SECONDS` after the given one. In between the process reports that it
 * is stopping, and serves.
 */
export function drained(
  signal: AbortSignal,
  { drainSeconds }: Pick<Config, 'drainSeconds'>,
  readiness: Pick<Readiness, 'stop'>,
  inputs: readonly (Input | null)[],
): AbortSignal {
  const over = new AbortController()
  const drain = async () => {
    await aborted(signal)
    readiness.stop()
    for (const input of inputs) input?.endWithAnswers()
    await sleep(drainSeconds * 1_000)
    over.abort(signal.reason)
  }
  void drain()
  return over.signal
}

/**
 * Runs the parts until the signal, or until one of them ends by itself. Then their inputs are closed,
 * they finish the work they have begun, and at last those of `last` end, which receive from the others.
 * @throws what a part rejected with, after all of that
 */
export async function runUntil(
  signal: AbortSignal,
  parts: readonly Service[],
  closeFeeds: () => Promise<void>,
  last: readonly Service[] = [],
): Promise<void> {
  const [stop, stopLast] = [new AbortController(), new AbortController()]
  const running = parts.map((part) => part.run(stop.signal))
  const runningLast = last.map((part) => part.run(stopLast.signal))
  try {
    await Promise.race([aborted(signal), ...running, ...runningLast])
  } finally {
    try {
      await closeFeeds()
    } finally {
      stop.abort()
      await Promise.allSettled(running)
      stopLast.abort()
      await Promise.allSettled(runningLast)
    }
  }
  await Promise.all([...running, ...runningLast])
}
