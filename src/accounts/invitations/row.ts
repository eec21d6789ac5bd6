import { ApiError } from '../../platform/core/errors.ts'
import type { Role } from '../../platform/routes/principal.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Invitation, Status } from './schema.ts'

export type InvitationRow = {
  id: string
  workspaceId: string
  email: string
  emailKey: string
  role: Role
  status: Exclude<Status, 'expired'>
  /** Hash of the token in the mail, which proves access to the invited mailbox. */
  tokenHash: Buffer
  /** Hash of the token in the last copied link. */
  linkHash: Buffer | null
  invitedBy: string | null
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

/** An expired invitation is stored as pending. */
export function getStatus(row: InvitationRow, nowMs: number): Status {
  return row.status === 'pending' && row.expiresAt.getTime() <= nowMs ? 'expired' : row.status
}

export function refuseClosed(row: InvitationRow, nowMs: number): void {
  const status = getStatus(row, nowMs)
  if (status === 'pending') return
  if (status === 'accepted') throw new ApiError('CONFLICT', 'This invitation is already accepted.')
  const why = { rejected: 'was rejected', canceled: 'was canceled', expired: 'has expired' }
  throw new ApiError('GONE', `This invitation ${why[status]}.`)
}

export function toInvitation(row: InvitationRow, nowMs: number): Invitation {
  const { emailKey: _emailKey, tokenHash: _tokenHash, linkHash: _linkHash, ...shown } = row
  return { ...toIsoTimes(shown), status: getStatus(row, nowMs) }
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

export function toTarget(row: InvitationRow) {
  return { type: 'invitation', id: row.id, name: row.email }
}
