import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Who } from '../base/who.ts'
import type { Tx } from '../storage/postgres.ts'

export type Changes = Record<string, { old: unknown; new: unknown }>

export type AuditEntry = {
  /** `<resource>.<past participle>`, for example `link.created`. */
  action: string
  target: { type: string; id: string; name: string | null }
  /** Old and new value of each changed field; the caller leaves secrets out. */
  changes?: Changes
}

export type Audit = (tx: Tx, who: Who, entry: AuditEntry) => Promise<void>

/** Writes the audit row of a change, in the transaction of the change: one is there exactly when the other is. */
export function createAudit(clock: Clock): Audit {
  return async (tx, who, { action, target, changes = {} }) => {
    const nowMs = clock()
    await tx`
      insert into audit_log ${tx({
        id: newId('aud', nowMs),
        workspaceId: who.workspaceId,
        action,
        actorType: who.actor.type,
        actorId: who.actor.id,
        targetType: target.type,
        targetId: target.id,
        targetName: target.name,
        changes: changes as never,
        ipAddress: who.ip,
        userAgent: who.userAgent,
        requestId: who.requestId,
        createdAt: new Date(nowMs),
      })}`
  }
}
