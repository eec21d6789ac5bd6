import type { Caller, Cookie, Session } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page, type Reply } from '../../base/route.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import { announceCredentials, type Changed } from '../credential-changes.ts'
import type { SessionHolder } from '../credentials/holders.ts'
import { countRows } from '../paging.ts'
import type { RecordSecurity } from '../security.ts'
import { clampLimit, type Paged } from '../shapes.ts'
import { newToken, hashToken } from '../../base/token.ts'
import type { SessionEntry } from './schema.ts'
import { entryOf, sessionOf } from './two-factor.ts'

export const SESSION_COOKIE = 'signpost_session'
export const GONE_SESSION_COOKIE: Cookie = { name: SESSION_COOKIE, value: '', maxAgeSeconds: 0 }

const DAY_MS = 86_400_000
const IDLE_MS = 7 * DAY_MS
const LIFETIME_MS = 30 * DAY_MS
/** A session is written at most this often, however often it is used. */
const TOUCH_EVERY_MS = 3_600_000
const MAX_USER_AGENT_CHARS = 512

type Deps = {
  /** Of the worker role: a session is looked for before a workspace is known. */
  systemSql: SystemSql
  clock: Clock
  recordSecurity: RecordSecurity
}

type HolderRow = {
  id: string
  userId: string
  createdAt: Date
  expiresAt: Date
  ownWorkspaceId: string | null
  placeWorkspaceId: string | null
  role: 'viewer' | 'member' | 'admin' | 'owner'
  plan: string
  apiRequestsPerMinute: number | null
  isSuspended: boolean
}

export type Sessions = ReturnType<typeof createSessions>

/**
 * Sessions of people: a random token in a cookie, its SHA-256 here.
 *
 *   valid ──seven days unused, or thirty days──▶ over
 *     └──signed out, revoked, another password──▶ gone
 */
export function createSessions({ systemSql, clock, recordSecurity }: Deps) {
  /**
   * Whose session it is and what it may do, in one statement. The place is the wanted workspace if
   * the person belongs to it, and none if not; when none is wanted it is the active one, or the
   * oldest of the person's others.
   */
  async function authenticate(
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
        own.workspace_id as own_workspace_id, place.workspace_id as place_workspace_id, place.role,
        w.plan, w.api_requests_per_minute, w.suspended_at is not null as is_suspended
      from found s
      left join lateral (
        select workspace_id from members m where m.user_id = s.user_id
        order by coalesce(m.workspace_id = s.active_workspace_id, false) desc,
          m.created_at, m.workspace_id
        limit 1
      ) own on true
      left join members place on place.user_id = s.user_id
        and place.workspace_id = coalesce(${wantedWorkspaceId}::text, own.workspace_id)
      left join workspaces w on w.id = place.workspace_id`
    return row ? toHolder(row) : null
  }

  /** Makes a session: always a new id and a new token. The caller sends the cookie. */
  async function create(
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
      // As long as it can live; when it ends for want of use is decided here.
      cookie: { name: SESSION_COOKIE, value: token, maxAgeSeconds: LIFETIME_MS / 1_000 },
    }
  }

  async function setActiveWorkspace(tx: Tx, sessionId: string, workspaceId: string): Promise<void> {
    await tx`update sessions set active_workspace_id = ${workspaceId} where id = ${sessionId}`
  }

  /** Ends one session of a person, everywhere within a second. False when there is none. */
  async function revoke(tx: Tx, userId: string, sessionId: string): Promise<boolean> {
    const rows = await tx`
      delete from sessions where id = ${sessionId} and user_id = ${userId} returning 1`
    await announceCredentials(tx, `session:${sessionId}`)
    return rows.length === 1
  }

  /** Ends all sessions of a person but one; null: all. How many there were. */
  async function revokeAll(tx: Tx, userId: string, exceptId: string | null): Promise<number> {
    const rows = await tx<{ id: string }[]>`
      delete from sessions where user_id = ${userId} and id is distinct from ${exceptId}
      returning id`
    const changed = rows.map(({ id }): Changed => `session:${id}`)
    await announceCredentials(tx, ...(exceptId === null ? [`user:${userId}` as const] : changed))
    return rows.length
  }

  async function list(caller: Caller, query: Paged) {
    const own = sessionOf(caller)
    const now = new Date(clock())
    const { offset } = query
    const limit = clampLimit(query.limit)
    const [rows, total] = await inTransaction(systemSql, async (tx) => {
      const matches = tx`
        sessions where user_id = ${own.userId} and expires_at > ${now} and ends_at > ${now}`
      return Promise.all([
        tx<SessionRow[]>`
          select id, method, ip_address, user_agent, created_at, last_seen_at, expires_at
          from ${matches} order by (id = ${own.id}) desc, last_seen_at desc, id
          limit ${limit} offset ${offset}`,
        countRows(tx, matches, false),
      ])
    })
    return {
      data: page(
        rows.map((row) => toEntry(row, own.id)),
        { total, limit, offset },
      ),
    }
  }

  async function remove(caller: Caller, id: string): Promise<Reply<undefined>> {
    const own = sessionOf(caller)
    await inTransaction(systemSql, async (tx) => {
      if (!(await revoke(tx, own.userId, id)))
        throw new ApiError('NOT_FOUND', 'There is no such session.')
      await recordSecurity(tx, {
        ...entryOf(caller, own.userId, 'session.revoked'),
        details: { sessionId: id },
      })
    })
    return { data: undefined, ...(id === own.id && { cookies: [GONE_SESSION_COOKIE] }) }
  }

  async function removeOthers(caller: Caller): Promise<Reply<undefined>> {
    const own = sessionOf(caller)
    await inTransaction(systemSql, async (tx) => {
      const count = await revokeAll(tx, own.userId, own.id)
      if (count === 0) return
      await recordSecurity(tx, {
        ...entryOf(caller, own.userId, 'session.revoked'),
        details: { count },
      })
    })
    return { data: undefined }
  }

  /** Whoever has no session is signed out already. */
  async function signOut(caller: Caller): Promise<Reply<undefined>> {
    const { session } = caller
    if (session)
      await inTransaction(systemSql, async (tx) => {
        if (!(await revoke(tx, session.userId, session.id))) return
        await recordSecurity(tx, entryOf(caller, session.userId, 'sign_out'))
      })
    return { data: undefined, cookies: [GONE_SESSION_COOKIE] }
  }

  return {
    ...{ authenticate, create, setActiveWorkspace, revoke, revokeAll },
    ...{ list, remove, removeOthers, signOut },
  }
}

function toHolder(row: HolderRow): SessionHolder {
  const { role, plan, apiRequestsPerMinute, isSuspended } = row
  return {
    session: {
      id: row.id,
      userId: row.userId,
      workspaceId: row.ownWorkspaceId,
      createdAt: row.createdAt,
    },
    expiresAt: row.expiresAt,
    membership:
      row.placeWorkspaceId === null
        ? null
        : { workspaceId: row.placeWorkspaceId, role, plan, apiRequestsPerMinute, isSuspended },
  }
}

type SessionRow = {
  id: string
  method: string
  ipAddress: string | null
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

function toEntry(row: SessionRow, ownId: string): SessionEntry {
  return {
    id: row.id,
    isCurrent: row.id === ownId,
    method: row.method,
    ip: row.ipAddress,
    userAgent: row.userAgent,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}
