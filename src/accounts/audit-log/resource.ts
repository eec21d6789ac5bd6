import type { Resource } from '../../platform/resources/resource.ts'

export const auditLog = {
  scopes: { 'audit-log': { read: 'read the audit log' } },
  capabilities: ['audit_log'],
} as const satisfies Resource
