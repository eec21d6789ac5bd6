import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import type { Reply } from '../../base/route.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import type { RecordSecurity } from '../security.ts'
import { checkAddress } from './address.ts'
import type { Passwords } from './passwords.ts'
import { lockUser, toUser, type UserRow } from './users.ts'
import type { SignedIn, SignIn as SignInInput, SignInReply } from './schema.ts'
import type { Sessions } from './sessions.ts'
import type { Throttle } from './throttle.ts'
import { entryOf, sessionOf } from './two-factor.ts'

/** The second factor, where somebody has one. */
export type SecondFactor = {
  isEnabled(userId: string): Promise<boolean>
  begin(caller: Caller, userId: string, method: string): Promise<Reply<{ twoFactorRequired: true }>>
}

type Deps = {
  systemSql: SystemSql
  clock: Clock
  recordSecurity: RecordSecurity
  sessions: Pick<Sessions, 'create' | 'revoke'>
  passwords: Pick<Passwords, 'verify'>
  throttle: Pick<Throttle, 'guess' | 'deviceCookie'>
  twoFactor: SecondFactor
  requireEmailVerification: boolean
  /** The first workspace of a person; the lock of the person's row is held. */
  ensureWorkspace: (tx: Tx, person: NewMember) => Promise<string>
  pending: PendingSignUps
}

/** Who signs in, perhaps for the first time, and the request that does it. */
export type NewMember = {
  userId: string
  name: string
  requestId: string
  ip: string | null
  userAgent: string | null
}

/** What a sign-in needs to know of addresses that are not verified yet. */
export type PendingSignUps = {
  /**
   * Compares a password with the pending sign-ups of an address, whether it has an account or not:
   * one hash is run, however many there are. True when one was meant: a mail is on its way.
   */
  remind(caller: Caller, emailKey: string, password: string): Promise<Reminder>
  /** Mails the link once more to an unverified account whose password was right. */
  remindAccount(caller: Caller, userId: string): Promise<Reminder>
}
export type Reminder = { isMeant: boolean }

type Found = {
  id: string
  passwordHash: string | null
  emailVerifiedAt: Date | null
  suspendedAt: Date | null
}

export type SignIn = ReturnType<typeof createSignIn>

/**
 * Signing in:
 *
 *   asked ──too often──▶ refused
 *     │──wrong, or nobody──▶ refused, after as much work, as unverified where a sign-up was meant
 *     └─right─┬─not verified──▶ refused, and mailed
 *             ├─has a second factor──▶ waits for it (two-factor.ts)
 *             └──────────────────────▶ complete: session, first workspace, security log
 */
export function createSignIn(deps: Deps) {
  const { systemSql, recordSecurity, sessions } = deps

  async function withPassword(caller: Caller, input: SignInInput): Promise<Reply<SignInReply>> {
    const { emailKey } = checkAddress(input.email, 'email')
    await deps.throttle.guess(caller, emailKey)
    const [user] = await systemSql<Found[]>`
      select id, password_hash, email_verified_at, suspended_at from users
      where email_key = ${emailKey}`
    const isRight = await deps.passwords.verify(user?.passwordHash ?? null, input.password)
    if (!user || !isRight) throw await refuse(caller, emailKey, input.password, user?.id ?? null)
    if (deps.requireEmailVerification && user.emailVerifiedAt === null) {
      refuseSuspended(user)
      await deps.pending.remindAccount(caller, user.id)
      throw new ApiError('EMAIL_NOT_VERIFIED')
    }
    const reply = await enter(caller, user.id, 'password', user.passwordHash)
    if ('data' in reply && reply.data.twoFactorRequired) await requireSame(caller, user)
    return reply
  }

  /**
   * The refusal of a password that opens no account. A sign-up is pending for an address with an
   * account as for any other, so both are compared with it: the same answer after the same work.
   */
  async function refuse(
    caller: Caller,
    emailKey: string,
    password: string,
    userId: string | null,
  ): Promise<ApiError> {
    const { isMeant } = await deps.pending.remind(caller, emailKey, password)
    const reason = userId !== null ? 'wrong_password' : isMeant ? 'not_verified' : 'unknown'
    const wrong = await failed(caller, userId, reason)
    return isMeant ? new ApiError('EMAIL_NOT_VERIFIED') : wrong
  }

  /** A password that was changed while it was compared begins no sign-in. */
  async function requireSame(caller: Caller, { id, passwordHash }: Found): Promise<void> {
    const [same] = await systemSql`
      select 1 from users where id = ${id} and password_hash = ${passwordHash}`
    if (!same) throw await failed(caller, id, 'wrong_password')
  }

  /** After a first factor: asks for the second one where there is one. */
  async function enter(
    caller: Caller,
    userId: string,
    method: string,
    passwordHash?: string | null,
  ): Promise<Reply<SignInReply>> {
    if (await deps.twoFactor.isEnabled(userId)) return deps.twoFactor.begin(caller, userId, method)
    return complete(caller, userId, method, passwordHash)
  }

  /**
   * The last step of every way to sign in. The session that the browser had ends, so that none that
   * was planted there before becomes this person's.
   * @param passwordHash what the password was compared with: changed meanwhile, it is wrong
   * @throws ApiError FORBIDDEN for a suspended person, EMAIL_NOT_VERIFIED, INVALID_CREDENTIALS
   */
  async function complete(
    caller: Caller,
    userId: string,
    method: string,
    passwordHash?: string | null,
  ): Promise<Reply<SignedIn>> {
    return inTransaction(systemSql, async (tx) => {
      const person = await lockUser(tx, userId)
      if (!person) throw new ApiError('UNAUTHORIZED', 'This account is gone.')
      if (passwordHash !== undefined && passwordHash !== person.passwordHash)
        throw new ApiError('INVALID_CREDENTIALS')
      refuseSuspended(person)
      if (deps.requireEmailVerification && person.emailVerifiedAt === null)
        throw new ApiError('EMAIL_NOT_VERIFIED')
      const { requestId, ip, userAgent } = caller
      const { name } = person
      const workspaceId = await deps.ensureWorkspace(tx, { userId, name, requestId, ip, userAgent })
      if (caller.session) await sessions.revoke(tx, caller.session.userId, caller.session.id)
      const { session, cookie } = await sessions.create(tx, caller, { userId, workspaceId, method })
      await recordSecurity(tx, {
        ...entryOf(caller, userId, 'sign_in.succeeded'),
        details: { method, sessionId: session.id },
      })
      return {
        data: await describe(tx, session.id, workspaceId),
        cookies: [cookie, deps.throttle.deviceCookie(caller, person.id)],
      }
    })
  }

  /** Who is signed in, and in which workspace this request is. */
  async function current(caller: Caller): Promise<Reply<SignedIn>> {
    const { id, workspaceId } = sessionOf(caller)
    return { data: await describe(systemSql, id, caller.who?.workspaceId ?? workspaceId) }
  }

  async function describe(
    db: SystemSql | Tx,
    sessionId: string,
    workspaceId: string | null,
  ): Promise<SignedIn> {
    const [row] = await db<(UserRow & SessionColumns)[]>`
      select u.*, s.id as session_id, s.created_at as session_created_at,
        s.expires_at as session_expires_at, w.id as workspace_id, w.name as workspace_name,
        w.suspended_at is not null as is_suspended, m.role
      from sessions s join users u on u.id = s.user_id
      left join members m on m.user_id = u.id and m.workspace_id = ${workspaceId}
      left join workspaces w on w.id = m.workspace_id
      where s.id = ${sessionId}`
    if (!row) throw new ApiError('UNAUTHORIZED', 'Sign in first.')
    return {
      user: toUser(row),
      session: {
        id: row.sessionId,
        createdAt: row.sessionCreatedAt.toISOString(),
        expiresAt: row.sessionExpiresAt.toISOString(),
      },
      workspace:
        row.workspaceId === null
          ? null
          : { id: row.workspaceId, name: row.workspaceName!, isSuspended: row.isSuspended },
      role: row.role,
    }
  }

  async function failed(caller: Caller, userId: string | null, reason: string): Promise<ApiError> {
    await recordSecurity(systemSql, {
      ...entryOf(caller, '', 'sign_in.failed'),
      userId,
      actor: null,
      outcome: 'failure',
      details: { method: 'password', reason },
    })
    return new ApiError('INVALID_CREDENTIALS')
  }

  return { withPassword, enter, complete, current, describe }
}

type SessionColumns = {
  sessionId: string
  sessionCreatedAt: Date
  sessionExpiresAt: Date
  workspaceId: string | null
  workspaceName: string | null
  isSuspended: boolean
  role: string | null
}

/** @throws ApiError FORBIDDEN */
function refuseSuspended({ suspendedAt }: { suspendedAt: Date | null }): void {
  if (suspendedAt) throw new ApiError('FORBIDDEN', 'This account is suspended.')
}
