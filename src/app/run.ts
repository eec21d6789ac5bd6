import { OperatorError } from '../platform/core/errors.ts'
import { aborted, sleep, type Service } from '../platform/core/service.ts'
import type { Preparation } from '../platform/storage/installation/preparation.ts'

const RETRY_MS = 1_000

/** While PostgreSQL is unavailable, one part that waits for it and then runs the others. */
export function whenReady(
  preparation: Pick<Preparation, 'isReady' | 'untilReady' | 'note'>,
  begin: () => Promise<unknown>,
  parts: readonly Service[],
): readonly Service[] {
  if (preparation.isReady) return parts
  const run = async (signal: AbortSignal) => {
    await preparation.untilReady(signal)
    let hasBegun = false
    while (!hasBegun && !signal.aborted) hasBegun = await beginOnce(preparation, begin, signal)
    if (!signal.aborted) await runUntil(signal, parts, async () => {})
  }
  return [{ name: 'parts-after-an-outage', run }]
}

async function beginOnce(
  preparation: Pick<Preparation, 'note'>,
  begin: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await begin()
    return true
  } catch (error) {
    if (error instanceof OperatorError) throw error
    preparation.note(error)
    await sleep(RETRY_MS, signal)
    return false
  }
}

/**
 * Runs the parts until the signal, or until one of them ends. Then closes their inputs, and finally ends `last`,
 * which receive from the others.
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
