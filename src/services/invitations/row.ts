import { createHash } from 'node:crypto'
import { ApiError } from '../../base/errors.ts'
import type { Role } from '../../base/who.ts'
import type { Invitation, Status } from './schema.ts'

export type InvitationRow = {
  id: string
  workspaceId: string
  email: string
  emailKey: string
  role: Role
  status: Exclude<Status, 'expired'>
  invitedBy: string | null
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

/** The token has 256 random bits, so a plain hash can't be searched. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** An invitation whose time is over is still stored as pending. */
function statusOf(row: InvitationRow, nowMs: number): Status {
  return row.status === 'pending' && row.expiresAt.getTime() <= nowMs ? 'expired' : row.status
}

/** @throws ApiError CONFLICT for an accepted invitation, GONE for any other that is not open */
export function refuseClosed(row: InvitationRow, nowMs: number): void {
  const status = statusOf(row, nowMs)
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
    status: statusOf(row, nowMs),
    invitedBy: row.invitedBy,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** What an audit row may say of an invitation. */
export function targetOf(row: InvitationRow) {
  return { type: 'invitation', id: row.id, name: row.email }
}
