import { ApiError } from '../../platform/core/errors.ts'
import type { Role } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Invitation, Status } from './schema.ts'

export type InvitationRow = {
  id: string
  workspaceId: string
  email: string
  emailKey: string
  role: Role
  status: Exclude<Status, 'expired'>
  /** Of the token in the mail, whose holder has access to the invited mailbox. */
  tokenHash: Buffer
  /** Of the token in the link that the inviter copied last; null before. */
  linkHash: Buffer | null
  invitedBy: string | null
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

/** An expired invitation is stored as pending. */
function getStatus(row: InvitationRow, nowMs: number): Status {
  return row.status === 'pending' && row.expiresAt.getTime() <= nowMs ? 'expired' : row.status
}

/** @throws ApiError CONFLICT for an accepted invitation, GONE for any other that is not open */
export function refuseClosed(row: InvitationRow, nowMs: number): void {
  const status = getStatus(row, nowMs)
  if (status === 'pending') return
  if (status === 'accepted') throw new ApiError('CONFLICT', 'This invitation is already accepted.')
  const why = { rejected: 'was rejected', canceled: 'was canceled', expired: 'has expired' }
  throw new ApiError('GONE', `This invitation ${why[status]}.`)
}

export function toInvitation(row: InvitationRow, nowMs: number): Invitation {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    email: row.email,
    role: row.role,
    status: getStatus(row, nowMs),
    invitedBy: row.invitedBy,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export async function close(
  tx: Tx,
  row: InvitationRow,
  status: 'accepted' | 'rejected' | 'canceled',
  nowMs: number,
): Promise<InvitationRow> {
  const [closed] = await tx<InvitationRow[]>`
    update invitations set status = ${status}, updated_at = ${new Date(nowMs)}
    where id = ${row.id} and workspace_id = ${row.workspaceId} returning *`
  return closed!
}

/** An invitation as the target of an audit row. */
export function toTarget(row: InvitationRow) {
  return { type: 'invitation', id: row.id, name: row.email }
}

export function noSuchInvitation(): ApiError {
  return new ApiError('NOT_FOUND', 'This invitation does not exist.')
}
