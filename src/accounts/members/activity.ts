import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { MinuteNotes } from '../credentials/minute-notes.ts'

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
