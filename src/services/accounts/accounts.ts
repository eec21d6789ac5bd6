import type { Caller, Cookie, Session } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, OperatorError } from '../../base/errors.ts'
import type { Reply } from '../../base/route.ts'
import type { Role, Who } from '../../base/who.ts'
import type { HeavyReads } from '../../storage/heavy-reads.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import type { Members } from '../members/members.ts'
import type { RecordSecurity } from '../security.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { exportAccount } from './export.ts'
import type { AccountExport, DeleteAccount } from './schema.ts'

type Deps = {
  /** Of the worker role: people are seen by no workspace. */
  systemSql: SystemSql
  reads: Pick<HeavyReads, 'readOfUser'>
  clock: Clock
  security: RecordSecurity
  /**
   * Shows that the signed-in person is who acts: by the password, or by a recent sign-in for whoever
   * has none. Throws VALIDATION_ERROR, SESSION_NOT_FRESH, RATE_LIMITED.
   */
  confirmOwner: (caller: Caller, password: string | undefined) => Promise<unknown>
  members: Pick<Members, 'remove'>
  workspaces: Pick<Workspaces, 'remove'>
  /** Ends what is pending for an address. */
  voidAddress: (tx: Tx, emailKey: string) => Promise<unknown>
  endSessions: (tx: Tx, userId: string) => Promise<unknown>
  /** Takes the session's cookie away. */
  goneCookie: Cookie
  mails: { accountDeleted(to: string, facts: { name: string }): void }
}

export type Accounts = ReturnType<typeof createAccounts>

type Membership = {
  id: string
  name: string
  role: Role
  isOnlyOwner: boolean
  isSuspended: boolean
}

/** What becomes of a person's account as a whole: read it all, or end it. */
export function createAccounts(deps: Deps) {
  const { systemSql, clock, security } = deps
  return { export: exportOwn, exportOf, remove }

  async function exportOwn(caller: Caller, signal?: AbortSignal): Promise<Reply<AccountExport>> {
    const { userId } = sessionOf(caller)
    const data = await deps.reads.readOfUser(userId, signal, (readSql) =>
      exportAccount(readSql, clock, userId),
    )
    if (!data) throw gone()
    return { data }
  }

  /** @throws OperatorError for an address without account */
  async function exportOf({ email }: { email: string }): Promise<AccountExport> {
    const [user] = await systemSql<{ id: string }[]>`
      select id from users where email_key = ${email.trim().toLowerCase()}`
    const data = user ? await exportAccount(systemSql, clock, user.id) : null
    if (!data)
      throw new OperatorError(`There is no account with the address ${JSON.stringify(email)}.`)
    return data
  }

  /**
   * Ends the account: memberships one after the other, as if the person left each workspace, and the
   * account itself when none is left. Cut off in between, it goes on when it is asked for again.
   * @throws ApiError CONFLICT with `details: {workspaces}`, before anything has changed, for
   *   workspaces without another owner that are not to be deleted
   */
  async function remove(caller: Caller, input: DeleteAccount): Promise<Reply<undefined>> {
    const { userId } = sessionOf(caller)
    await deps.confirmOwner(caller, input.password)
    const memberships = await membershipsOf(userId)
    const owned = memberships.filter(({ isOnlyOwner }) => isOnlyOwner)
    if (input.workspaces !== 'delete' && owned.length > 0) throw stillOwned(owned)
    // As for the deletion of a workspace alone: what the operator has stopped is the operator's to end.
    const stopped = owned.filter(({ isSuspended }) => isSuspended)
    if (stopped.length > 0)
      throw conflict('Workspaces that only you own are suspended; ask the operator.', stopped)
    for (const { id, name, role, isOnlyOwner } of memberships) {
      const who = whoIn(caller, userId, id, role)
      if (isOnlyOwner) await deps.workspaces.remove(who, id, { confirm: name })
      else await deps.members.remove(who, userId)
    }
    const { email, name } = await end(caller, userId)
    deps.mails.accountDeleted(email, { name })
    return { data: undefined, cookies: [deps.goneCookie] }
  }

  async function membershipsOf(userId: string): Promise<Membership[]> {
    return systemSql<Membership[]>`
      select w.id, w.name, m.role, m.role = 'owner' and not exists (
          select from members o
          where o.workspace_id = w.id and o.role = 'owner' and o.user_id <> ${userId}
        ) as is_only_owner, w.suspended_at is not null as is_suspended
      from members m join workspaces w on w.id = m.workspace_id
      where m.user_id = ${userId} order by w.id`
  }

  /** The log of the end names no address, and what was logged of the person alone loses its. */
  async function end(caller: Caller, userId: string) {
    return inTransaction(systemSql, async (tx) => {
      // With this lock nobody can make them a member meanwhile.
      const [user] = await tx<{ email: string; emailKey: string; name: string }[]>`
        select email, email_key, name from users where id = ${userId} for update`
      if (!user) throw gone()
      const [joined] = await tx`select 1 from members where user_id = ${userId} limit 1`
      if (joined)
        throw new ApiError('CONFLICT', 'You have joined a workspace meanwhile; try again.')
      await deps.endSessions(tx, userId)
      await deps.voidAddress(tx, user.emailKey)
      await tx`
        update security_log set actor_name = null, actor_email = null, details = '{}'
        where user_id = ${userId} and workspace_id is null`
      await tx`delete from users where id = ${userId}`
      await security(tx, {
        type: 'account.deleted',
        userId: null,
        workspaceId: null,
        actor: { type: 'user', id: userId },
        ip: caller.ip,
        userAgent: caller.userAgent,
        requestId: caller.requestId,
      })
      return user
    })
  }
}

function stillOwned(owned: readonly Membership[]): ApiError {
  return conflict(
    'You are the only owner of workspaces. Make somebody else an owner of each, or ask for their deletion with workspaces: "delete".',
    owned,
  )
}

function conflict(message: string, workspaces: readonly Membership[]): ApiError {
  return new ApiError('CONFLICT', message, {
    workspaces: workspaces.map(({ id, name }) => ({ id, name })),
  })
}

function whoIn(
  { requestId, ip, userAgent }: Caller,
  userId: string,
  workspaceId: string,
  role: Role,
): Who {
  const actor = { type: 'user', id: userId } as const
  return { userId, workspaceId, role, actor, scopes: null, requestId, ip, userAgent }
}

function sessionOf({ session }: Caller): Session {
  if (!session) throw new ApiError('UNAUTHORIZED', 'Sign in first.')
  return session
}

function gone(): ApiError {
  return new ApiError('UNAUTHORIZED', 'This account is gone.')
}
