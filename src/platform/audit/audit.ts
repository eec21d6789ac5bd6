import type { Clock } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import type { Principal } from '../routes/principal.ts'
import type { Tx } from '../storage/postgres/postgres.ts'

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
  'link_view.created',
  'link_view.updated',
  'link_view.deleted',
  'utm_template.created',
  'utm_template.updated',
  'utm_template.deleted',
  'dashboard.created',
  'dashboard.updated',
  'dashboard.rotated',
  'dashboard.deleted',
  'alert.created',
  'alert.updated',
  'alert.deleted',
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
  'invitation.link_created',
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
  changes?: Changes
}

export type Audit = (tx: Tx, principal: Principal, ...entries: AuditEntry[]) => Promise<void>

const SECRET_FIELD = /(password|secret|token|api_?key|cookie|credential)s?$/i
const MASK = '********'

/** Call it in the transaction of the changes. After the commit the row joins the workspace's chain of hashes. */
export function createAudit(clock: Clock): Audit {
  return async (tx, principal, ...entries) => {
    if (entries.length > 0) await insertRows(tx, principal, entries, clock())
  }
}

function insertRows(tx: Tx, principal: Principal, entries: readonly AuditEntry[], nowMs: number) {
  const texts = (pick: (entry: AuditEntry) => string | null) => entries.map(pick)
  return tx`
    insert into audit_log (id, workspace_id, action, actor_type, actor_id, target_type, target_id,
      target_name, changes, ip_address, user_agent, request_id, created_at)
    select id, ${principal.workspaceId}, action, ${principal.actor.type}, ${principal.actor.id}, target_type, target_id,
      target_name, changes::json, ${principal.ip}, ${principal.userAgent}, ${principal.requestId}, ${new Date(nowMs)}
    from unnest(
      ${texts(() => newId('aud', nowMs))}::text[], ${texts(({ action }) => action)}::text[],
      ${texts(({ target }) => target.type)}::text[], ${texts(({ target }) => target.id)}::text[],
      ${texts(({ target }) => target.name)}::text[],
      ${texts(({ changes = {} }) => JSON.stringify(withoutSecrets(changes)))}::text[])
      as entry (id, action, target_type, target_id, target_name, changes)`
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

export function getChanges<After extends object>(
  before: After,
  after: Partial<After>,
  ignored: readonly (keyof After)[] = [],
): Changes {
  const fields = (Object.keys(after) as (keyof After & string)[]).filter(
    (field) =>
      !ignored.includes(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return Object.fromEntries(
    fields.map((field) => [field, { old: before[field], new: after[field] }]),
  )
}

export function isDifferent<Row extends object>(before: Row, columns: Partial<Row>): boolean {
  return Object.keys(getChanges(before, columns)).length > 0
}
