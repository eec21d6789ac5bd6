import type { Static } from 'typebox'
import { bindDeps } from '../../platform/core/bind-deps.ts'
import type { Caller, Session } from '../../platform/routes/caller.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { hashToken } from '../../platform/core/token.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { TOTP_SECRET } from '../../platform/storage/installation/sealed-columns.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { toSecurityEntry } from '../../platform/audit/security.ts'
import { countBackupCodes, replaceBackupCodes, useBackupCode } from './backup-codes.ts'
import {
  beginTwoFactor,
  completeSignIn,
  isTwoFactorOn,
  TWO_FACTOR_COOKIE,
} from '../sign-in/complete-sign-in.ts'
import type { SignInDeps } from '../sign-in/dependencies.ts'
import { voidPendingSignIns } from '../sign-in/revocation.ts'
import type { BackupCodes, TwoFactorSetup, TwoFactorState } from './factor-schema.ts'
import type { SignedIn } from '../sign-in/schema.ts'
import { newTotpSecret, otpauthUrl, stepOfCode } from './totp.ts'
import { lockUser, requireFresh, requireOwner } from '../sign-in/users.ts'

const MAX_ATTEMPTS = 5

type PendingSignIn = { tokenHash: Buffer; userId: string; method: string }

export type TwoFactor = ReturnType<typeof createTwoFactor>

/**
 * The second factor of a user:
 *
 *   off ──enable──▶ set up ──a right code──▶ on ──disable──▶ off
 *                   └─enable─▶ set up, with another key
 *
 * and a sign-in that needs it; only its end makes a session:
 *
 *   begun ──a right code──▶ signed in
 *     ├──the fifth wrong code──▶ void
 *     └──five minutes──▶ void
 */
export const createTwoFactor = (deps: SignInDeps) =>
  bindDeps(deps, {
    isEnabled: isTwoFactorOn,
    begin: beginTwoFactor,
    ...{ state, enable, verify, replaceCodes, disable },
  })

async function state(
  { systemSql }: SignInDeps,
  caller: Caller,
): Promise<Reply<Static<typeof TwoFactorState>>> {
  const { userId } = requireSession(caller)
  const [row] = await systemSql<{ left: number }[]>`
    select (select count(*) from backup_codes b where b.user_id = f.user_id and used_at is null) as left
    from two_factor f where user_id = ${userId} and confirmed_at is not null`
  return { data: { enabled: row !== undefined, backupCodesLeft: row?.left ?? 0 } }
}

async function enable(
  deps: SignInDeps,
  caller: Caller,
  { password }: { password?: string },
): Promise<Reply<Static<typeof TwoFactorSetup>>> {
  const { secrets } = deps
  const session = requireSession(caller)
  const { userId } = session
  const { user, guess } = await confirmOwner(deps, session, password)
  await guess.giveBack()
  const secret = newTotpSecret()
  const sealed = secrets.seal(TOTP_SECRET.purpose, TOTP_SECRET.boundTo(userId), secret)
  const backupCodes = await inTransaction(deps.systemSql, async (tx) => {
    await lockUser(tx, userId)
    const [row] = await tx`
      insert into two_factor (user_id, secret_sealed, created_at)
      values (${userId}, ${sealed}, ${new Date(deps.clock())})
      on conflict (user_id) do update
        set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at, last_step = 0
        where two_factor.confirmed_at is null
      returning 1`
    if (!row) throw alreadyOn()
    return replaceBackupCodes(secrets, tx, userId)
  })
  return { data: { secret, otpauthUrl: otpauthUrl(secret, user.email), backupCodes } }
}

/** Finishes the pending sign-in of the browser, or else turns two-factor sign-in on. */
async function verify(
  deps: SignInDeps,
  caller: Caller,
  { code }: { code: string },
): Promise<Reply<SignedIn | { enabled: true }>> {
  const cookie = caller.cookies[TWO_FACTOR_COOKIE]
  const pending = cookie === undefined ? null : await takeAttempt(deps, hashToken(cookie))
  if (pending) return finishSignIn(deps, caller, pending, code)
  if (caller.session) return turnOn(deps, caller, caller.session.userId, code)
  throw new ApiError('UNAUTHORIZED', 'This sign-in has expired. Sign in again.')
}

/** Counts before the code is checked, so that parallel guesses are limited as well. */
async function takeAttempt(
  { systemSql, clock }: SignInDeps,
  hash: Buffer,
): Promise<PendingSignIn | null> {
  const [row] = await systemSql<PendingSignIn[]>`
    update pending_sign_ins set attempts = attempts + 1
    where token_hash = ${hash} and expires_at > ${new Date(clock())} and attempts < ${MAX_ATTEMPTS}
    returning token_hash, user_id, method`
  return row ?? null
}

async function finishSignIn(
  deps: SignInDeps,
  caller: Caller,
  { tokenHash, userId, method }: PendingSignIn,
  code: string,
): Promise<Reply<SignedIn>> {
  const guess = await takeGuess(deps, userId)
  const isRight = await inTransaction(deps.systemSql, async (tx) => {
    if (!(await useCode(deps, tx, caller, userId, code))) return false
    const used = await tx`delete from pending_sign_ins where token_hash = ${tokenHash} returning 1`
    return used.length === 1
  })
  if (!isRight) return refuseCode(deps, caller, userId, method)
  await guess.giveBack()
  const reply = await completeSignIn(deps, caller, userId, method)
  const goneCookie = { name: TWO_FACTOR_COOKIE, value: '', maxAgeSeconds: 0 }
  return { ...reply, cookies: [...(reply.cookies ?? []), goneCookie] }
}

async function turnOn(deps: SignInDeps, caller: Caller, userId: string, code: string) {
  const guess = await takeGuess(deps, userId)
  const isRight = await inTransaction(deps.systemSql, async (tx) => {
    await lockUser(tx, userId)
    const [row] = await tx<{ secretSealed: Buffer; confirmedAt: Date | null }[]>`
      select secret_sealed, confirmed_at from two_factor where user_id = ${userId}`
    if (!row) throw invalid('code', 'Two-factor sign-in is not set up.', 'not_set_up')
    if (row.confirmedAt) throw alreadyOn()
    const nowMs = deps.clock()
    const step = findStep(deps, userId, row.secretSealed, code, nowMs)
    if (step === null) return false
    await tx`
      update two_factor set confirmed_at = ${new Date(nowMs)}, last_step = ${step}
      where user_id = ${userId}`
    await deps.recordSecurity(tx, toSecurityEntry(caller, userId, 'two_factor.enabled'))
    return true
  })
  if (!isRight) return refuseCode(deps, caller, userId, 'enable')
  await guess.giveBack()
  return { data: { enabled: true as const } }
}

/** New backup codes replace all former ones, used or not. The app stays as it is. */
async function replaceCodes(
  { systemSql, clock, secrets, recordSecurity }: SignInDeps,
  caller: Caller,
): Promise<Reply<Static<typeof BackupCodes>>> {
  const session = requireSession(caller)
  const { userId } = session
  requireFresh(session, clock())
  const backupCodes = await inTransaction(systemSql, async (tx) => {
    await lockUser(tx, userId)
    const [on] = await tx`
      select 1 from two_factor where user_id = ${userId} and confirmed_at is not null`
    if (!on)
      throw new ApiError('CONFLICT', 'Two-factor sign-in is off. Set it up to get backup codes.')
    await recordSecurity(tx, toSecurityEntry(caller, userId, 'backup_codes.replaced'))
    return replaceBackupCodes(secrets, tx, userId)
  })
  return { data: { backupCodes } }
}

async function disable(
  deps: SignInDeps,
  caller: Caller,
  input: { password?: string; code: string },
): Promise<Reply<{ enabled: false }>> {
  const session = requireSession(caller)
  const { userId } = session
  const { guess } = await confirmOwner(deps, session, input.password)
  const isRight = await inTransaction(deps.systemSql, async (tx) => {
    if (!(await useCode(deps, tx, caller, userId, input.code))) return false
    await tx`delete from two_factor where user_id = ${userId}`
    await voidPendingSignIns(tx, userId)
    await deps.recordSecurity(tx, toSecurityEntry(caller, userId, 'two_factor.disabled'))
    return true
  })
  if (!isRight) return refuseCode(deps, caller, userId, 'disable')
  await guess.giveBack()
  return { data: { enabled: false } }
}

/**
 * Uses a code of the app or a backup code: the `where` of each update lets one of several parallel uses succeed.
 * Locks the user first, which serializes a pending sign-in with a new password that voids it.
 */
async function useCode(
  deps: SignInDeps,
  tx: Tx,
  caller: Caller,
  userId: string,
  code: string,
): Promise<boolean> {
  await lockUser(tx, userId)
  const [row] = await tx<{ secretSealed: Buffer }[]>`
    select secret_sealed from two_factor where user_id = ${userId} and confirmed_at is not null`
  if (!row) return false
  const nowMs = deps.clock()
  const step = findStep(deps, userId, row.secretSealed, code, nowMs)
  if (step !== null) {
    const used = await tx`
      update two_factor set last_step = ${step}
      where user_id = ${userId} and last_step < ${step} and confirmed_at is not null returning 1`
    return used.length === 1
  }
  if (!(await useBackupCode(deps.secrets, tx, userId, code, new Date(nowMs)))) return false
  await deps.recordSecurity(tx, {
    ...toSecurityEntry(caller, userId, 'backup_codes.used'),
    details: { left: await countBackupCodes(tx, userId) },
  })
  return true
}

/** Apps show codes with a space (`123 456`). */
function findStep(
  { secrets }: SignInDeps,
  userId: string,
  sealed: Buffer,
  code: string,
  nowMs: number,
): number | null {
  const secret = secrets.open(TOTP_SECRET.purpose, TOTP_SECRET.boundTo(userId), sealed)
  return stepOfCode(secret, code.replaceAll(/\s/g, ''), nowMs)
}

/**
 * Changing the second factor takes the password. The guess is not given back here: a right password with a wrong
 * code is a guess at the code.
 */
async function confirmOwner(deps: SignInDeps, session: Session, password: string | undefined) {
  const guess = await takeGuess(deps, session.userId)
  return { guess, user: await requireOwner(deps, session, password, 'password') }
}

async function takeGuess({ factorLimiter }: SignInDeps, userId: string) {
  const taken = await factorLimiter.consume(userId)
  return { giveBack: () => factorLimiter.giveBack(userId, taken) }
}

async function refuseCode(
  { systemSql, recordSecurity }: SignInDeps,
  caller: Caller,
  userId: string,
  during: string,
): Promise<never> {
  await recordSecurity(systemSql, {
    ...toSecurityEntry(caller, userId, 'two_factor.failed'),
    actor: caller.session ? { type: 'user', id: caller.session.userId } : null,
    outcome: 'failure',
    details: { during },
  })
  throw new ApiError('INVALID_CODE')
}

function alreadyOn(): ApiError {
  return new ApiError(
    'CONFLICT',
    'Two-factor sign-in is already on. Turn it off to set it up again.',
  )
}
