import { dropOldest } from '../../platform/core/memo.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock' | 'log'>

/** `last_active_at` is written at most this often per member. */
const NOTED_EVERY_MS = 60_000
const MAX_NOTED_MEMBERS = 20_000

export type MemberActivity = ReturnType<typeof createMemberActivity>

/** Notes when a member was last active in a workspace. */
export function createMemberActivity({ systemSql, clock, log }: Deps) {
  /** When the activity of each member was last written, by workspace and user. */
  const notedMs = new Map<string, number>()

  /**
   * Writes the time in the background, so that a request neither waits nor fails for it. Requests within
   * a minute of the last one are skipped; the statement's condition covers those of other processes.
   */
  return function noteActivity(workspaceId: string, userId: string): void {
    const nowMs = clock()
    const member = `${workspaceId} ${userId}`
    const lastMs = notedMs.get(member)
    if (lastMs !== undefined && Math.abs(nowMs - lastMs) < NOTED_EVERY_MS) return
    notedMs.set(member, nowMs)
    dropOldest(notedMs, MAX_NOTED_MEMBERS)
    const stale = new Date(nowMs - NOTED_EVERY_MS)
    systemSql`
      update members set last_active_at = ${new Date(nowMs)}
      where workspace_id = ${workspaceId} and user_id = ${userId}
        and (last_active_at is null or last_active_at <= ${stale})`.catch((error: unknown) =>
      log.warn({ err: error, workspaceId, userId }, 'cannot update last_active_at of member'),
    )
  }
}
