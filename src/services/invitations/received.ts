import type { Caller, Session } from '../../base/caller.ts'
import { ApiError } from '../../base/errors.ts'
import { hashToken } from '../../base/token.ts'
import { inTransaction, type Tx } from '../../storage/postgres.ts'
import { requireSession, toEntryFields, userActing } from '../acting.ts'
import type { Sessions } from '../auth/sessions.ts'
import { announceCredentials } from '../credential-changes.ts'
import type { Dependencies } from '../dependencies.ts'
import { lockWorkspace } from '../membership.ts'
import {
  close,
  noSuchInvitation,
  refuseClosed,
  toInvitation,
  toTarget,
  type InvitationRow,
} from './row.ts'
import type { Invitation, ReceivedInvitation } from './schema.ts'

export type ReceivedDeps = Pick<
  Dependencies,
  'systemSql' | 'clock' | 'audit' | 'limit' | 'recordSecurity' | 'keepAnswer'
> & { setActiveWorkspace: Sessions['setActiveWorkspace'] }

/*
 * Operations of the invited user, who needs the token of the mail and a session with the invited
 * address. All throw ApiError NOT_FOUND for an unknown or replaced token, and FORBIDDEN for another
 * address.
 */

/** Reads an invitation and changes nothing. */
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

/**
 * Makes the invited user a member, and the workspace the active one of the session.
 * @throws ApiError CONFLICT for an accepted invitation or a member; GONE for any other that is not
 *   open; PLAN_LIMIT_REACHED
 */
export async function accept(
  deps: ReceivedDeps,
  caller: Caller,
  token: string,
): Promise<Invitation> {
  const { systemSql, clock, audit, limit, recordSecurity, setActiveWorkspace } = deps
  const session = requireSession(caller)
  const { userId } = session
  return inTransaction(systemSql, async (tx) => {
    // The order of locks is the same everywhere: the workspace, then its invitation.
    const { workspaceId } = await load(tx, session, token)
    await lockWorkspace(tx, workspaceId)
    const row = await load(tx, session, token, true)
    refuseClosed(row, clock())
    await refuseMember(tx, workspaceId, userId)
    await limit(tx, workspaceId, 'members')
    await tx`
      insert into members (workspace_id, user_id, role, created_at)
      values (${workspaceId}, ${userId}, ${row.role}, ${new Date(clock())})`
    const accepted = await close(tx, row, 'accepted', clock())
    await setActiveWorkspace(tx, session.id, workspaceId)
    const who = userActing(caller, userId, workspaceId, row.role)
    await audit(tx, who, { action: 'invitation.accepted', target: toTarget(row) })
    await audit(tx, who, {
      action: 'member.joined',
      target: { type: 'member', id: userId, name: row.email },
      changes: { role: { old: null, new: row.role } },
    })
    const details = { invitationId: row.id, role: row.role }
    await recordSecurity(tx, { ...toEntryFields(who), type: 'member.joined', userId, details })
    await announceCredentials(tx, `user:${userId}`, `session:${session.id}`)
    return deps.keepAnswer(tx, who, toInvitation(accepted, clock()))
  })
}

/** @throws ApiError CONFLICT for an accepted invitation, GONE for any other that is not open */
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
    const who = userActing(caller, session.userId, row.workspaceId, row.role)
    await audit(tx, who, { action: 'invitation.rejected', target: toTarget(row) })
    return deps.keepAnswer(tx, who, toInvitation(rejected, clock()))
  })
}

async function load(
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

async function refuseMember(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  const [member] = await tx`
    select 1 from members where workspace_id = ${workspaceId} and user_id = ${userId}`
  if (member) throw new ApiError('CONFLICT', 'You are already a member of this workspace.')
}
