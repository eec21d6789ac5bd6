import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { page } from '../../platform/routes/route.ts'
import { roleAtLeast, type Role, type Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { toEntryFields } from '../../platform/audit/acting.ts'
import { revokeOf } from '../api-keys/api-keys.ts'
import { announceCredentials } from '../credentials/cache.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { cancelBy } from '../invitations/invitations.ts'
import { lockMembership, requireGrantable, requireRole } from './membership.ts'
import { countRows } from '../../platform/resources/lists.ts'
import { clampLimit, toIsoTimes } from '../../platform/resources/shapes.ts'
import type { ListMembers, Member, UpdateMember } from './schema.ts'

export type MemberDeps = Pick<
  Dependencies,
  'sql' | 'systemSql' | 'reads' | 'clock' | 'audit' | 'limit' | 'recordSecurity'
>

export type Members = ReturnType<typeof createMembers>

type MemberRow = {
  userId: string
  name: string
  email: string
  role: Role
  joinedAt: Date
  lastActiveAt: Date | null
  twoFactorEnabled: boolean
}

export const createMembers = (deps: MemberDeps) =>
  bindDeps(deps, { find, list, setRole, remove: removeMember })

/** @throws ApiError NOT_FOUND for an unknown id, FORBIDDEN for a member of other workspaces only */
async function find(
  { systemSql }: MemberDeps,
  principal: Principal,
  params: Record<string, string>,
): Promise<void> {
  const [row] = await systemSql<{ isMember: boolean | null }[]>`
    select bool_or(workspace_id = ${principal.workspaceId}) as is_member from members
    where user_id = ${params['userId'] ?? ''}`
  if (!row || row.isMember === null) throw noSuchMember()
  if (!row.isMember) throw new ApiError('FORBIDDEN', 'This user is not in your workspace.')
}

async function list(
  { reads }: MemberDeps,
  principal: Principal,
  query: ListMembers,
  signal?: AbortSignal,
) {
  const limit = clampLimit(query.limit)
  const [rows, total] = await reads.read(principal, signal, (tx) =>
    Promise.all([
      tx<MemberRow[]>`
        select ${columnsOf(tx)}
        from members m join users u on u.id = m.user_id
        where m.workspace_id = ${principal.workspaceId}
        order by m.created_at, m.user_id limit ${limit} offset ${query.offset}`,
      countRows(tx, tx`members where workspace_id = ${principal.workspaceId}`, false),
    ]),
  )
  const isAdmin = roleAtLeast(principal.role, 'admin')
  return page(
    rows.map((row) => show(row, isAdmin)),
    { total, limit, offset: query.offset },
  )
}

/** Only an owner grants or revokes the role `owner`. An API key with scopes grants at most `member`. */
async function setRole(
  deps: MemberDeps,
  principal: Principal,
  userId: string,
  { role }: UpdateMember,
): Promise<Member> {
  const { sql, audit, recordSecurity } = deps
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    const ownRole = await lockMembership(tx, principal)
    requireRole(ownRole, 'admin')
    const before = await load(tx, principal, userId)
    if (role === before.role) return show(before, true)
    requireGrantable(principal, role)
    if (role === 'owner' || before.role === 'owner') requireRole(ownRole, 'owner')
    if (before.role === 'owner') await requireOtherOwner(tx, principal, userId)
    await tx`
      update members set role = ${role}
      where workspace_id = ${principal.workspaceId} and user_id = ${userId}`
    const auditCanceled = await cancelBy(deps, tx, principal, userId, role)
    const changes = { role: { old: before.role, new: role } }
    await audit(tx, principal, { action: 'member.role_changed', target: toTarget(before), changes })
    const details = { from: before.role, to: role }
    await recordSecurity(tx, {
      ...toEntryFields(principal),
      type: 'member.role_changed',
      userId,
      details,
    })
    await auditCanceled()
    await announceCredentials(tx, `user:${userId}`)
    return show({ ...before, role }, true)
  })
}

/** Links stay in the workspace, API keys are revoked, and sessions continue without it (docs/decisions/0017). */
export async function removeMember(
  deps: MemberDeps,
  principal: Principal,
  userId: string,
): Promise<void> {
  const { sql, clock, audit, limit, recordSecurity } = deps
  await inWorkspace(sql, principal.workspaceId, async (tx) => {
    const ownRole = await lockMembership(tx, principal)
    const isLeaving = userId === principal.userId
    if (!isLeaving) requireRole(ownRole, 'admin')
    const member = await load(tx, principal, userId)
    if (member.role === 'owner') {
      requireRole(ownRole, 'owner')
      await requireOtherOwner(tx, principal, userId)
    }
    await limit(tx, principal.workspaceId, 'members', -1)
    const auditRevoked = await revokeOf(deps, tx, principal, userId)
    const auditCanceled = await cancelBy(deps, tx, principal, userId, null)
    await tx`
      select 1 from members
      where workspace_id = ${principal.workspaceId} and user_id = ${userId} for update`
    // Audited before the delete, while the user's name is still visible in the workspace.
    await audit(tx, principal, {
      action: isLeaving ? 'member.left' : 'member.removed',
      target: toTarget(member),
      changes: { role: { old: member.role, new: null } },
    })
    const details = { role: member.role, left: isLeaving }
    await recordSecurity(tx, {
      ...toEntryFields(principal),
      type: 'member.removed',
      userId,
      details,
    })
    await auditRevoked()
    await auditCanceled()
    await moveToFormer(tx, principal, userId, new Date(clock()))
    await announceCredentials(tx, `user:${userId}`)
  })
}

/** The security log shows the user's events of the membership, so its period is kept. */
async function moveToFormer(tx: Tx, principal: Principal, userId: string, now: Date) {
  await tx`
    with gone as (
      delete from members where workspace_id = ${principal.workspaceId} and user_id = ${userId}
      returning workspace_id, user_id, created_at
    )
    insert into former_members (workspace_id, user_id, joined_at, left_at)
    select workspace_id, user_id, created_at, greatest(created_at, ${now}) from gone
    on conflict (workspace_id, user_id, joined_at) do update set left_at = excluded.left_at`
}

/** The caller locks the memberships, so that the result stays true until the commit. */
async function requireOtherOwner(tx: Tx, principal: Principal, userId: string): Promise<void> {
  const [other] = await tx`
    select 1 from members
    where workspace_id = ${principal.workspaceId} and role = 'owner' and user_id <> ${userId} limit 1`
  if (!other)
    throw new ApiError(
      'CONFLICT',
      'A workspace needs an owner: make another member an owner first, or delete the workspace.',
    )
}

async function load(tx: Tx, principal: Principal, userId: string): Promise<MemberRow> {
  const [row] = await tx<MemberRow[]>`
    select ${columnsOf(tx)}
    from members m join users u on u.id = m.user_id
    where m.workspace_id = ${principal.workspaceId} and m.user_id = ${userId}`
  if (!row) throw noSuchMember()
  return row
}

function columnsOf(tx: Tx) {
  return tx`m.user_id, u.name, u.email, m.role, m.created_at as joined_at, m.last_active_at,
    exists (select from two_factor f where f.user_id = m.user_id and f.confirmed_at is not null)
      as two_factor_enabled`
}

function show(row: MemberRow, isForAdmin: boolean): Member {
  const shown = toIsoTimes(row)
  return isForAdmin ? shown : { ...shown, lastActiveAt: null, twoFactorEnabled: null }
}

function toTarget(row: MemberRow) {
  return { type: 'member', id: row.userId, name: row.name }
}

function noSuchMember(): ApiError {
  return new ApiError('NOT_FOUND', 'This member does not exist.')
}
