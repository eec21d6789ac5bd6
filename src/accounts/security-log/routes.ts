import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { FilteredMeta } from '../../platform/resources/shapes.ts'
import { ListSecurity, SecurityRow } from './schema.ts'
import type { SecurityLog } from './security-log.ts'

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
