import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Caller } from '../../src/platform/routes/caller.ts'
import { ApiError, type ErrorDetail } from '../../src/platform/core/errors.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { createSecrets, hashToken } from '../../src/platform/core/secrets.ts'
import type { Role, Principal } from '../../src/platform/routes/principal.ts'
import { createApiKeys } from '../../src/accounts/api-keys/api-keys.ts'
import { createKeyAuthentication } from '../../src/accounts/api-keys/authentication.ts'
import { createAudit } from '../../src/platform/audit/audit.ts'
import { CREDENTIALS_CHANNEL } from '../../src/accounts/credentials/cache.ts'
import { createInvitations } from '../../src/accounts/invitations/invitations.ts'
import { createLimit } from '../../src/platform/plans/limits.ts'
import { createMembers } from '../../src/accounts/members/members.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import { Purge } from '../../src/operator/purge.ts'
import { createSecurityRecorder } from '../../src/platform/audit/security.ts'
import { createWorkspaces } from '../../src/accounts/workspaces/workspaces.ts'
import {
  closePostgres,
  inTransaction,
  openPostgres,
} from '../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { freshDatabases } from './engines.ts'
import { heavyReadsOn } from './heavy-reads.ts'
import { addMembership, addUser, toCaller, toPrincipal, saveNoResponse } from './fixtures.ts'
import { listen } from '../../src/platform/storage/postgres/listen.ts'

type TestUser = { userId: string; name: string; email: string }
type Mail = { to: string; workspaceName: string; inviterName: string; role: string; token: string }

let serial = 0

/** The rules about users and their memberships on private databases, with both roles as in the program. */
export async function openMembershipRules(t: TestContext) {
  const databases = await freshDatabases(t)
  const { sql: admin } = databases
  const sql = openPostgres(databases.postgresUrl, { role: REQUEST_ROLE, maxConnections: 20 })
  const systemSql = openPostgres(databases.postgresUrl, { role: WORKER_ROLE, maxConnections: 20 })
  const listener = openPostgres(databases.postgresUrl, { role: WORKER_ROLE, maxConnections: 1 })
  t.after(() => Promise.all([sql, systemSql, listener].map(closePostgres)))

  const time = { nowMs: Date.parse('2026-06-01T12:00:00Z') }
  const clock = () => time.nowMs
  const log = openLog('silent')
  const audit = createAudit(clock)
  const plans = readPlans(null)
  const limit = createLimit(clock, plans)
  const recordSecurity = createSecurityRecorder(clock)
  const sent: Mail[] = []
  const announced: string[] = []
  await listen(listener, [CREDENTIALS_CHANNEL], ({ payload }) => announced.push(payload))

  const reads = heavyReadsOn(sql)
  const shared = {
    sql,
    reads,
    systemSql,
    clock,
    plans,
    audit,
    limit,
    recordSecurity,
    saveIdempotentResponse: saveNoResponse,
  }
  const keyAuthentication = createKeyAuthentication({
    systemSql,
    clock,
    log,
    secrets: createSecrets('a secret of the tests, of 32 characters'),
  })
  const apiKeys = createApiKeys(shared)
  const workspaces = createWorkspaces({
    ...shared,
    maxOwned: 100,
    purge: new Purge({ sql: systemSql, clickhouse: databases.clickhouse, clock, log }),
  })
  const invitations = createInvitations({
    ...shared,
    addressLimiter: { consume: async () => {} },
    inviterLimiter: { consume: async () => {} },
    mailLimiter: { consume: async () => {} },
    signup: 'open',
    origin: () => 'http://localhost:3000',
    mails: { invitation: (to, facts) => sent.push({ to, ...facts }) > 0 },
  })
  const members = createMembers(shared)

  /** A user without a workspace. */
  async function addTestUser(email = `user-${++serial}@example.com`): Promise<TestUser> {
    const user = await addUser(admin, { name: email.split('@')[0]!, email, nowMs: clock() })
    const now = new Date(clock())
    await admin`insert into sessions ${admin({
      ...{ id: sessionIdOf(user.id), userId: user.id, tokenHash: hashToken(user.id) },
      ...{ method: 'password', createdAt: now, lastSeenAt: now, expiresAt: now, endsAt: now },
    })}`
    return { userId: user.id, name: user.name, email }
  }

  /** The owner of a new workspace. */
  async function owner(): Promise<Principal & TestUser> {
    const user = await addTestUser()
    const workspaceId = await inTransaction(systemSql, (tx) => workspaces.ensureFirst(tx, user))
    // Later entries of the logs have a later time.
    time.nowMs += 1
    return { ...toPrincipal(user.userId, workspaceId), ...user }
  }

  /** One more member, inserted without an invitation. */
  async function member(workspaceId: string, role: Role): Promise<Principal & TestUser> {
    const user = await addTestUser()
    await inTransaction(systemSql, async (tx) => {
      await limit(tx, workspaceId, 'members')
      await addMembership(tx, { workspaceId, userId: user.userId, role, nowMs: clock() })
    })
    return { ...toPrincipal(user.userId, workspaceId, { role }), ...user }
  }

  /** The active workspace of a user's session; null for none. */
  async function activeOf(userId: string): Promise<string | null> {
    const [row] = await admin<{ activeWorkspaceId: string | null }[]>`
      select active_workspace_id from sessions where id = ${sessionIdOf(userId)}`
    return row!.activeWorkspaceId
  }

  /** Audit actions of a workspace, oldest first. */
  async function trail(workspaceId: string): Promise<string[]> {
    const rows = await admin<{ action: string }[]>`
      select action from audit_log where workspace_id = ${workspaceId} order by created_at, ctid`
    return rows.map((row) => row.action)
  }

  async function used(workspaceId: string, name: string): Promise<number> {
    const [row] = await admin<{ used: number }[]>`
      select used from usage_counters where workspace_id = ${workspaceId} and name = ${name}`
    return row?.used ?? 0
  }

  return {
    ...{ apiKeys, keyAuthentication, workspaces, invitations, members },
    postgresUrl: databases.postgresUrl,
    ...{ admin, sql, systemSql, time, sent, activeOf, announced },
    user: addTestUser,
    ...{ owner, member, trail, used },
  }
}

function sessionIdOf(userId: string): string {
  return `ses_${userId}`
}

/** A signed-in user, before the workspace is known. */
export function callerOf(userId: string, workspaceId: string | null = null): Caller {
  return toCaller({
    session: { id: sessionIdOf(userId), userId, workspaceId, createdAt: new Date(0) },
  })
}

export function keyCaller(principal: Principal): Caller {
  return { ...callerOf(principal.userId), session: null, principal }
}

export function asKey(principal: Principal, scopes: string[] | null = null): Principal {
  return { ...principal, actor: { type: 'api_key', id: 'key_test' }, scopes }
}

/** A check for `assert.rejects`: a 400 about this field. */
export function isAbout(path: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.code, 'VALIDATION_ERROR')
    assert.deepEqual(
      (error.details as readonly ErrorDetail[]).map((detail) => detail.path),
      [path],
    )
    return true
  }
}
