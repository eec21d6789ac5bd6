import { Type } from 'typebox'
import { route } from '../../base/route.ts'
import { FilteredMeta } from '../shapes.ts'
import type { AuditLog } from './audit-log.ts'
import { AuditRow, ListAudit } from './schema.ts'

export const auditLogRoutes = (auditLog: AuditLog) => [
  route('GET /audit-log', {
    requires: { credential: 'any', role: 'admin', scope: 'audit-log:read' },
    boundsOwnWork: true,
    name: 'listAuditLog',
    summary: 'List changes and their authors',
    description:
      'Pages through the changes of the workspace, newest first. Each row is chained to the one before it by a hash.',
    errors: ['PLAN_CAPABILITY_REQUIRED'],
    tag: 'Logs',
    shapes: { query: ListAudit, reply: Type.Array(AuditRow), meta: FilteredMeta },
    handle: (who, { query }, signal) => auditLog.list(who, query, signal),
  }),
]
