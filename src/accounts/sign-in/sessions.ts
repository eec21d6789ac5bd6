import { bindDeps } from '../../platform/core/functions.ts'
import type * as Callers from '../../platform/routes/caller.ts'
import type { Caller, Cookie, Session } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import { hashToken, newToken } from '../../platform/core/secrets.ts'
import { countRows } from '../../platform/resources/lists.ts'
import type { Role } from '../../platform/routes/principal.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { announceCredentials, type Changed } from '../credentials/cache.ts'
import { toSecurityEntry } from '../../platform/audit/security.ts'
import { clampLimit, toIsoTimes, type Paged } from '../../platform/resources/shapes.ts'
import type { SessionEntry } from './schema.ts'
import type { UserDeps, UserRow } from './users.ts'
import { DAY_MS } from '../../platform/core/clock.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { revokeEverywhere } from '../api-keys/api-keys.ts'
import { voidPendingSignUps } from './pending-sign-ups.ts'
import { voidLinks } from './tokens.ts'

export const SESSION_COOKIE = 'signpost_session'
export const GONE_SESSION_COOKIE: Cookie = { name: SESSION_COOKIE, value: '', maxAgeSeconds: 0 }

const IDLE_MS = 7 * DAY_MS
const LIFETIME_MS = 30 * DAY_MS
/** The last use of a session is written at most once in this time. */
const TOUCH_EVERY_MS = 3_600_000
const MAX_USER_AGENT_CHARS = 512

export type SessionHolder = Callers.SessionHolder & { expiresAt: Date }

type HolderRow = {
  id: string
  userId: string
  createdAt: Date
  expiresAt: Date
  ownWorkspaceId: string | null
  workspaceId: string | null
  role: Role
  plan: string
  apiRequestsPerMinute: number | null
  isSuspended: boolean
}

type SessionRow = Omit<SessionEntry, 'createdAt' | 'lastSeenAt' | 'expiresAt'> & {
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

export type Sessions = ReturnType<typeof createSessions>

/** A random token in a cookie, stored as SHA-256. */
export const createSessions = (deps: UserDeps) =>
  bindDeps(deps, { authenticate, create: createSession, list, remove, removeOthers, signOut })

/**
 * In the wanted workspace (null if the user is no member), or else in the active one, or else in the user's
 * oldest.
 */
async function authenticate(
  { systemSql, clock }: UserDeps,
  token: string,
  wantedWorkspaceId: string | null,
): Promise<SessionHolder | null> {
  const nowMs = clock()
  const now = new Date(nowMs)
  const [row] = await systemSql<HolderRow[]>`
    with found as (
      select s.* from sessions s join users u on u.id = s.user_id
      where s.token_hash = ${hashToken(token)} and s.expires_at > ${now} and s.ends_at > ${now}
        and u.suspended_at is null
    ), used as (
      update sessions s set last_seen_at = ${now},
        expires_at = least(${new Date(nowMs + IDLE_MS)}, s.ends_at)
      where s.id = (select id from found where last_seen_at <= ${new Date(nowMs - TOUCH_EVERY_MS)})
      returning s.expires_at
    )
    select s.id, s.user_id, s.created_at, coalesce((select expires_at from used), s.expires_at) as expires_at,
      own.workspace_id as own_workspace_id, m.workspace_id, m.role,
      w.plan, w.api_requests_per_minute, w.suspended_at is not null as is_suspended
    from found s
    left join lateral (
      select workspace_id from members m where m.user_id = s.user_id
      order by coalesce(m.workspace_id = s.active_workspace_id, false) desc,
        m.created_at, m.workspace_id
      limit 1
    ) own on true
    left join members m on m.user_id = s.user_id
      and m.workspace_id = coalesce(${wantedWorkspaceId}::text, own.workspace_id)
    left join workspaces w on w.id = m.workspace_id`
  return row ? toHolder(row) : null
}

export async function createSession(
  { clock }: Pick<UserDeps, 'clock'>,
  tx: Tx,
  caller: Caller,
  { userId, workspaceId, method }: { userId: string; workspaceId: string | null; method: string },
): Promise<{ session: Session; cookie: Cookie }> {
  const nowMs = clock()
  const now = new Date(nowMs)
  const { token, hash } = newToken()
  const id = newId('ses', nowMs)
  await tx`delete from sessions where user_id = ${userId} and expires_at <= ${now}`
  await tx`
    insert into sessions ${tx({
      id,
      tokenHash: hash,
      userId,
      activeWorkspaceId: workspaceId,
      method,
      ipAddress: caller.ip,
      userAgent: caller.userAgent?.slice(0, MAX_USER_AGENT_CHARS) ?? null,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(nowMs + IDLE_MS),
      endsAt: new Date(nowMs + LIFETIME_MS),
    })}`
  return {
    session: { id, userId, workspaceId, createdAt: now },
    // The cookie lasts for the maximum lifetime; the row decides when an unused session expires.
    cookie: { name: SESSION_COOKIE, value: token, maxAgeSeconds: LIFETIME_MS / 1_000 },
  }
}

export async function setActiveWorkspace(
  tx: Tx,
  sessionId: string,
  workspaceId: string,
): Promise<void> {
  await tx`update sessions set active_workspace_id = ${workspaceId} where id = ${sessionId}`
}

export async function revokeSession(tx: Tx, userId: string, sessionId: string): Promise<boolean> {
  const rows = await tx`
    delete from sessions where id = ${sessionId} and user_id = ${userId} returning 1`
  await announceCredentials(tx, `session:${sessionId}`)
  return rows.length === 1
}

export async function revokeSessions(
  tx: Tx,
  userId: string,
  exceptId: string | null,
): Promise<number> {
  const rows = await tx<{ id: string }[]>`
    delete from sessions where user_id = ${userId} and id is distinct from ${exceptId}
    returning id`
  const changes = rows.map(({ id }): Changed => `session:${id}`)
  await announceCredentials(tx, ...(exceptId === null ? [`user:${userId}` as const] : changes))
  return rows.length
}

async function list({ systemSql, clock }: UserDeps, caller: Caller, query: Paged) {
  const current = requireSession(caller)
  const now = new Date(clock())
  const { offset } = query
  const limit = clampLimit(query.limit)
  const [rows, total] = await inTransaction(systemSql, async (tx) => {
    const matches = tx`
      sessions where user_id = ${current.userId} and expires_at > ${now} and ends_at > ${now}`
    return Promise.all([
      tx<SessionRow[]>`
        select id, id = ${current.id} as is_current, method, ip_address as ip, user_agent,
          created_at, last_seen_at, expires_at
        from ${matches} order by is_current desc, last_seen_at desc, id
        limit ${limit} offset ${offset}`,
      countRows(tx, matches, false),
    ])
  })
  return { data: page(rows.map(toIsoTimes), { total, limit, offset }) }
}

async function remove({ systemSql, recordSecurity }: UserDeps, caller: Caller, id: string) {
  const current = requireSession(caller)
  await inTransaction(systemSql, async (tx) => {
    if (!(await revokeSession(tx, current.userId, id)))
      throw new ApiError('NOT_FOUND', 'You have no session with this id.')
    await recordSecurity(tx, {
      ...toSecurityEntry(caller, current.userId, 'session.revoked'),
      details: { sessionId: id },
    })
  })
  return { data: undefined, ...(id === current.id && { cookies: [GONE_SESSION_COOKIE] }) }
}

async function removeOthers({ systemSql, recordSecurity }: UserDeps, caller: Caller) {
  const current = requireSession(caller)
  await inTransaction(systemSql, async (tx) => {
    const count = await revokeSessions(tx, current.userId, current.id)
    if (count === 0) return
    await recordSecurity(tx, {
      ...toSecurityEntry(caller, current.userId, 'session.revoked'),
      details: { count },
    })
  })
  return { data: undefined }
}

async function signOut({ systemSql, recordSecurity }: UserDeps, caller: Caller) {
  const { session } = caller
  if (session)
    await inTransaction(systemSql, async (tx) => {
      if (!(await revokeSession(tx, session.userId, session.id))) return
      await recordSecurity(tx, toSecurityEntry(caller, session.userId, 'sign_out'))
    })
  return { data: undefined, cookies: [GONE_SESSION_COOKIE] }
}

function toHolder(row: HolderRow): SessionHolder {
  const { workspaceId, role, plan, apiRequestsPerMinute, isSuspended } = row
  return {
    session: {
      id: row.id,
      userId: row.userId,
      workspaceId: row.ownWorkspaceId,
      createdAt: row.createdAt,
    },
    expiresAt: row.expiresAt,
    membership:
      workspaceId === null ? null : { workspaceId, role, plan, apiRequestsPerMinute, isSuspended },
  }
}

/** Ends everything that the former password started. The caller has locked the user. */
export async function revokeSignIns(
  tx: Tx,
  { id, emailKey }: Pick<UserRow, 'id' | 'emailKey'>,
): Promise<void> {
  await voidLinks(tx, id)
  await voidPendingSignUps(tx, emailKey)
  await voidPendingSignIns(tx, id)
  await revokeSessions(tx, id, null)
}

export async function voidPendingSignIns(tx: Tx, userId: string): Promise<void> {
  await tx`delete from pending_sign_ins where user_id = ${userId}`
}

/** Until the owner of the address verified it, a stranger may have opened the account. */
export async function revokeAllAccess(
  deps: Pick<Dependencies, 'audit' | 'limit' | 'recordSecurity'>,
  tx: Tx,
  caller: Caller,
  user: Pick<UserRow, 'id' | 'emailKey'>,
): Promise<void> {
  await revokeSignIns(tx, user)
  await tx`delete from two_factor where user_id = ${user.id}`
  await tx`delete from passkeys where user_id = ${user.id}`
  await tx`delete from linked_accounts where user_id = ${user.id}`
  await revokeEverywhere(deps, tx, caller, user.id)
}
