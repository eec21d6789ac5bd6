import { bindDeps } from '../../base/bind-deps.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import { hashToken, newToken } from '../../base/token.ts'
import { roleAtLeast, type Role, type Who } from '../../base/who.ts'
import { inWorkspace, type Tx } from '../../storage/postgres.ts'
import { isWithinLimit } from '../../storage/rate-limits.ts'
import { toEntryFields } from '../acting.ts'
import type { AuditAction, Changes } from '../audit.ts'
import type { Dependencies, Limiter } from '../dependencies.ts'
import { checkAddress, parseAddress, type Address } from '../email-address.ts'
import type { Mails } from '../mail/mails.ts'
import { lockMembership, requireGrantable, requireRole, type DeferredAudit } from '../membership.ts'
import { requireOwn } from '../own.ts'
import { countRows, pageMeta } from '../paging.ts'
import { clampLimit } from '../shapes.ts'
import { accept, findForSignUp, join, peek, reject, type ReceivedDeps } from './received.ts'
import {
  close,
  noSuchInvitation,
  refuseClosed,
  toInvitation,
  toTarget,
  type InvitationRow,
} from './row.ts'
import type {
  CreatedInvitation,
  CreateInvitation,
  Invitation,
  InvitationCopyLink,
  ListInvitations,
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
 * `expired` is stored as pending: it follows from the time. An inviter who loses the required role
 * loses the open invitations too. Only the invited address accepts or rejects (received.ts).
 */

type Deps = ReceivedDeps &
  Pick<Dependencies, 'sql' | 'reads' | 'signup' | 'origin'> & {
    mails: Pick<Mails, 'invitation'>
    /** Per inviter and invited address. */
    addressLimiter: Limiter
    /** Per inviter, and per workspace. */
    inviterLimiter: Limiter
    /** Mails to one address from all inviters. Beyond the limit an invitation is created and not mailed. */
    mailLimiter: Limiter
  }

export type Invitations = ReturnType<typeof createInvitations>

const LIFETIME_MS = 14 * 86_400_000
const MAX_OPEN = 100

export const createInvitations = (deps: Deps) =>
  bindDeps(deps, {
    find,
    list,
    get,
    create,
    cancel,
    cancelBy,
    hasInvitation,
    copyLink,
    findForSignUp,
    join,
    peek,
    accept,
    reject,
  })

function find({ sql }: Deps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'invitations', params['id'], 'invitation')
}

async function list(
  { reads, clock }: Deps,
  who: Who,
  query: ListInvitations,
  signal?: AbortSignal,
) {
  const { offset } = query
  const limit = clampLimit(query.limit)
  const nowMs = clock()
  const isPart = query.status !== undefined
  const [rows, counted] = await reads.read(who, signal, (tx) => {
    const status = hasStatus(tx, query.status, new Date(nowMs))
    const where = tx`workspace_id = ${who.workspaceId} ${status}`
    return Promise.all([
      tx<InvitationRow[]>`
        select * from invitations where ${where}
        order by created_at desc, id desc limit ${limit} offset ${offset}`,
      countRows(tx, tx`invitations where ${where}`, isPart),
    ])
  })
  const shown = rows.map((row) => toInvitation(row, nowMs))
  return page(shown, pageMeta(counted, isPart, { limit, offset }))
}

async function get({ sql, clock }: Deps, who: Who, id: string): Promise<Invitation> {
  return toInvitation(await inWorkspace(sql, who.workspaceId, (tx) => load(tx, who, id)), clock())
}

/**
 * Invites an address by mail. An open invitation of the address is renewed; the next mail makes its
 * old token invalid. The answer does not reveal whether the address has an account.
 */
async function create(deps: Deps, who: Who, input: CreateInvitation): Promise<CreatedInvitation> {
  const address = checkAddress(input.email, 'email')
  requireGrantable(who, input.role)
  const isMailed = await consumeLimits(deps, who, address.emailKey)
  const { token, hash: tokenHash } = newToken()
  const { answer, names } = await inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const ownRole = await lockMembership(tx, who)
    requireRole(ownRole, 'admin')
    requireRole(ownRole, input.role)
    await refuseMember(tx, who, address.emailKey)
    // A seat is taken when the invitation is accepted. A plan without a free one refuses it already.
    await deps.limit(tx, who.workspaceId, 'members')
    await deps.limit(tx, who.workspaceId, 'members', -1)
    const before = await loadOpen(tx, who, address.emailKey)
    if (!before) await requireRoom(deps, tx, who)
    const values = { ...address, role: input.role, tokenHash }
    const after = await save(deps, tx, who, values, isMailed)
    const action = before ? 'invitation.renewed' : 'invitation.created'
    const changes = { role: { old: before?.role ?? null, new: after.role } }
    await record(deps, tx, who, action, after, changes)
    const details = { invitationId: after.id, email: address.email, role: input.role }
    await deps.recordSecurity(tx, {
      ...toEntryFields(who),
      type: 'member.invited',
      userId: null,
      details,
    })
    const created = {
      ...toInvitation(after, deps.clock()),
      mailed: isMailed,
      accountRequired: deps.signup === 'closed',
    }
    return {
      names: await loadNames(tx, who),
      answer: await deps.keepAnswer(tx, who, created),
    }
  })
  if (isMailed) deps.mails.invitation(answer.email, { ...names, role: input.role, token })
  return answer
}

async function cancel(deps: Deps, who: Who, id: string): Promise<void> {
  await inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const row = await load(tx, who, id, true)
    if (row.status !== 'pending')
      throw new ApiError('CONFLICT', `This invitation is already ${row.status}.`)
    await close(tx, row, 'canceled', deps.clock())
    await record(deps, tx, who, 'invitation.canceled', row)
  })
}

/**
 * Makes a link that the inviter passes on, and voids the one before. Its token is another one than that of the
 * mail, since with a token that proves an address the inviter could sign up with that of another user.
 * @throws ApiError CONFLICT or GONE for an invitation that is not open
 */
async function copyLink(deps: Deps, who: Who, id: string): Promise<InvitationCopyLink> {
  const { token, hash } = newToken()
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const row = await load(tx, who, id, true)
    refuseClosed(row, deps.clock())
    await tx`
      update invitations set link_hash = ${hash}
      where id = ${id} and workspace_id = ${who.workspaceId}`
    await record(deps, tx, who, 'invitation.link_created', row)
    const url = `${deps.origin()}/v1/auth/invitation?token=${token}`
    return deps.keepAnswer(tx, who, { url, expiresAt: row.expiresAt.toISOString() })
  })
}

/** Cancels the open invitations of an inviter that the role does not allow; null allows none. */
async function cancelBy(
  deps: Deps,
  tx: Tx,
  who: Who,
  userId: string,
  role: Role | null,
): Promise<DeferredAudit> {
  const open = await tx<InvitationRow[]>`
    select * from invitations
    where workspace_id = ${who.workspaceId} and invited_by = ${userId} and status = 'pending'
    order by id for update`
  const mayInvite = role !== null && roleAtLeast(role, 'admin')
  const rows = open.filter((row) => !mayInvite || !roleAtLeast(role, row.role))
  for (const row of rows) await close(tx, row, 'canceled', deps.clock())
  return async () => {
    for (const row of rows) await record(deps, tx, who, 'invitation.canceled', row)
  }
}

/** True when any workspace has invited the address, which SIGNUP=invite requires. */
async function hasInvitation({ systemSql, clock }: Deps, email: string): Promise<boolean> {
  const emailKey = parseAddress(email)?.emailKey ?? ''
  const [row] = await systemSql`
    select 1 from invitations
    where email_key = ${emailKey} and status = 'pending' and expires_at > ${new Date(clock())}
    limit 1`
  return row !== undefined
}

/**
 * @returns false when the address has had its mails of this hour
 * @throws ApiError RATE_LIMITED for an inviter or a workspace over its limit
 */
async function consumeLimits(deps: Deps, who: Who, emailKey: string): Promise<boolean> {
  const addressHash = hashToken(emailKey).toString('base64url')
  await deps.inviterLimiter.consume(who.userId)
  await deps.inviterLimiter.consume(who.workspaceId)
  await deps.addressLimiter.consume(`${who.userId}:${addressHash}`)
  return isWithinLimit(deps.mailLimiter.consume(addressHash))
}

/** Inserts an invitation, or renews the open one of the address. */
async function save(
  { clock }: Deps,
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

async function record(
  { audit }: Deps,
  tx: Tx,
  who: Who,
  action: AuditAction,
  row: InvitationRow,
  changes: Changes = {},
): Promise<void> {
  await audit(tx, who, { action, target: toTarget(row), changes })
}

async function load(tx: Tx, who: Who, id: string, isForUpdate = false): Promise<InvitationRow> {
  const [row] = await tx<InvitationRow[]>`
    select * from invitations where id = ${id} and workspace_id = ${who.workspaceId}
    ${isForUpdate ? tx`for update` : tx``}`
  if (!row) throw noSuchInvitation()
  return row
}

async function loadOpen(tx: Tx, who: Who, emailKey: string): Promise<InvitationRow | null> {
  const [row] = await tx<InvitationRow[]>`
    select * from invitations
    where workspace_id = ${who.workspaceId} and email_key = ${emailKey} and status = 'pending'
    for update`
  return row ?? null
}

async function loadNames(tx: Tx, who: Who) {
  const [names] = await tx<{ workspaceName: string; inviterName: string }[]>`
    select w.name as workspace_name, coalesce(u.name, '') as inviter_name
    from workspaces w left join users u on u.id = ${who.userId} where w.id = ${who.workspaceId}`
  return names!
}

async function refuseMember(tx: Tx, who: Who, emailKey: string): Promise<void> {
  const [member] = await tx`
    select 1 from members m join users u on u.id = m.user_id
    where m.workspace_id = ${who.workspaceId} and u.email_key = ${emailKey}`
  if (!member) return
  const message = 'This address already belongs to a member.'
  throw new ApiError('CONFLICT', message, [{ path: 'email', message, code: 'member' }])
}

/** The caller holds the lock of the memberships, so the count is exact. */
async function requireRoom({ clock }: Deps, tx: Tx, who: Who): Promise<void> {
  const open = hasStatus(tx, 'pending', new Date(clock()))
  const from = tx`invitations where workspace_id = ${who.workspaceId} ${open}`
  if ((await countRows(tx, from, false)) >= MAX_OPEN)
    throw new ApiError('CONFLICT', `There are ${MAX_OPEN} open invitations; cancel some first.`)
}

function hasStatus(tx: Tx, status: Status | undefined, now: Date) {
  if (status === undefined) return tx``
  if (status === 'expired') return tx`and status = 'pending' and expires_at <= ${now}`
  if (status === 'pending') return tx`and status = 'pending' and expires_at > ${now}`
  return tx`and status = ${status}`
}
