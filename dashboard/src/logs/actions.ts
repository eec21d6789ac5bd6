import type { Schemas } from '../api/client.ts'

export type AuditAction = Schemas['AuditEntry']['action']
export type SecurityType = Schemas['SecurityEntry']['type']

/* Records, so that the compiler asks for the names that the API adds. */
const AUDIT: Record<AuditAction, true> = {
  'link.created': true,
  'link.updated': true,
  'link.deleted': true,
  'folder.created': true,
  'folder.updated': true,
  'folder.deleted': true,
  'tag.renamed': true,
  'tag.deleted': true,
  'campaign.created': true,
  'campaign.updated': true,
  'campaign.completed': true,
  'campaign.deleted': true,
  'utm_template.created': true,
  'utm_template.updated': true,
  'utm_template.deleted': true,
  'webhook.created': true,
  'webhook.updated': true,
  'webhook.deleted': true,
  'webhook.auto_paused': true,
  'webhook.secret_viewed': true,
  'webhook.secret_rotated': true,
  'webhook.tested': true,
  'webhook.dispatched': true,
  'webhook.replayed': true,
  'webhook.delivery_retried': true,
  'webhook.deliveries_retried': true,
  'api_key.created': true,
  'api_key.updated': true,
  'api_key.rotated': true,
  'api_key.revoked': true,
  'member.joined': true,
  'member.role_changed': true,
  'member.role_set': true,
  'member.removed': true,
  'member.left': true,
  'invitation.created': true,
  'invitation.renewed': true,
  'invitation.canceled': true,
  'invitation.accepted': true,
  'invitation.rejected': true,
  'workspace.created': true,
  'workspace.updated': true,
  'workspace.suspended': true,
  'workspace.resumed': true,
  'workspace.rate_limit_set': true,
  'billing.plan_changed': true,
  'billing.subscription_updated': true,
}
const SECURITY: Record<SecurityType, true> = {
  'sign_up.requested': true,
  'sign_in.succeeded': true,
  'sign_in.failed': true,
  sign_out: true,
  'email.verified': true,
  'email.changed': true,
  'password.changed': true,
  'password.reset_requested': true,
  'password.reset': true,
  'session.revoked': true,
  'two_factor.enabled': true,
  'two_factor.disabled': true,
  'two_factor.failed': true,
  'backup_codes.used': true,
  'passkey.added': true,
  'passkey.removed': true,
  'account.linked': true,
  'account.unlinked': true,
  'account.deleted': true,
  'api_key.created': true,
  'api_key.rotated': true,
  'api_key.revoked': true,
  'api_key.ip_denied': true,
  'member.invited': true,
  'member.joined': true,
  'member.role_changed': true,
  'member.removed': true,
  'webhook.secret_viewed': true,
  'webhook.secret_rotated': true,
  'workspace.deleted': true,
  'workspace.suspended': true,
  'workspace.resumed': true,
}

export const AUDIT_ACTIONS = Object.keys(AUDIT) as AuditAction[]
export const SECURITY_TYPES = Object.keys(SECURITY) as SecurityType[]

/** `webhook.secret_viewed` reads "Webhook secret viewed". */
export function readAction(action: string): string {
  const words = action.replace(/[._]/g, ' ')
  return (words[0]?.toUpperCase() ?? '') + words.slice(1)
}
