import { randomBytes } from 'node:crypto'
import type { Caller, Session } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import { roleAtLeast, type Role, type Who } from '../../base/who.ts'
import type { HeavyReads } from '../../storage/heavy-reads.ts'
import {
  inTransaction,
  inWorkspace,
  type Tx,
  type SystemSql,
  type TenantSql,
} from '../../storage/postgres.ts'
import type { Audit, Changes } from '../audit.ts'
import { announceCredentials } from '../credential-changes.ts'
import { parseAddress, type Address } from '../email-address.ts'
import type { Limit } from '../limits.ts'
import {
  lockMembership,
  lockWorkspace,
  requireGrantable,
  requireRole,
  type DeferredAudit,
} from '../membership.ts'
import { requireOwn } from '../own.ts'
import type { RecordSecurity } from '../security.ts'
import { countRows, pageMeta } from '../paging.ts'
import { clampLimit } from '../shapes.ts'
import { hashToken, refuseClosed, targetOf, toInvitation, type InvitationRow } from './row.ts'
import type {
  CreatedInvitation,
  CreateInvitation,
  Invitation,
  ListInvitations,
  ReceivedInvitation,
  Status,
} from './schema.ts'

/*
 *              invite            invite again: new token, new 14 days
 *                │               ┌──────────────────────────────┐
 *                ▼               ▼                              │
 *             pending ────────────────── 14 days ─────────▶ expired
 *   accept │   reject │   cancel │                              │ cancel
 *          ▼          ▼          ▼                              ▼
 *      accepted   rejected   canceled ◀─────────────────────────┘
 *
 * `expired` is stored as pending: it follows from the time. Losing the role that carried it cancels
 * what a person has invited. Only the invited address accepts or rejects, by the token of the mail.
 */

type Deps = {
  sql: TenantSql
  reads: Pick<HeavyReads, 'read'>
  /** Sees every workspace: who is invited belongs to none of them yet. */
  systemSql: SystemSql
  clock: Clock
  audit: Audit
  limit: Limit
  security: RecordSecurity
  mails: {
    invitation: (
      to: string,
      facts: { workspaceName: string; inviterName: string; role: string; token: string },
    ) => void
  }
  /** SIGNUP: `closed` takes no new accounts, of invited people neither. */
  signup: 'open' | 'invite' | 'closed'
  /** Invitations of one person to one address, and of one person or one workspace to all. */
  addressLimiter: Limiter
  inviterLimiter: Limiter
  /** Mails to one address from all inviters. Over it an invitation is made, and not mailed. */
  mailLimiter: Limiter
  /** Makes a workspace the active one of a session. */
  setActiveWorkspace: (tx: Tx, sessionId: string, workspaceId: string) => Promise<void>
}

/** Throws RATE_LIMITED. */
type Limiter = { consume(key: string): Promise<unknown> }

export type Invitations = ReturnType<typeof createInvitations>

const LIFETIME_MS = 14 * 86_400_000
const TOKEN_BYTES = 32
const MAX_OPEN = 100

export function createInvitations(deps: Deps) {
  const { sql, reads, systemSql, clock, audit, limit, security, mails, setActiveWorkspace } = deps
  return { find, list, get, create, cancel, cancelBy, peek, accept, reject, hasInvitation }

  function find(who: Who, params: Record<string, string>): Promise<void> {
    return requireOwn(sql, who, 'invitations', params['id'], 'invitation')
  }

  async function list(who: Who, query: ListInvitations, signal?: AbortSignal) {
    const limitRows = clampLimit(query.limit)
    const now = new Date(clock())
    const isPart = query.status !== undefined
    const [rows, counted] = await reads.read(who, signal, (tx) => {
      const where = tx`workspace_id = ${who.workspaceId} ${hasStatus(tx, query.status, now)}`
      return Promise.all([
        tx<InvitationRow[]>`
          select * from invitations where ${where}
          order by created_at desc, id desc limit ${limitRows} offset ${query.offset}`,
        countRows(tx, tx`invitations where ${where}`, isPart),
      ])
    })
    const shown = rows.map((row) => toInvitation(row, now.getTime()))
    return page(shown, pageMeta(counted, isPart, { limit: limitRows, offset: query.offset }))
  }

  async function get(who: Who, id: string): Promise<Invitation> {
    return inWorkspace(sql, who.workspaceId, async (tx) => {
      const [row] = await tx<InvitationRow[]>`
        select * from invitations where id = ${id} and workspace_id = ${who.workspaceId}`
      if (!row) throw noSuchInvitation()
      return toInvitation(row, clock())
    })
  }

  /**
   * Invites an address, by mail. An open invitation of it is renewed: the earlier token is void once
   * another mail is sent. The answer does not tell whether the address has an account.
   */
  async function create(who: Who, input: CreateInvitation): Promise<CreatedInvitation> {
    const address = checkEmail(input.email)
    const { email, emailKey } = address
    const { role } = input
    requireGrantable(who, role)
    const addressHash = hashToken(emailKey).toString('base64url')
    await deps.inviterLimiter.consume(who.userId)
    await deps.inviterLimiter.consume(who.workspaceId)
    await deps.addressLimiter.consume(`${who.userId}:${addressHash}`)
    const isMailed = await mayMail(addressHash)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const { row, names } = await inWorkspace(sql, who.workspaceId, async (tx) => {
      const own = await lockMembership(tx, who)
      requireRole(own, 'admin')
      requireRole(own, role)
      await refuseMember(tx, who, emailKey)
      // Nothing is used before somebody joins, but a plan without a free seat says so now.
      await limit(tx, who.workspaceId, 'members')
      await limit(tx, who.workspaceId, 'members', -1)
      const before = await loadOpen(tx, who, emailKey)
      if (!before) await requireRoom(tx, who)
      const values = { ...address, role, tokenHash: hashToken(token) }
      const after = await save(tx, who, values, isMailed)
      await record(tx, who, before ? 'renewed' : 'created', after, roleChange(before, after))
      await security(tx, {
        ...factsOf(who),
        type: 'member.invited',
        userId: null,
        details: { invitationId: after.id, email, role },
      })
      return { row: after, names: await namesFor(tx, who) }
    })
    if (isMailed) mails.invitation(row.email, { ...names, role, token })
    return {
      ...toInvitation(row, clock()),
      mailed: isMailed,
      accountRequired: deps.signup === 'closed',
    }
  }

  async function mayMail(addressHash: string): Promise<boolean> {
    try {
      await deps.mailLimiter.consume(addressHash)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'RATE_LIMITED') return false
      throw error
    }
  }

  async function cancel(who: Who, id: string): Promise<void> {
    await inWorkspace(sql, who.workspaceId, async (tx) => {
      const [row] = await tx<InvitationRow[]>`
        select * from invitations
        where id = ${id} and workspace_id = ${who.workspaceId} for update`
      if (!row) throw noSuchInvitation()
      if (row.status !== 'pending')
        throw new ApiError('CONFLICT', `This invitation is already ${row.status}.`)
      await close(tx, row, 'canceled')
      await record(tx, who, 'canceled', row)
    })
  }

  /** Cancels the open invitations of one person that the role does not carry; null carries none. */
  async function cancelBy(
    tx: Tx,
    who: Who,
    userId: string,
    role: Role | null,
  ): Promise<DeferredAudit> {
    const open = await tx<InvitationRow[]>`
      select * from invitations
      where workspace_id = ${who.workspaceId} and invited_by = ${userId} and status = 'pending'
      order by id for update`
    const isInviting = role !== null && roleAtLeast(role, 'admin')
    const rows = open.filter((row) => !isInviting || !roleAtLeast(role, row.role))
    for (const row of rows) await close(tx, row, 'canceled')
    return async () => {
      for (const row of rows) await record(tx, who, 'canceled', row)
    }
  }

  /** @throws ApiError NOT_FOUND for an unknown or replaced token, FORBIDDEN for another address */
  async function peek(caller: Caller, token: string): Promise<ReceivedInvitation> {
    return inTransaction(systemSql, async (tx) => {
      const row = await receive(tx, sessionOf(caller), token)
      const [names] = await tx<{ workspaceName: string; inviterName: string | null }[]>`
        select w.name as workspace_name, u.name as inviter_name
        from workspaces w left join users u on u.id = ${row.invitedBy}
        where w.id = ${row.workspaceId}`
      return { ...toInvitation(row, clock()), ...names! }
    })
  }

  /**
   * Makes the invited person a member, and the workspace the active one of the session.
   * @throws ApiError NOT_FOUND; FORBIDDEN for another address; CONFLICT when accepted before or a
   *   member already; GONE when rejected, canceled or expired; PLAN_LIMIT_REACHED
   */
  async function accept(caller: Caller, token: string): Promise<Invitation> {
    const session = sessionOf(caller)
    return inTransaction(systemSql, async (tx) => {
      // Locks are taken in one order everywhere: the workspace, then its invitation.
      const { workspaceId } = await receive(tx, session, token)
      await lockWorkspace(tx, workspaceId)
      const row = await receive(tx, session, token, true)
      refuseClosed(row, clock())
      const [member] = await tx`
        select 1 from members where workspace_id = ${workspaceId} and user_id = ${session.userId}`
      if (member) throw new ApiError('CONFLICT', 'You are a member of this workspace already.')
      await limit(tx, workspaceId, 'members')
      await tx`
        insert into members (workspace_id, user_id, role, created_at)
        values (${workspaceId}, ${session.userId}, ${row.role}, ${new Date(clock())})`
      const accepted = await close(tx, row, 'accepted')
      await setActiveWorkspace(tx, session.id, workspaceId)
      const who = guestOf(caller, session, row)
      await record(tx, who, 'accepted', row)
      await audit(tx, who, {
        action: 'member.joined',
        target: { type: 'member', id: session.userId, name: row.email },
        changes: { role: { old: null, new: row.role } },
      })
      await security(tx, {
        ...factsOf(who),
        type: 'member.joined',
        userId: session.userId,
        details: { invitationId: row.id, role: row.role },
      })
      await announceCredentials(tx, `user:${session.userId}`, `session:${session.id}`)
      return toInvitation(accepted, clock())
    })
  }

  /** Errors as those of {@link accept}. */
  async function reject(caller: Caller, token: string): Promise<Invitation> {
    const session = sessionOf(caller)
    return inTransaction(systemSql, async (tx) => {
      const row = await receive(tx, session, token, true)
      refuseClosed(row, clock())
      const rejected = await close(tx, row, 'rejected')
      await record(tx, guestOf(caller, session, row), 'rejected', row)
      return toInvitation(rejected, clock())
    })
  }

  /** Whether any workspace waits for this address: what SIGNUP=invite asks. */
  async function hasInvitation(email: string): Promise<boolean> {
    const emailKey = parseAddress(email)?.emailKey ?? ''
    const [row] = await systemSql`
      select 1 from invitations
      where email_key = ${emailKey} and status = 'pending' and expires_at > ${new Date(clock())}
      limit 1`
    return row !== undefined
  }

  /** The invitation of a token, for the person it was sent to. */
  async function receive(
    tx: Tx,
    session: Session,
    token: string,
    isForUpdate = false,
  ): Promise<InvitationRow> {
    const [row] = await tx<InvitationRow[]>`
      select * from invitations where token_hash = ${hashToken(token)}
      ${isForUpdate ? tx`for update` : tx``}`
    if (!row) throw noSuchInvitation()
    const [user] = await tx`
      select 1 from users where id = ${session.userId} and email_key = ${row.emailKey}`
    if (!user) throw new ApiError('FORBIDDEN', 'This invitation was sent to another address.')
    return row
  }

  async function save(
    tx: Tx,
    who: Who,
    values: Address & { role: Role; tokenHash: Buffer },
    isNewToken: boolean,
  ): Promise<InvitationRow> {
    const nowMs = clock()
    const now = new Date(nowMs)
    const [row] = await tx<InvitationRow[]>`
      insert into invitations ${tx({
        ...values,
        id: newId('inv', nowMs),
        workspaceId: who.workspaceId,
        invitedBy: who.userId,
        expiresAt: new Date(nowMs + LIFETIME_MS),
        createdAt: now,
        updatedAt: now,
      })}
      on conflict (workspace_id, email_key) where status = 'pending' do update set
        email = excluded.email, role = excluded.role,
        token_hash = case when ${isNewToken} then excluded.token_hash else invitations.token_hash end,
        invited_by = excluded.invited_by, expires_at = excluded.expires_at,
        updated_at = excluded.updated_at
      returning *`
    return row!
  }

  async function close(tx: Tx, row: InvitationRow, status: Status): Promise<InvitationRow> {
    const [closed] = await tx<InvitationRow[]>`
      update invitations set status = ${status}, updated_at = ${new Date(clock())}
      where id = ${row.id} and workspace_id = ${row.workspaceId} returning *`
    return closed!
  }

  async function record(
    tx: Tx,
    who: Who,
    verb: 'created' | 'renewed' | 'canceled' | 'accepted' | 'rejected',
    row: InvitationRow,
    changes?: Changes,
  ): Promise<void> {
    const target = targetOf(row)
    await audit(tx, who, { action: `invitation.${verb}`, target, ...(changes && { changes }) })
  }

  async function loadOpen(tx: Tx, who: Who, emailKey: string): Promise<InvitationRow | null> {
    const [row] = await tx<InvitationRow[]>`
      select * from invitations
      where workspace_id = ${who.workspaceId} and email_key = ${emailKey} and status = 'pending'
      for update`
    return row ?? null
  }

  async function refuseMember(tx: Tx, who: Who, emailKey: string): Promise<void> {
    const [member] = await tx`
      select 1 from members m join users u on u.id = m.user_id
      where m.workspace_id = ${who.workspaceId} and u.email_key = ${emailKey}`
    if (!member) return
    const message = 'This address belongs to a member already.'
    throw new ApiError('CONFLICT', message, [{ path: 'email', message, code: 'member' }])
  }

  /** Invitations are made one after the other, so what is counted here is exact. */
  async function requireRoom(tx: Tx, who: Who): Promise<void> {
    const [count] = await tx<{ total: number }[]>`
      select count(*) as total from invitations
      where workspace_id = ${who.workspaceId} and status = 'pending'
        and expires_at > ${new Date(clock())}`
    if (count!.total >= MAX_OPEN)
      throw new ApiError('CONFLICT', `There are ${MAX_OPEN} open invitations; cancel some first.`)
  }

  async function namesFor(tx: Tx, who: Who) {
    const [names] = await tx<{ workspaceName: string; inviterName: string }[]>`
      select w.name as workspace_name, coalesce(u.name, '') as inviter_name
      from workspaces w left join users u on u.id = ${who.userId} where w.id = ${who.workspaceId}`
    return names!
  }

  function hasStatus(tx: Tx, status: Status | undefined, now: Date) {
    if (status === undefined) return tx``
    if (status === 'expired') return tx`and status = 'pending' and expires_at <= ${now}`
    if (status === 'pending') return tx`and status = 'pending' and expires_at > ${now}`
    return tx`and status = ${status}`
  }
}

function checkEmail(text: string): Address {
  const address = parseAddress(text)
  if (!address) throw invalid('email', 'email must be an e-mail address.', 'format')
  return address
}

function sessionOf({ session }: Caller): Session {
  if (!session) throw new ApiError('UNAUTHORIZED', 'A session is required.')
  return session
}

/** The invited person, acting in the workspace that invites. */
function guestOf(caller: Caller, session: Session, row: InvitationRow): Who {
  return {
    userId: session.userId,
    workspaceId: row.workspaceId,
    role: row.role,
    actor: { type: 'user', id: session.userId },
    scopes: null,
    requestId: caller.requestId,
    ip: caller.ip,
    userAgent: caller.userAgent,
  }
}

function factsOf({ workspaceId, actor, ip, userAgent, requestId }: Who) {
  return { workspaceId, actor, ip, userAgent, requestId }
}

function roleChange(before: InvitationRow | null, after: InvitationRow): Changes {
  return { role: { old: before?.role ?? null, new: after.role } }
}

function noSuchInvitation(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such invitation.')
}
