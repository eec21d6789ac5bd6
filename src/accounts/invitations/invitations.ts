import type { Language } from '../../platform/facts/languages.ts'
import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import { hashToken, newToken } from '../../platform/core/secrets.ts'
import { roleAtLeast, type Role, type Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { isWithinLimit } from '../../platform/limits/rate-limits.ts'
import { toEntryFields } from '../../platform/audit/acting.ts'
import type { Dependencies, Limiter } from '../../platform/resources/dependencies.ts'
import { checkAddress, type Address } from '../../platform/resources/field-checks.ts'
import type { Mails } from '../../platform/mail/mails.ts'
import {
  lockMembership,
  requireGrantable,
  requireRole,
  type DeferredAudit,
} from '../members/membership.ts'
import { ownTable } from '../../platform/resources/ownership.ts'
import { countRows } from '../../platform/resources/lists.ts'
import { accept, peek, reject, type ReceivedDeps } from './received.ts'
import { close, refuseClosed, toInvitation, toTarget, type InvitationRow } from './row.ts'
import type {
  CreateInvitation,
  Invitation,
  InvitationCopyLink,
  ListInvitations,
  Status,
} from './schema.ts'

/**
 * `expired` is stored as pending; inviting again renews it. An inviter who loses the required role loses the open
 * invitations too. Only the invited address accepts or rejects (received.ts).
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

const table = ownTable<InvitationRow>('invitations', 'invitation')
const { find, load } = table

export const createInvitations = (deps: Deps) =>
  bindDeps(deps, { find, list, get, create, cancel, copyLink, peek, accept, reject })

async function list(
  deps: Deps,
  principal: Principal,
  { status, ...query }: ListInvitations,
  signal?: AbortSignal,
) {
  const nowMs = deps.clock()
  const { rows, meta } = await table.list(deps, principal, query, signal, (tx) => [
    status && hasStatus(tx, status, new Date(nowMs)),
  ])
  return page(
    rows.map((row) => toInvitation(row, nowMs)),
    meta,
  )
}

async function get({ sql, clock }: Deps, principal: Principal, id: string): Promise<Invitation> {
  return toInvitation(
    await inWorkspace(sql, principal.workspaceId, (tx) => load(tx, principal, id)),
    clock(),
  )
}

/**
 * The next mail makes the old token of a renewed invitation invalid. The answer does not reveal whether the
 * address has an account.
 */
async function create(deps: Deps, principal: Principal, input: CreateInvitation) {
  const address = checkAddress(input.email, 'email')
  requireGrantable(principal, input.role)
  const isMailed = await consumeLimits(deps, principal, address.emailKey)
  const { token, hash: tokenHash } = newToken()
  const { answer, names } = await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const ownRole = await lockMembership(tx, principal)
    requireRole(ownRole, 'admin')
    requireRole(ownRole, input.role)
    await refuseMember(tx, principal, address.emailKey)
    // Refuses when the plan is full, although only the acceptance takes a seat.
    await deps.limit(tx, principal.workspaceId, 'members')
    await deps.limit(tx, principal.workspaceId, 'members', -1)
    const before = await loadOpen(tx, principal, address.emailKey)
    if (!before) await requireRoom(deps, tx, principal)
    const values = { ...address, role: input.role, tokenHash }
    const after = await save(deps, tx, principal, values, isMailed)
    const action = before ? 'invitation.renewed' : 'invitation.created'
    const changes = { role: { old: before?.role ?? null, new: after.role } }
    await deps.audit(tx, principal, { action, target: toTarget(after), changes })
    const details = { invitationId: after.id, email: address.email, role: input.role }
    await deps.recordSecurity(tx, {
      ...toEntryFields(principal),
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
      names: await loadNames(tx, principal),
      answer: await deps.saveIdempotentResponse(tx, principal, created),
    }
  })
  if (isMailed) {
    const language = await readLanguage(deps, principal, address)
    deps.mails.invitation(answer.email, { ...names, language, role: input.role, token })
  }
  return answer
}

async function cancel(deps: Deps, principal: Principal, id: string): Promise<void> {
  await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const row = await load(tx, principal, id, 'for update')
    if (row.status !== 'pending')
      throw new ApiError('CONFLICT', `This invitation is already ${row.status}.`)
    await close(tx, row, 'canceled', deps.clock())
    await deps.audit(tx, principal, { action: 'invitation.canceled', target: toTarget(row) })
  })
}

/**
 * The link has a token of its own: with the mail's token, which proves the address, the inviter could sign up with
 * another user's address.
 */
async function copyLink(deps: Deps, principal: Principal, id: string): Promise<InvitationCopyLink> {
  const { token, hash } = newToken()
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const row = await load(tx, principal, id, 'for update')
    refuseClosed(row, deps.clock())
    await tx`
      update invitations set link_hash = ${hash}
      where id = ${id} and workspace_id = ${principal.workspaceId}`
    await deps.audit(tx, principal, { action: 'invitation.link_created', target: toTarget(row) })
    const url = `${deps.origin()}/v1/auth/invitation?token=${token}`
    return deps.saveIdempotentResponse(tx, principal, {
      url,
      expiresAt: row.expiresAt.toISOString(),
    })
  })
}

/** Cancels an inviter's open invitations that the role does not allow; null allows none. */
export async function cancelBy(
  deps: Pick<Dependencies, 'clock' | 'audit'>,
  tx: Tx,
  principal: Principal,
  userId: string,
  role: Role | null,
): Promise<DeferredAudit> {
  const open = await tx<InvitationRow[]>`
    select * from invitations
    where workspace_id = ${principal.workspaceId} and invited_by = ${userId} and status = 'pending'
    order by id for update`
  const mayInvite = role !== null && roleAtLeast(role, 'admin')
  const rows = open.filter((row) => !mayInvite || !roleAtLeast(role, row.role))
  for (const row of rows) await close(tx, row, 'canceled', deps.clock())
  return async () => {
    for (const row of rows)
      await deps.audit(tx, principal, { action: 'invitation.canceled', target: toTarget(row) })
  }
}

/** @returns false when the hourly limit of mails to this address is reached */
async function consumeLimits(deps: Deps, principal: Principal, emailKey: string): Promise<boolean> {
  const addressHash = hashToken(emailKey).toString('base64url')
  await deps.inviterLimiter.consume(principal.userId)
  await deps.inviterLimiter.consume(principal.workspaceId)
  await deps.addressLimiter.consume(`${principal.userId}:${addressHash}`)
  return isWithinLimit(deps.mailLimiter.consume(addressHash))
}

async function save(
  { clock }: Deps,
  tx: Tx,
  principal: Principal,
  values: Address & { role: Role; tokenHash: Buffer },
  isNewToken: boolean,
): Promise<InvitationRow> {
  const nowMs = clock()
  const now = new Date(nowMs)
  const [row] = await tx<InvitationRow[]>`
    insert into invitations ${tx({
      ...values,
      id: newId('inv', nowMs),
      workspaceId: principal.workspaceId,
      invitedBy: principal.userId,
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

async function loadOpen(tx: Tx, principal: Principal, emailKey: string) {
  const [row] = await tx<InvitationRow[]>`
    select * from invitations
    where workspace_id = ${principal.workspaceId} and email_key = ${emailKey} and status = 'pending'
    for update`
  return row ?? null
}

async function loadNames(tx: Tx, principal: Principal) {
  const [names] = await tx<{ workspaceName: string; inviterName: string }[]>`
    select w.name as workspace_name, coalesce(u.name, '') as inviter_name
    from workspaces w left join users u on u.id = ${principal.userId} where w.id = ${principal.workspaceId}`
  return names!
}

/** The language of the invited user, and of the inviter for an address without an account. */
async function readLanguage({ systemSql }: Deps, { userId }: Principal, { emailKey }: Address) {
  const [row] = await systemSql<{ language: Language }[]>`
    select preferences->>'language' as language from users
    where (email_key = ${emailKey} or id = ${userId}) and preferences ? 'language'
    order by email_key = ${emailKey} desc limit 1`
  return row?.language
}

async function refuseMember(tx: Tx, principal: Principal, emailKey: string): Promise<void> {
  const [member] = await tx`
    select 1 from members m join users u on u.id = m.user_id
    where m.workspace_id = ${principal.workspaceId} and u.email_key = ${emailKey}`
  if (!member) return
  const message = 'This address already belongs to a member.'
  throw new ApiError('CONFLICT', message, [{ path: 'email', message, code: 'member' }])
}

/** The caller holds the lock of the memberships, so the count is exact. */
async function requireRoom({ clock }: Deps, tx: Tx, principal: Principal): Promise<void> {
  const open = hasStatus(tx, 'pending', new Date(clock()))
  const from = tx`invitations where workspace_id = ${principal.workspaceId} and ${open}`
  if ((await countRows(tx, from, false)) >= MAX_OPEN)
    throw new ApiError(
      'CONFLICT',
      `This workspace has ${MAX_OPEN} open invitations, which is the most it can have; cancel some first.`,
    )
}

function hasStatus(tx: Tx, status: Status, now: Date) {
  if (status === 'expired') return tx`status = 'pending' and expires_at <= ${now}`
  if (status === 'pending') return tx`status = 'pending' and expires_at > ${now}`
  return tx`status = ${status}`
}
