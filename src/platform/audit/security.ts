import type { Caller } from '../routes/caller.ts'
import type { Clock } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import type { Tx, SystemSql } from '../storage/postgres/postgres.ts'

export const SECURITY_TYPES = [
  'sign_up.requested',
  'sign_in.succeeded',
  'sign_in.failed',
  'sign_out',
  'email.verified',
  'email.changed',
  'password.changed',
  'password.reset_requested',
  'password.reset',
  'session.revoked',
  'two_factor.enabled',
  'two_factor.disabled',
  'two_factor.failed',
  'backup_codes.used',
  'backup_codes.replaced',
  'passkey.added',
  'passkey.removed',
  'account.linked',
  'account.unlinked',
  'account.deleted',
  'operator.added',
  'operator.removed',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'api_key.ip_denied',
  'member.invited',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'webhook.secret_viewed',
  'webhook.secret_rotated',
  'workspace.deleted',
  'workspace.suspended',
  'workspace.resumed',
] as const
export type SecurityType = (typeof SECURITY_TYPES)[number]

export type SecurityEntry = {
  type: SecurityType
  outcome?: 'success' | 'failure'
  userId: string | null
  workspaceId: string | null
  actor: { type: 'user' | 'api_key' | 'system'; id: string } | null
  ip: string | null
  userAgent: string | null
  requestId: string
  details?: Record<string, string | number | boolean | null>
}

export type RecordSecurity = (db: SystemSql | Tx, entry: SecurityEntry) => Promise<void>

export function toAnonymousEntry(
  { ip, userAgent, requestId }: Caller,
  userId: string | null,
  type: SecurityType,
): SecurityEntry {
  return { type, userId, workspaceId: null, actor: null, ip, userAgent, requestId }
}

export function toSecurityEntry(caller: Caller, userId: string, type: SecurityType): SecurityEntry {
  return { ...toAnonymousEntry(caller, userId, type), actor: { type: 'user', id: userId } }
}

export function createSecurityRecorder(
  clock: Clock,
  countryOf: (ip: string) => string | null = () => null,
): RecordSecurity {
  return async (db, entry) => {
    const nowMs = clock()
    const { actor } = entry
    const actingUserId = actor?.type === 'user' ? actor.id : null
    const keyId = actor?.type === 'api_key' ? actor.id : null
    await db`
      insert into security_log (id, workspace_id, user_id, type, outcome, actor_type, actor_id,
        actor_name, actor_email, details, ip_address, user_agent, country, request_id, created_at)
      values (${newId('sec', nowMs)}, ${entry.workspaceId}, ${entry.userId}, ${entry.type},
        ${entry.outcome ?? 'success'}, ${actor?.type ?? 'anonymous'}, ${actor?.id ?? null},
        coalesce((select name from users where id = ${actingUserId}),
          (select name from api_keys where id = ${keyId})),
        (select email from users where id = coalesce(${actingUserId},
          (select user_id from api_keys where id = ${keyId}))),
        ${(entry.details ?? {}) as never}, ${entry.ip}, ${entry.userAgent},
        ${entry.ip === null ? null : countryOf(entry.ip)}, ${entry.requestId}, ${new Date(nowMs)})`
  }
}
