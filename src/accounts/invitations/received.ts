import type { Caller, Session } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { requireSession, toEntryFields, userActing } from '../../platform/audit/acting.ts'
import { setActiveWorkspace } from '../sign-in/sessions.ts'
import { announceCredentials } from '../credentials/cache.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { noSuch } from '../../platform/resources/ownership.ts'
import { lockWorkspace } from '../members/membership.ts'
import { close, refuseClosed, toInvitation, toTarget, type InvitationRow } from './row.ts'
import type { Invitation, ReceivedInvitation } from './schema.ts'

export type ReceivedDeps = Pick<
  Dependencies,
  'systemSql' | 'clock' | 'audit' | 'limit' | 'recordSecurity' | 'saveIdempotentResponse'
>

/**
 * The invited user needs a session with the invited address and the token of the mail or of a copied link. A
 * copied link does not prove the address, so the account must have verified it.
 */

export async function peek(
  { systemSql, clock }: ReceivedDeps,
  caller: Caller,
  token: string,
): Promise<ReceivedInvitation> {
  return inTransaction(systemSql, async (tx) => {
    const row = await load(tx, requireSession(caller), token)
    const [names] = await tx<{ workspaceName: string; inviterName: string | null }[]>`
      select w.name as workspace_name, u.name as inviter_name
      from workspaces w left join users u on u.id = ${row.invitedBy}
      where w.id = ${row.workspaceId}`
    return { ...toInvitation(row, clock()), ...names! }
  })
}

export async function accept(
  deps: ReceivedDeps,
  caller: Caller,
  token: string,
): Promise<Invitation> {
  const session = requireSession(caller)
  return inTransaction(deps.systemSql, async (tx) => {
    const { workspaceId } = await load(tx, session, token)
    await lockWorkspace(tx, workspaceId)
    const row = await load(tx, session, token, true)
    const { accepted, principal } = await admit(deps, tx, caller, session.userId, row)
    await setActiveWorkspace(tx, session.id, workspaceId)
    await announceCredentials(tx, `user:${session.userId}`, `session:${session.id}`)
    return deps.saveIdempotentResponse(tx, principal, toInvitation(accepted, deps.clock()))
  })
}

export async function join(
  deps: ReceivedDeps,
  caller: Caller,
  userId: string,
  invitationId: string,
): Promise<void> {
  await inTransaction(deps.systemSql, async (tx) => {
    const find = (locking = tx``) => tx<InvitationRow[]>`
      select i.* from invitations i join users u on u.email_key = i.email_key
      where i.id = ${invitationId} and u.id = ${userId} and u.email_verified_at is not null
      ${locking}`
    const [found] = await find()
    if (!found) throw noSuch('invitation')
    await lockWorkspace(tx, found.workspaceId)
    const [row] = await find(tx`for update of i`)
    await admit(deps, tx, caller, userId, row ?? found)
  })
}

/** The workspace is locked before the invitation, as everywhere. */
async function admit(
  { clock, audit, limit, recordSecurity }: ReceivedDeps,
  tx: Tx,
  caller: Caller,
  userId: string,
  row: InvitationRow,
): Promise<{ accepted: InvitationRow; principal: Principal }> {
  const { workspaceId, role } = row
  refuseClosed(row, clock())
  await refuseMember(tx, workspaceId, userId)
  await limit(tx, workspaceId, 'members')
  await tx`
    insert into members (workspace_id, user_id, role, created_at)
    values (${workspaceId}, ${userId}, ${role}, ${new Date(clock())})`
  const accepted = await close(tx, row, 'accepted', clock())
  const principal = userActing(caller, userId, workspaceId, role)
  await audit(tx, principal, { action: 'invitation.accepted', target: toTarget(row) })
  await audit(tx, principal, {
    action: 'member.joined',
    target: { type: 'member', id: userId, name: row.email },
    changes: { role: { old: null, new: role } },
  })
  const details = { invitationId: row.id, role }
  await recordSecurity(tx, { ...toEntryFields(principal), type: 'member.joined', userId, details })
  return { accepted, principal }
}

/** Whether any workspace has invited the address, which SIGNUP=invite requires. */
export async function hasInvitation(
  { systemSql, clock }: Pick<ReceivedDeps, 'systemSql' | 'clock'>,
  emailKey: string,
): Promise<boolean> {
  const [row] = await systemSql`
    select 1 from invitations
    where email_key = ${emailKey} and status = 'pending' and expires_at > ${new Date(clock())}
    limit 1`
  return row !== undefined
}

export type FollowedInvitation = {
  id: string
  /** Whether its token came from the mail, which proves the address. */
  isProof: boolean
}

export async function findForSignUp(
  { systemSql, clock }: Pick<ReceivedDeps, 'systemSql' | 'clock'>,
  emailKey: string,
  token: string,
): Promise<FollowedInvitation | null> {
  const hash = hashToken(token)
  const [row] = await systemSql<InvitationRow[]>`
    select * from invitations
    where (token_hash = ${hash} or link_hash = ${hash}) and email_key = ${emailKey}
      and status = 'pending' and expires_at > ${new Date(clock())}`
  return row ? { id: row.id, isProof: row.tokenHash.equals(hash) } : null
}

export async function reject(
  deps: ReceivedDeps,
  caller: Caller,
  token: string,
): Promise<Invitation> {
  const { systemSql, clock, audit } = deps
  const session = requireSession(caller)
  return inTransaction(systemSql, async (tx) => {
    const row = await load(tx, session, token, true)
    refuseClosed(row, clock())
    const rejected = await close(tx, row, 'rejected', clock())
    const principal = userActing(caller, session.userId, row.workspaceId, row.role)
    await audit(tx, principal, { action: 'invitation.rejected', target: toTarget(row) })
    return deps.saveIdempotentResponse(tx, principal, toInvitation(rejected, clock()))
  })
}

async function load(tx: Tx, session: Session, token: string, isForUpdate = false) {
  const hash = hashToken(token)
  const [row] = await tx<InvitationRow[]>`
    select * from invitations where token_hash = ${hash} or link_hash = ${hash}
    ${isForUpdate ? tx`for update` : tx``}`
  if (!row) throw noSuch('invitation')
  const [user] = await tx<{ emailVerifiedAt: Date | null }[]>`
    select email_verified_at from users
    where id = ${session.userId} and email_key = ${row.emailKey}`
  if (!user) throw new ApiError('FORBIDDEN', 'This invitation was sent to another address.')
  if (user.emailVerifiedAt === null && !row.tokenHash.equals(hash))
    throw new ApiError(
      'FORBIDDEN',
      'Confirm your address first, or open the link of the mail that invited you.',
    )
  return row
}

async function refuseMember(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  const [member] = await tx`
    select 1 from members where workspace_id = ${workspaceId} and user_id = ${userId}`
  if (member) throw new ApiError('CONFLICT', 'You are already a member of this workspace.')
}
