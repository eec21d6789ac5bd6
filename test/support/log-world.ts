import type { TestContext } from 'node:test'
import { newId } from '../../src/platform/core/ids.ts'
import type { Role, Principal } from '../../src/platform/routes/principal.ts'
import { createAudit, type AuditAction } from '../../src/platform/audit/audit.ts'
import { createAuditLog } from '../../src/accounts/logs/audit-log.ts'
import type { ListAudit, ListSecurity } from '../../src/accounts/logs/schema.ts'
import { createSecurityLog } from '../../src/accounts/logs/security-log.ts'
import { createSecurityRecorder } from '../../src/platform/audit/security.ts'
import {
  closePostgres,
  inWorkspace,
  openPostgres,
} from '../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from './engines.ts'
import { heavyReadsOn } from './heavy-reads.ts'
import { addMembership, addUser, addWorkspace, toPrincipal } from './fixtures.ts'

/** Both logs on a private database: the two roles, and the superuser who may tamper. */
export async function openLogs(t: TestContext) {
  const databases = await freshPostgres(t)
  const sql = openPostgres(databases.postgresUrl, { role: REQUEST_ROLE })
  const systemSql = openPostgres(databases.postgresUrl, { role: WORKER_ROLE })
  const superuser = openPostgres(databases.superuserUrl, { maxConnections: 2 })
  t.after(() => Promise.all([sql, systemSql, superuser].map(closePostgres)))
  const clock = { now: Date.UTC(2026, 2, 1) }
  const audit = createAudit(() => clock.now)
  const reads = heavyReadsOn(sql)
  const auditLog = createAuditLog({ sql, reads, requireCapability: async () => {} })
  const securityLog = createSecurityLog({ reads })

  async function user(name: string) {
    const id = newId('usr', clock.now)
    const email = `${name.toLowerCase()}-${id.slice(-6)}@example.com`
    return addUser(systemSql, { id, name, email, nowMs: clock.now })
  }

  const workspace = () => addWorkspace(systemSql, { nowMs: clock.now })
  const join = (workspaceId: string, userId: string, role: Role = 'owner') =>
    addMembership(systemSql, { workspaceId, userId, role, nowMs: clock.now })

  /** An owner of a workspace of their own. */
  async function owner(name = 'Owner'): Promise<Principal> {
    const [{ id }, workspaceId] = [await user(name), await workspace()]
    await join(workspaceId, id)
    return whoIs(id, workspaceId)
  }

  const write = (
    principal: Principal,
    name = 'Docs',
    action: AuditAction = 'link.created',
    id = newId('lnk', clock.now),
  ) =>
    inWorkspace(sql, principal.workspaceId, (tx) =>
      audit(tx, principal, { action, target: { type: 'link', id, name } }),
    ).then(() => id)

  return {
    superuser,
    postgresUrl: databases.postgresUrl,
    sql,
    systemSql,
    clock,
    audit,
    record: createSecurityRecorder(
      () => clock.now,
      (ip) => (ip === '203.0.113.7' ? 'CH' : null),
    ),
    user,
    workspace,
    join,
    owner,
    write,
    auditLog: (principal: Principal, query: Partial<ListAudit> = {}) =>
      auditLog.list(principal, { limit: 50, offset: 0, ...query }),
    securityLog: (principal: Principal, query: Partial<ListSecurity> = {}) =>
      securityLog.list(principal, { limit: 50, offset: 0, ...query }),
  }
}

export type Logs = Awaited<ReturnType<typeof openLogs>>

export function whoIs(
  userId: string,
  workspaceId: string,
  rest: Partial<Principal> = {},
): Principal {
  return toPrincipal(userId, workspaceId, { ip: '203.0.113.7', userAgent: 'test/1.0', ...rest })
}
