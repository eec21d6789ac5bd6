import { bindDeps } from '../../platform/core/bind-deps.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { checkAddress } from '../../platform/mail/email-address.ts'
import { toAnonymousEntry } from '../../platform/audit/security.ts'
import { completeSignIn, describeSession, type CompletionDeps } from './complete-sign-in.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { SessionQuery, SignedIn, SignIn as SignInInput, SignInReply } from './schema.ts'
import type { SignUp } from './sign-up.ts'
import type { Throttle } from './throttle.ts'
import type { TwoFactor } from '../second-factor/two-factor.ts'
import { findUserByEmail, refuseSuspended, type UserRow } from './users.ts'

type Deps = CompletionDeps & {
  passwords: Pick<Passwords, 'verify'>
  throttle: Pick<Throttle, 'guess' | 'deviceCookie'>
  twoFactor: Pick<TwoFactor, 'isEnabled' | 'begin'>
  signUp: Pick<SignUp, 'remindPending' | 'remindAccount'>
}

export type SignIn = ReturnType<typeof createSignIn>

/**
 * Signing in:
 *
 *   request ──over a limit──▶ refused
 *     │──wrong password, or no account──▶ refused after the same work; as unverified if the password
 *     │                                   is that of a pending sign-up
 *     └─right─┬─not verified──▶ refused, and mailed
 *             ├─two-factor sign-in is on──▶ waits for the code (two-factor.ts)
 *             └──▶ session, first workspace, security log (complete-sign-in.ts)
 */
export const createSignIn = (deps: Deps) => bindDeps(deps, { withPassword, enter, current })

async function withPassword(
  deps: Deps,
  caller: Caller,
  input: SignInInput,
): Promise<Reply<SignInReply>> {
  const { emailKey } = checkAddress(input.email, 'email')
  await deps.throttle.guess(caller, emailKey)
  const user = await findUserByEmail(deps.systemSql, emailKey)
  const isRight = await deps.passwords.verify(user?.passwordHash ?? null, input.password)
  if (!user || !isRight)
    throw await refuse(deps, caller, emailKey, input.password, user?.id ?? null)
  if (deps.requireEmailVerification && user.emailVerifiedAt === null) {
    refuseSuspended(user)
    await deps.signUp.remindAccount(caller, user)
    throw new ApiError('EMAIL_NOT_VERIFIED')
  }
  const reply = await enter(deps, caller, user.id, 'password', user.passwordHash)
  if ('data' in reply && reply.data.twoFactorRequired) await requireSamePassword(deps, caller, user)
  return reply
}

/**
 * A pending sign-up can exist for an address with an account as for any other, so the password is
 * compared with pending sign-ups in both cases: the same answer after the same work.
 */
async function refuse(
  deps: Deps,
  caller: Caller,
  emailKey: string,
  password: string,
  userId: string | null,
): Promise<ApiError> {
  const isPending = await deps.signUp.remindPending(caller, emailKey, password)
  const reason = userId !== null ? 'wrong_password' : isPending ? 'not_verified' : 'unknown'
  await recordFailure(deps, caller, userId, reason)
  return new ApiError(isPending ? 'EMAIL_NOT_VERIFIED' : 'INVALID_CREDENTIALS')
}

/** Refuses a password that was changed while it was compared. */
async function requireSamePassword(
  deps: Deps,
  caller: Caller,
  { id, passwordHash }: UserRow,
): Promise<void> {
  const [same] = await deps.systemSql`
    select 1 from users where id = ${id} and password_hash = ${passwordHash}`
  if (same) return
  await recordFailure(deps, caller, id, 'wrong_password')
  throw new ApiError('INVALID_CREDENTIALS')
}

/** Continues after a first factor: with the second factor if there is one. */
async function enter(
  deps: Deps,
  caller: Caller,
  userId: string,
  method: string,
  passwordHash?: string | null,
): Promise<Reply<SignInReply>> {
  if (await deps.twoFactor.isEnabled(userId)) return deps.twoFactor.begin(userId, method)
  return completeSignIn(deps, caller, userId, method, passwordHash)
}

/** The signed-in user, and the workspace that this request acts in; null without a session that is optional. */
async function current(
  deps: Deps,
  caller: Caller,
  { optional = false }: SessionQuery = {},
): Promise<Reply<SignedIn | null>> {
  if (optional && !caller.session) return { data: null }
  const { id, workspaceId } = requireSession(caller)
  const actingIn = caller.principal?.workspaceId ?? workspaceId
  try {
    return { data: await describeSession(deps, deps.systemSql, id, actingIn) }
  } catch (error) {
    // The session ended after the gateway had found it.
    if (optional && error instanceof ApiError && error.code === 'UNAUTHORIZED')
      return { data: null }
    throw error
  }
}

async function recordFailure(
  deps: Deps,
  caller: Caller,
  userId: string | null,
  reason: string,
): Promise<void> {
  await deps.recordSecurity(deps.systemSql, {
    ...toAnonymousEntry(caller, userId, 'sign_in.failed'),
    outcome: 'failure',
    details: { method: 'password', reason },
  })
}
