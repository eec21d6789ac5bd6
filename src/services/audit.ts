import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Who } from '../base/who.ts'
import { arrayOf } from '../storage/arrays.ts'
import type { Tx } from '../storage/postgres.ts'
import type { Part } from '../storage/statement-parts.ts'

/** Every kind of row in the audit log: `<resource>.<past participle>`. */
export const AUDIT_ACTIONS = [
  'link.created',
  'link.updated',
  'link.deleted',
  'link.restored',
  'link.blocked',
  'link.unblocked',
  'folder.created',
  'folder.updated',
  'folder.deleted',
  'media.created',
  'media.deleted',
  'bio_page.created',
  'bio_page.updated',
  'bio_page.deleted',
  'tag.renamed',
  'tag.deleted',
  'campaign.created',
  'campaign.updated',
  'campaign.completed',
  'campaign.deleted',
  'utm_template.created',
  'utm_template.updated',
  'utm_template.deleted',
  'dashboard.created',
  'dashboard.updated',
  'dashboard.rotated',
  'dashboard.deleted',
  'report.created',
  'report.updated',
  'report.canceled',
  'report.deleted',
  'domain.created',
  'domain.updated',
  'domain.verified',
  'domain.failed',
  'domain.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.auto_paused',
  'webhook.secret_viewed',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.dispatched',
  'webhook.replayed',
  'webhook.delivery_retried',
  'webhook.deliveries_retried',
  'api_key.created',
  'api_key.updated',
  'api_key.rotated',
  'api_key.revoked',
  'member.joined',
  'member.role_changed',
  'member.role_set',
  'member.removed',
  'member.left',
  'invitation.created',
  'invitation.renewed',
  'invitation.canceled',
  'invitation.accepted',
  'invitation.rejected',
  'workspace.created',
  'workspace.updated',
  'workspace.suspended',
  'workspace.resumed',
  'workspace.rate_limit_set',
  'billing.plan_changed',
  'billing.subscription_updated',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export type Changes = Record<string, { old: unknown; new: unknown }>

export type AuditEntry = {
  action: AuditAction
  target: { type: string; id: string; name: string | null }
  /** Old and new value of each changed field; the caller leaves secrets out. */
  changes?: Changes
}

export type Audit = {
  (tx: Tx, who: Who, ...entries: AuditEntry[]): Promise<void>
  /** The same rows as a part of a statement. */
  part(tx: Tx, who: Who, ...entries: AuditEntry[]): Part
}

/** Fields that may hold a secret, masked in case a caller passed one. */
const SECRET_FIELD = /(password|secret|token|api_?key|cookie|credential)s?$/i
const MASK = '********'

/**
 * Writes the audit rows of changes in the transaction of the changes, so that neither exists without the
 * other. The database adds the present name of the actor; after the commit each row gets its place in the
 * workspace's chain of hashes (src/services/audit-log/chain.ts).
 */
export function createAudit(clock: Clock): Audit {
  async function audit(tx: Tx, who: Who, ...entries: AuditEntry[]): Promise<void> {
    if (entries.length > 0) await insertRows(tx, who, entries, clock())
  }
  const part = (tx: Tx, who: Who, ...entries: AuditEntry[]): Part => ({
    ctes: tx`audited as (${insertRows(tx, who, entries, clock())})`,
    columns: tx`true as is_audited`,
  })
  return Object.assign(audit, { part })
}

function insertRows(tx: Tx, who: Who, entries: readonly AuditEntry[], nowMs: number) {
  const [first] = entries
  if (first && entries.length === 1) return insertRow(tx, who, first, nowMs)
  const { workspaceId, actor, ip, userAgent, requestId } = who
  const targets = entries.map(({ target }) => target)
  return tx`
    insert into audit_log (id, workspace_id, action, actor_type, actor_id, target_type, target_id,
      target_name, changes, ip_address, user_agent, request_id, created_at)
    select id, ${workspaceId}, action, ${actor.type}, ${actor.id}, target_type, target_id, target_name,
      changes::json, ${ip}, ${userAgent}, ${requestId}, ${new Date(nowMs)}
    from unnest(${entries.map(() => newId('aud', nowMs))}::text[],
      ${entries.map(({ action }) => action)}::text[], ${targets.map(({ type }) => type)}::text[],
      ${targets.map(({ id }) => id)}::text[], ${arrayOf(
        tx,
        'text',
        targets.map(({ name }) => name),
      )}::text[],
      ${entries.map(({ changes = {} }) => JSON.stringify(withoutSecrets(changes)))}::text[])
      as entry (id, action, target_type, target_id, target_name, changes)`
}

function insertRow(tx: Tx, who: Who, { action, target, changes = {} }: AuditEntry, nowMs: number) {
  return tx`
    insert into audit_log ${tx({
      id: newId('aud', nowMs),
      workspaceId: who.workspaceId,
      action,
      actorType: who.actor.type,
      actorId: who.actor.id,
      targetType: target.type,
      targetId: target.id,
      targetName: target.name,
      changes: withoutSecrets(changes) as never,
      ipAddress: who.ip,
      userAgent: who.userAgent,
      requestId: who.requestId,
      createdAt: new Date(nowMs),
    })}`
}

function withoutSecrets(changes: Changes): Changes {
  const mask = (value: unknown) => (typeof value === 'string' ? MASK : value)
  return Object.fromEntries(
    Object.entries(changes).map(([field, change]) => [
      field,
      SECRET_FIELD.test(field) ? { old: mask(change.old), new: mask(change.new) } : change,
    ]),
  )
}
