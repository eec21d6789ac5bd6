import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { page } from '../../base/route.ts'
import type { Role, Who } from '../../base/who.ts'
import type { HeavyReads } from '../../storage/heavy-reads.ts'
import { inWorkspace, type Tx, type SystemSql, type TenantSql } from '../../storage/postgres.ts'
import type { Audit } from '../audit.ts'
import { announceCredentials } from '../credential-changes.ts'
import type { Limit } from '../limits.ts'
import { lockMembership, requireGrantable, requireRole, type DeferredAudit } from '../membership.ts'
import type { RecordSecurity, SecurityType } from '../security.ts'
import { clampLimit } from '../shapes.ts'
import type { ListMembers, Member, UpdateMember } from './schema.ts'

type Deps = {
  sql: TenantSql
  reads: Pick<HeavyReads, 'read'>
  /** Sees every workspace: only so is another's member told from nobody. */
  systemSql: SystemSql
  clock: Clock
  audit: Audit
  limit: Limit
  security: RecordSecurity
  /** Ends all API keys of one person in the caller's workspace. */
  revokeKeysOf: (tx: Tx, who: Who, userId: string) => Promise<DeferredAudit>
  /** Cancels the open invitations of one person that a role no longer carries; null: all of them. */
  cancelInvitationsBy: (
    tx: Tx,
    who: Who,
    userId: string,
    role: Role | null,
  ) => Promise<DeferredAudit>
}

export type Members = ReturnType<typeof createMembers>

type MemberRow = { userId: string; name: string; email: string; role: Role; createdAt: Date }

/**
 * Who belongs to a workspace. A change acts within a second on the sessions and keys of the person
 * on every process, and a workspace always has an owner.
 */
export function createMembers(deps: Deps) {
  const { sql, reads, systemSql, clock, audit, limit, security } = deps
  return { find, list, setRole, remove }

  /** @throws ApiError NOT_FOUND for nobody's id, FORBIDDEN for a member of other workspaces alone */
  async function find(who: Who, params: Record<string, string>): Promise<void> {
    const [row] = await systemSql<{ isFellow: boolean | null }[]>`
      select bool_or(workspace_id = ${who.workspaceId}) as is_fellow from members
      where user_id = ${params['userId'] ?? ''}`
    if (!row || row.isFellow === null) throw new ApiError('NOT_FOUND', 'There is no such member.')
    if (!row.isFellow) throw new ApiError('FORBIDDEN', 'This person is not in your workspace.')
  }

  async function list(who: Who, query: ListMembers, signal?: AbortSignal) {
    const limitRows = clampLimit(query.limit)
    const [rows, [count]] = await reads.read(who, signal, (tx) =>
      Promise.all([
        tx<MemberRow[]>`
          select m.user_id, u.name, u.email, m.role, m.created_at
          from members m join users u on u.id = m.user_id
          where m.workspace_id = ${who.workspaceId}
          order by m.created_at, m.user_id limit ${limitRows} offset ${query.offset}`,
        tx<{ total: number }[]>`
          select count(*) as total from members where workspace_id = ${who.workspaceId}`,
      ]),
    )
    return page(rows.map(show), { total: count!.total, limit: limitRows, offset: query.offset })
  }

  /** Only an owner makes or unmakes owners, and an API key with scopes grants at most `member`. */
  async function setRole(who: Who, userId: string, { role }: UpdateMember): Promise<Member> {
    return inWorkspace(sql, who.workspaceId, async (tx) => {
      const own = await lockMembership(tx, who)
      requireRole(own, 'admin')
      const before = await load(tx, who, userId)
      if (role === before.role) return show(before)
      requireGrantable(who, role)
      if (role === 'owner' || before.role === 'owner') requireRole(own, 'owner')
      if (before.role === 'owner') await requireOtherOwner(tx, who, userId)
      await tx`
        update members set role = ${role}
        where workspace_id = ${who.workspaceId} and user_id = ${userId}`
      const auditCanceled = await deps.cancelInvitationsBy(tx, who, userId, role)
      const changes = { role: { old: before.role, new: role } }
      await audit(tx, who, { action: 'member.role_changed', target: targetOf(before), changes })
      await note(tx, who, 'member.role_changed', userId, { from: before.role, to: role })
      await auditCanceled()
      await announceCredentials(tx, `user:${userId}`)
      return show({ ...before, role })
    })
  }

  /**
   * An admin removes; anybody leaves. Links stay with the workspace, keys end, and sessions go on
   * without it (docs/decisions/0012).
   */
  async function remove(who: Who, userId: string): Promise<void> {
    await inWorkspace(sql, who.workspaceId, async (tx) => {
      const own = await lockMembership(tx, who)
      const isLeaving = userId === who.userId
      if (!isLeaving) requireRole(own, 'admin')
      const member = await load(tx, who, userId)
      if (member.role === 'owner') {
        requireRole(own, 'owner')
        await requireOtherOwner(tx, who, userId)
      }
      await limit(tx, who.workspaceId, 'members', -1)
      const auditRevoked = await deps.revokeKeysOf(tx, who, userId)
      const auditCanceled = await deps.cancelInvitationsBy(tx, who, userId, null)
      await tx`
        select 1 from members
        where workspace_id = ${who.workspaceId} and user_id = ${userId} for update`
      // Told while the person can still be seen by name.
      await audit(tx, who, {
        action: isLeaving ? 'member.left' : 'member.removed',
        target: targetOf(member),
        changes: { role: { old: member.role, new: null } },
      })
      await note(tx, who, 'member.removed', userId, { role: member.role, left: isLeaving })
      await auditRevoked()
      await auditCanceled()
      // The security log goes on showing the time of this membership.
      await tx`
        with gone as (
          delete from members where workspace_id = ${who.workspaceId} and user_id = ${userId}
          returning workspace_id, user_id, created_at
        )
        insert into former_members (workspace_id, user_id, joined_at, left_at)
        select workspace_id, user_id, created_at, greatest(created_at, ${new Date(clock())}) from gone
        on conflict (workspace_id, user_id, joined_at) do update set left_at = excluded.left_at`
      await announceCredentials(tx, `user:${userId}`)
    })
  }

  /** Memberships change one after the other, so what is counted here stays true until the commit. */
  async function requireOtherOwner(tx: Tx, who: Who, userId: string): Promise<void> {
    const [other] = await tx`
      select 1 from members
      where workspace_id = ${who.workspaceId} and role = 'owner' and user_id <> ${userId} limit 1`
    if (!other)
      throw new ApiError(
        'CONFLICT',
        'A workspace keeps its last owner; make somebody else an owner first, or delete the workspace.',
      )
  }

  async function note(
    tx: Tx,
    who: Who,
    type: SecurityType,
    userId: string,
    details: Record<string, string | boolean>,
  ): Promise<void> {
    await security(tx, {
      type,
      userId,
      workspaceId: who.workspaceId,
      actor: who.actor,
      ip: who.ip,
      userAgent: who.userAgent,
      requestId: who.requestId,
      details,
    })
  }

  async function load(tx: Tx, who: Who, userId: string): Promise<MemberRow> {
    const [row] = await tx<MemberRow[]>`
      select m.user_id, u.name, u.email, m.role, m.created_at
      from members m join users u on u.id = m.user_id
      where m.workspace_id = ${who.workspaceId} and m.user_id = ${userId}`
    if (!row) throw new ApiError('NOT_FOUND', 'There is no such member.')
    return row
  }
}

function show(row: MemberRow): Member {
  return {
    userId: row.userId,
    name: row.name,
    email: row.email,
    role: row.role,
    joinedAt: row.createdAt.toISOString(),
  }
}

function targetOf(row: MemberRow) {
  return { type: 'member', id: row.userId, name: row.name }
}
