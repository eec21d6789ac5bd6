import { rateLimited } from '../core/errors.ts'
import { FairQueue } from './fair-queue.ts'
import type { Places } from '../limits/places.ts'
import { SHARES } from '../limits/times.ts'
import { createTimeBudget } from './pacing.ts'
import type { Principal } from '../routes/principal.ts'
import { networkOf } from '../facts/ip-address.ts'

const FREE_MS = 1_000
const { seconds, windowSeconds } = SHARES.files

type Options = {
  places: Places
  plural: string
  nowMs?: () => number
}

/** Networks take turns, since one client may have many accounts, and no owner takes more than a third of the time. */
export function createFileTurns({ places, plural, nowMs = () => performance.now() }: Options) {
  const queue = new FairQueue(places)
  const budget = createTimeBudget({
    capacityMs: seconds * 1_000,
    refillMsPerSecond: (seconds * 1_000) / windowSeconds,
    nowMs,
  })

  function requireTime(owners: readonly string[]): void {
    const waitMs = budget.waitMs(owners)
    if (waitMs === 0) return
    throw rateLimited(
      `The ${plural} of this user, workspace or network took more than ${seconds} seconds of the last minute to read. Send the next one later.`,
      waitMs / 1_000,
      seconds,
      windowSeconds,
    )
  }

  async function run<T>(
    principal: Principal,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const owners = [
      `network:${networkOf(principal.ip ?? '')}`,
      `user:${principal.userId}`,
      `workspace:${principal.workspaceId}`,
    ]
    requireTime(owners)
    return queue.run(owners, signal, async () => {
      requireTime(owners)
      const startedAtMs = nowMs()
      try {
        return await work()
      } finally {
        budget.spend(owners, Math.max(0, nowMs() - startedAtMs - FREE_MS))
      }
    })
  }

  return { run }
}
