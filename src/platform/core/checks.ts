import { withinMs } from './service.ts'

/** Each check resolves when what it is about works. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

const TIMEOUT_MS = 2_000
const SHARED_MS = 1_000
/** After this time an unfinished check is no longer shared. */
const RUNNING_SHARED_MS = 60_000

/** Returns a function that runs all checks. A check that takes longer than two seconds fails. */
export function createChecks(checks: Checks) {
  const shared = Object.entries(checks).map(([name, check]) => [name, share(check)] as const)
  return async (): Promise<Record<string, 'ok' | 'failing'>> => {
    const results = shared.map(async ([name, check]) => {
      const answer = withinMs(check(), TIMEOUT_MS)
      return [name, await answer.then(() => 'ok' as const).catch(() => 'failing' as const)] as const
    })
    return Object.fromEntries(await Promise.all(results))
  }
}

/**
 * Calls share a running check, so that a database that hangs is asked once, and its answer for a second, because every
 * client may ask.
 */
function share(check: () => Promise<unknown>): () => Promise<unknown> {
  let last: { answer: Promise<unknown>; isRunning: boolean; startedMs: number } | null = null
  return () => {
    const ageMs = last === null ? Infinity : performance.now() - last.startedMs
    if (last !== null && ageMs < (last.isRunning ? RUNNING_SHARED_MS : SHARED_MS))
      return last.answer
    const started = { answer: check(), isRunning: true, startedMs: performance.now() }
    const done = () => void (started.isRunning = false)
    started.answer.then(done, done)
    last = started
    return started.answer
  }
}
