import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { inTransaction, type SystemSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { toSecurityEntry } from '../../platform/audit/security.ts'
import { newToken } from '../../platform/core/secrets.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'
import { ensureFirstWorkspace } from '../workspaces/workspaces.ts'
import {
  type SignInDeps,
  getFreshUntil,
  lockUser,
  refuseDeleted,
  refuseSuspended,
  toUser,
  type UserRow,
} from './users.ts'
import { toPreferences } from './preferences.ts'
import type { SignedIn, SignInReply } from './schema.ts'
import { createSession, revokeSession } from './sessions.ts'

export const TWO_FACTOR_COOKIE = 'signpost_two_factor'

const PENDING_SECONDS = 300

export async function enter(
  deps: SignInDeps,
  caller: Caller,
  userId: string,
  method: string,
  passwordHash?: string | null,
): Promise<Reply<SignInReply>> {
  if (await isTwoFactorOn(deps, userId)) return beginTwoFactor(deps, userId, method)
  return completeSignIn(deps, caller, userId, method, passwordHash)
}

export async function isTwoFactorOn(
  { systemSql }: Pick<SignInDeps, 'systemSql'>,
  userId: string,
): Promise<boolean> {
  const rows = await systemSql`
    select 1 from two_factor where user_id = ${userId} and confirmed_at is not null`
  return rows.length === 1
}

export async function beginTwoFactor(
  { systemSql, clock }: Pick<SignInDeps, 'systemSql' | 'clock'>,
  userId: string,
  method: string,
) {
  const nowMs = clock()
  const { token, hash } = newToken()
  await systemSql`delete from pending_sign_ins where expires_at <= ${new Date(nowMs)}`
  await systemSql`insert into pending_sign_ins ${systemSql({
    tokenHash: hash,
    userId,
    method,
    expiresAt: new Date(nowMs + PENDING_SECONDS * 1_000),
  })}`
  return {
    data: { twoFactorRequired: true as const },
    cookies: [{ name: TWO_FACTOR_COOKIE, value: token, maxAgeSeconds: PENDING_SECONDS }],
  }
}

/**
 * Ends the browser's former session, so that one planted by an attacker never becomes this user's.
 * @param passwordHash the hash that the password was compared with; refused if it has changed since
 */
export async function completeSignIn(
  deps: SignInDeps,
  caller: Caller,
  userId: string,
  method: string,
  passwordHash?: string | null,
): Promise<Reply<SignedIn>> {
  return inTransaction(deps.systemSql, async (tx) => {
    const user = (await lockUser(tx, userId)) ?? refuseDeleted()
    if (passwordHash !== undefined && passwordHash !== user.passwordHash)
      throw new ApiError('INVALID_CREDENTIALS')
    refuseSuspended(user)
    if (deps.requireEmailVerification && user.emailVerifiedAt === null)
      throw new ApiError('EMAIL_NOT_VERIFIED')
    const { requestId, ip, userAgent } = caller
    const language = user.preferences.language ?? caller.language
    const owner = { userId, name: user.name, language, requestId, ip, userAgent }
    const workspaceId = await ensureFirstWorkspace(deps, tx, owner)
    if (caller.session) await revokeSession(tx, caller.session.userId, caller.session.id)
    const values = { userId, workspaceId, method }
    const { session, cookie } = await createSession(deps, tx, caller, values)
    await deps.recordSecurity(tx, {
      ...toSecurityEntry(caller, userId, 'sign_in.succeeded'),
      details: { method, sessionId: session.id },
    })
    return {
      data: await describeSession(deps, tx, session.id, workspaceId),
      cookies: [cookie, deps.throttle.deviceCookie(caller, userId)],
    }
  })
}

export async function describeSession(
  { plans, clock }: Pick<Dependencies, 'plans' | 'clock'>,
  db: SystemSql | Tx,
  sessionId: string,
  workspaceId: string | null,
): Promise<SignedIn> {
  const [row] = await db<(UserRow & SessionColumns)[]>`
    select u.*, s.id as session_id, s.created_at as session_created_at,
      s.expires_at as session_expires_at, w.id as workspace_id, w.name as workspace_name,
      w.plan, w.timezone, w.suspended_at is not null as is_suspended, m.role
    from sessions s join users u on u.id = s.user_id
    left join members m on m.user_id = u.id and m.workspace_id = ${workspaceId}
    left join workspaces w on w.id = m.workspace_id
    where s.id = ${sessionId}`
  if (!row) throw new ApiError('UNAUTHORIZED', 'Sign in first.')
  const { workspaceId: id, workspaceName, plan, timezone, isSuspended, role } = row
  return {
    user: toUser(row),
    session: {
      id: row.sessionId,
      createdAt: row.sessionCreatedAt.toISOString(),
      expiresAt: row.sessionExpiresAt.toISOString(),
    },
    workspace: id === null ? null : { id, name: workspaceName, plan, timezone, isSuspended },
    role,
    capabilities: id === null ? null : plans.named(plan).capabilities,
    preferences: toPreferences(row.preferences),
    isOperator: row.isOperator,
    freshUntil: isoOrNull(getFreshUntil(row.sessionCreatedAt, clock())),
  }
}

type SessionColumns = {
  sessionId: string
  sessionCreatedAt: Date
  sessionExpiresAt: Date
  /** Null without a workspace, as are the columns after it. */
  workspaceId: string | null
  workspaceName: string
  plan: string
  timezone: string
  isSuspended: boolean
  role: string | null
}
