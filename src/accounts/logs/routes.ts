import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { FilteredMeta } from '../../platform/resources/shapes.ts'
import type { AuditLog } from './audit-log.ts'
import { AuditRow, ListAudit, ListSecurity, SecurityRow } from './schema.ts'
import type { SecurityLog } from './security-log.ts'

export const auditLogRoutes = (auditLog: AuditLog) => [
  route('GET /audit-log', {
    requires: { credential: 'any', role: 'admin', scope: 'audit-log:read' },
    skipConcurrencyLimit: true,
    name: 'listAuditLog',
    summary: 'List changes and their authors',
    description:
      'Pages through the changes of the workspace, newest first. Each row is chained to the one before it by a hash.',
    errors: ['PLAN_CAPABILITY_REQUIRED'],
    tag: 'Logs',
    shapes: { query: ListAudit, reply: Type.Array(AuditRow), meta: FilteredMeta },
    handle: (principal, { query }, signal) => auditLog.list(principal, query, signal),
  }),
]

export const securityLogRoutes = (securityLog: SecurityLog) => [
  route('GET /security-log', {
    requires: { credential: 'any', role: 'admin', scope: 'security-log:read' },
    skipConcurrencyLimit: true,
    name: 'listSecurityLog',
    summary: 'List sign-ins and other security events',
    description:
      'Pages through the security events of the workspace and of its members, newest first.',
    tag: 'Logs',
    shapes: { query: ListSecurity, reply: Type.Array(SecurityRow), meta: FilteredMeta },
    handle: (principal, { query }, signal) => securityLog.list(principal, query, signal),
  }),
]
