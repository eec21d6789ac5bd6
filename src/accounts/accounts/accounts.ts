import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError, OperatorError } from '../../platform/core/errors.ts'
import { type Reply, route } from '../../platform/routes/route.ts'
import type { Role } from '../../platform/routes/principal.ts'
import { inTransaction, type Tx, type SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { requireSession, userActing } from '../../platform/audit/acting.ts'
import type { Mails } from '../../platform/mail/mails.ts'
import { removeMember, type MemberDeps } from '../members/members.ts'
import {
  type SignInDeps,
  readUser,
  refuseDeleted,
  requireOwner,
  toReader,
  type UserRow as StoredUser,
} from '../sign-in/users.ts'
import { voidPendingSignUps } from '../sign-in/pending-sign-ups.ts'
import { GONE_SESSION_COOKIE, revokeSessions } from '../sign-in/sessions.ts'
import { toSecurityEntry } from '../../platform/audit/security.ts'
import { removeWorkspace, type WorkspacesDeps } from '../workspaces/workspaces.ts'
import type { Clock } from '../../platform/core/clock.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import { AccountExport, DeleteAccount, DeleteAccountQuery } from './schema.ts'

type Deps = WorkspacesDeps &
  MemberDeps &
  Pick<SignInDeps, 'passwords' | 'throttle'> & { mails: Pick<Mails, 'accountDeleted'> }

type Membership = {
  id: string
  name: string
  role: Role
  isOnlyOwner: boolean
  isSuspended: boolean
}

export type Accounts = ReturnType<typeof createAccounts>

export const createAccounts = (deps: Deps) =>
  bindDeps(deps, { export: exportOwn, exportByEmail, remove })

async function exportOwn({ reads, clock }: Deps, caller: Caller, signal?: AbortSignal) {
  const { userId } = requireSession(caller)
  const data = await reads.readOfUser(userId, signal, (sql) => readAccount(sql, clock, userId))
  return { data: data ?? refuseDeleted() }
}

async function exportByEmail({ systemSql, clock }: Deps, { email }: { email: string }) {
  const [user] = await systemSql<{ id: string }[]>`
    select id from users where email_key = ${email.trim().toLowerCase()}`
  const data = user ? await readAccount(systemSql, clock, user.id) : null
  if (!data)
    throw new OperatorError(`There is no account with the address ${JSON.stringify(email)}.`)
  return data
}

/** Leaves or deletes each workspace first; a deletion that was cut off continues when it is requested again. */
async function remove(deps: Deps, caller: Caller, input: DeleteAccount): Promise<Reply<undefined>> {
  const session = requireSession(caller)
  const { userId } = session
  const { emailKey } = await readUser(deps.systemSql, session)
  await deps.throttle.guess(caller, emailKey)
  await requireOwner(deps, session, input.password, 'password')
  const memberships = await listMemberships(deps, userId)
  const owned = memberships.filter(({ isOnlyOwner }) => isOnlyOwner)
  if (input.workspaces !== 'delete' && owned.length > 0)
    throw conflict(
      'You are the only owner of these workspaces. Make another member an owner of each, or send workspaces: "delete" to delete them with the account.',
      owned,
    )
  // Only the operator deletes a suspended workspace.
  const suspended = owned.filter(({ isSuspended }) => isSuspended)
  if (suspended.length > 0)
    throw conflict(
      'These workspaces, which only you own, are suspended. Ask the operator of this server.',
      suspended,
    )
  for (const { id, name, role, isOnlyOwner } of memberships) {
    const principal = userActing(caller, userId, id, role)
    if (isOnlyOwner) await removeWorkspace(deps, principal, id, { confirm: name })
    else await removeMember(deps, principal, userId)
  }
  const user = await deleteUser(deps, caller, userId)
  deps.mails.accountDeleted(user.email, toReader(user))
  return { data: undefined, cookies: [GONE_SESSION_COOKIE] }
}

function listMemberships({ systemSql }: Deps, userId: string): Promise<Membership[]> {
  return systemSql<Membership[]>`
    select w.id, w.name, m.role, m.role = 'owner' and not exists (
        select from members o
        where o.workspace_id = w.id and o.role = 'owner' and o.user_id <> ${userId}
      ) as is_only_owner, w.suspended_at is not null as is_suspended
    from members m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${userId} order by w.id`
}

/** Also removes the personal data from the user's own log entries. */
async function deleteUser(deps: Deps, caller: Caller, userId: string) {
  return inTransaction(deps.systemSql, async (tx) => {
    // While this lock is held, the user cannot become a member of a workspace.
    const [user] = await tx<StoredUser[]>`
      select * from users where id = ${userId} for update`
    if (!user) return refuseDeleted()
    const [joined] = await tx`select 1 from members where user_id = ${userId} limit 1`
    if (joined)
      throw new ApiError('CONFLICT', 'You have joined another workspace just now. Try again.')
    await revokeSessions(tx, userId, null)
    await voidPendingSignUps(tx, user.emailKey)
    await tx`
      update security_log set actor_name = null, actor_email = null, details = '{}'
      where user_id = ${userId} and workspace_id is null`
    await tx`delete from users where id = ${userId}`
    const entry = toSecurityEntry(caller, userId, 'account.deleted')
    await deps.recordSecurity(tx, { ...entry, userId: null })
    return user
  })
}

function conflict(message: string, workspaces: readonly Membership[]): ApiError {
  return new ApiError('CONFLICT', message, {
    workspaces: workspaces.map(({ id, name }) => ({ id, name })),
  })
}

const MAX_ROWS = 10_000

/** Everything stored about a user, in one snapshot and without secrets; null without an account. */
async function readAccount(sql: SystemSql, clock: Clock, userId: string) {
  return inTransaction(sql, async (tx) => {
    await tx`set transaction isolation level repeatable read, read only`
    const [user] = await tx<UserRow[]>`
      select u.id, u.name, u.email, u.email_key, u.email_verified_at, u.created_at, u.updated_at,
        u.preferences,
        u.password_hash is not null as has_password,
        exists (select from two_factor f where f.user_id = u.id and f.confirmed_at is not null)
          as two_factor_enabled
      from users u where u.id = ${userId}`
    if (!user) return null
    const { emailKey, ...plain } = user
    return {
      exportedAt: new Date(clock()).toISOString(),
      user: toIsoTimes(plain),
      ...(await readBelongings(tx, userId, emailKey)),
    }
  })
}

type UserRow = Omit<AccountExport['user'], 'emailVerifiedAt' | 'createdAt' | 'updatedAt'> & {
  emailKey: string
  emailVerifiedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

async function readBelongings(
  tx: Tx,
  userId: string,
  emailKey: string,
): Promise<Omit<AccountExport, 'exportedAt' | 'user'>> {
  return {
    memberships: toReply(
      await tx`
        select m.workspace_id, w.name as workspace_name, m.role, m.created_at as joined_at,
          m.last_active_at
        from members m join workspaces w on w.id = m.workspace_id
        where m.user_id = ${userId} order by m.created_at limit ${MAX_ROWS}`,
    ),
    sessions: toReply(
      await tx`
        select id, method, ip_address as ip, user_agent, created_at, last_seen_at, expires_at
        from sessions where user_id = ${userId} order by created_at limit ${MAX_ROWS}`,
    ),
    apiKeys: toReply(
      await tx`
        select id, workspace_id, name, prefix, created_at, last_used_at, expires_at
        from api_keys where user_id = ${userId} order by created_at limit ${MAX_ROWS}`,
    ),
    passkeys: toReply(
      await tx`
        select id, name, created_at from passkeys where user_id = ${userId}
        order by created_at limit ${MAX_ROWS}`,
    ),
    linkedAccounts: toReply(
      await tx`
        select provider, email, created_at from linked_accounts where user_id = ${userId}
        order by created_at limit ${MAX_ROWS}`,
    ),
    invitations: toReply(
      await tx`
        select w.name as workspace_name, i.role, i.status, i.created_at
        from invitations i join workspaces w on w.id = i.workspace_id
        where i.email_key = ${emailKey} order by i.created_at limit ${MAX_ROWS}`,
    ),
    securityLog: toReply(
      await tx`
        select type, outcome, workspace_id, details, ip_address as ip, user_agent, country, created_at
        from security_log where user_id = ${userId}
        order by created_at desc, id desc limit ${MAX_ROWS}`,
    ),
  }
}

function toReply<T>(rows: readonly object[]): T[] {
  return rows.map(toIsoTimes) as T[]
}

const tag = 'Profile'

export const accountRoutes = (accounts: Accounts) => [
  route('GET /auth/user/export', {
    requires: { credential: 'session' },
    tier: 'auth',
    name: 'exportUser',
    summary: 'Export all stored data about you, without secrets',
    description: 'Returns the account, its memberships, sessions and logs as one document.',
    tag,
    shapes: { reply: AccountExport },
    handle: (caller, _input, signal) => accounts.export(caller, signal),
  }),
  route('DELETE /auth/user', {
    requires: { credential: 'session' },
    tier: 'auth',
    status: 204,
    name: 'deleteUser',
    summary:
      'Delete your account, and with `workspaces: "delete"` the workspaces that only you own',
    description: 'Takes the password in the body; `workspaces` may also be in the query.',
    errors: ['SESSION_NOT_FRESH'],
    tag,
    shapes: { query: DeleteAccountQuery, body: DeleteAccount },
    handle: (caller, { query, body }) => accounts.remove(caller, { ...query, ...body }),
  }),
]
