import { Type } from 'typebox'
import { route } from '../../base/route.ts'
import { FilteredMeta } from '../shapes.ts'
import { ListSecurity, SecurityRow } from './schema.ts'
import type { SecurityLog } from './security-log.ts'

export const securityLogRoutes = (securityLog: SecurityLog) => [
  route('GET /security-log', {
    requires: { credential: 'any', role: 'admin', scope: 'security-log:read' },
    boundsOwnWork: true,
    name: 'listSecurityLog',
    summary: 'List sign-ins and other security events',
    description:
      'Pages through the security events of the workspace and of its members, newest first.',
    tag: 'Logs',
    shapes: { query: ListSecurity, reply: Type.Array(SecurityRow), meta: FilteredMeta },
    handle: (who, { query }, signal) => securityLog.list(who, query, signal),
  }),
]
