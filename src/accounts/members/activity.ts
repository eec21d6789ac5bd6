import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { MINUTE_MS, type Clock } from '../../platform/core/clock.ts'
import { dropOldest } from '../../platform/core/functions.ts'

/** Limits how often a time of last use is written: once a minute for each key in this process. */
export class MinuteNotes {
  readonly #notedMs = new Map<string, number>()
  readonly #clock: Clock
  readonly #maxKeys: number

  constructor(clock: Clock, maxKeys: number) {
    this.#clock = clock
    this.#maxKeys = maxKeys
  }

  /**
   * Null if this process noted a use within the last minute. Otherwise the caller replaces only a stored time up to
   * the returned one, since another process may have written a newer time.
   */
  findStale(key: string): Date | null {
    const nowMs = this.#clock()
    const lastMs = this.#notedMs.get(key)
    if (lastMs !== undefined && Math.abs(nowMs - lastMs) < MINUTE_MS) return null
    this.#notedMs.set(key, nowMs)
    dropOldest(this.#notedMs, this.#maxKeys)
    return new Date(nowMs - MINUTE_MS)
  }
}

type Deps = Pick<Dependencies, 'systemSql' | 'clock' | 'log'>

const MAX_NOTED_MEMBERS = 20_000

export type MemberActivity = ReturnType<typeof createMemberActivity>

/** Notes when a member was last active, in the background, so that a request neither waits nor fails for it. */
export function createMemberActivity({ systemSql, clock, log }: Deps) {
  const notes = new MinuteNotes(clock, MAX_NOTED_MEMBERS)
  return function noteActivity(workspaceId: string, userId: string): void {
    const stale = notes.findStale(`${workspaceId} ${userId}`)
    if (stale === null) return
    systemSql`
      update members set last_active_at = ${new Date(clock())}
      where workspace_id = ${workspaceId} and user_id = ${userId}
        and (last_active_at is null or last_active_at <= ${stale})`.catch((error: unknown) =>
      log.warn({ err: error, workspaceId, userId }, 'cannot update last_active_at of member'),
    )
  }
}
