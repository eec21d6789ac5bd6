import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { checkAddress } from '../../platform/resources/field-checks.ts'
import { toAnonymousEntry } from '../../platform/audit/security.ts'
import { describeSession, enter } from './complete-sign-in.ts'
import { type SignInDeps, findUserByEmail, refuseSuspended, type UserRow } from './users.ts'
import type { SessionQuery, SignIn as SignInInput } from './schema.ts'
import { remindAccount, remindPending } from './sign-up.ts'

export type SignIn = ReturnType<typeof createSignIn>

export const createSignIn = (deps: SignInDeps) => bindDeps(deps, { withPassword, current })

async function withPassword(deps: SignInDeps, caller: Caller, input: SignInInput) {
  const { emailKey } = checkAddress(input.email, 'email')
  await deps.throttle.guess(caller, emailKey)
  const user = await findUserByEmail(deps.systemSql, emailKey)
  const isRight = await deps.passwords.verify(user?.passwordHash ?? null, input.password)
  if (!user || !isRight)
    throw await refuse(deps, caller, emailKey, input.password, user?.id ?? null)
  if (deps.requireEmailVerification && user.emailVerifiedAt === null) {
    refuseSuspended(user)
    await remindAccount(deps, caller, user)
    throw new ApiError('EMAIL_NOT_VERIFIED')
  }
  const reply = await enter(deps, caller, user.id, 'password', user.passwordHash)
  if ('data' in reply && reply.data.twoFactorRequired) await requireSamePassword(deps, caller, user)
  return reply
}

/**
 * Compares the password with pending sign-ups, with or without an account, so that answer and work are the same.
 */
async function refuse(
  deps: SignInDeps,
  caller: Caller,
  emailKey: string,
  password: string,
  userId: string | null,
): Promise<ApiError> {
  const isPending = await remindPending(deps, caller, emailKey, password)
  const reason = userId !== null ? 'wrong_password' : isPending ? 'not_verified' : 'unknown'
  await recordFailure(deps, caller, userId, reason)
  return new ApiError(isPending ? 'EMAIL_NOT_VERIFIED' : 'INVALID_CREDENTIALS')
}

/** Refuses a password that was changed while it was compared. */
async function requireSamePassword(
  deps: SignInDeps,
  caller: Caller,
  { id, passwordHash }: UserRow,
): Promise<void> {
  const [same] = await deps.systemSql`
    select 1 from users where id = ${id} and password_hash = ${passwordHash}`
  if (same) return
  await recordFailure(deps, caller, id, 'wrong_password')
  throw new ApiError('INVALID_CREDENTIALS')
}

async function current(deps: SignInDeps, caller: Caller, { optional = false }: SessionQuery = {}) {
  if (optional && !caller.session) return { data: null }
  const { id, workspaceId } = requireSession(caller)
  const actingIn = caller.principal?.workspaceId ?? workspaceId
  try {
    return { data: await describeSession(deps, deps.systemSql, id, actingIn) }
  } catch (error) {
    // The session has ended since the gateway found it.
    if (optional && error instanceof ApiError && error.code === 'UNAUTHORIZED')
      return { data: null }
    throw error
  }
}

async function recordFailure(
  deps: SignInDeps,
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
