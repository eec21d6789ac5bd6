import type { Caller, Session } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import type { Reply } from '../../base/route.ts'
import type { Secrets } from '../../base/secrets.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import type { RateState } from '../../storage/rate-limits.ts'
import { TOTP_SECRET } from '../../storage/sealed-columns.ts'
import type { RecordSecurity, SecurityType } from '../security.ts'
import { createBackupCodes } from './backup-codes.ts'
import { newToken, hashToken } from '../../base/token.ts'
import { requireOwner, type OwnerDeps } from './users.ts'
import { newTotpSecret, otpauthUrl, stepOfCode } from './totp.ts'

/**
 * The second factor of a person:
 *
 *   off ──enable──▶ set up ──a right code──▶ on ──disable──▶ off
 *                   └─enable─▶ set up, with another key
 *
 * and a sign-in of somebody who has one; only its end makes a session:
 *
 *   begun ──a right code──▶ signed in
 *     ├──the fifth wrong code──▶ void
 *     └──five minutes──▶ void
 */
export const TWO_FACTOR_COOKIE = 'signpost_two_factor'

const PENDING_SECONDS = 300
const MAX_ATTEMPTS = 5

/** Makes the session: the last step of every way to sign in. */
export type CompleteSignIn<SignedIn> = (
  caller: Caller,
  userId: string,
  method: string,
) => Promise<Reply<SignedIn>>

export type FactorLimiter = {
  consume(key: string): Promise<RateState>
  giveBack(key: string, taken: RateState): Promise<void>
}

type Deps<SignedIn> = {
  /** Of the worker role: people are seen by no workspace. */
  sql: SystemSql
  clock: Clock
  secrets: Pick<Secrets, 'seal' | 'open' | 'keyFor'>
  recordSecurity: RecordSecurity
  passwords: OwnerDeps['passwords']
  /**
   * Per person, whatever the address: codes are short. Throws RATE_LIMITED. Each guess is counted
   * before it is looked at, so that parallel ones are bounded too, and a right one is given back.
   */
  factorLimiter: FactorLimiter
  completeSignIn: CompleteSignIn<SignedIn>
}

export type TwoFactorSetup = { secret: string; otpauthUrl: string; backupCodes: string[] }
export type TwoFactorState = { enabled: boolean; backupCodesLeft: number }

export type TwoFactor<SignedIn> = {
  isEnabled(userId: string): Promise<boolean>
  /** Answers the first factor of somebody who has a second one. */
  begin(
    caller: Caller,
    userId: string,
    method: string,
  ): Promise<{ data: { twoFactorRequired: true }; cookies: { name: string; value: string }[] }>
  /** Voids the sign-ins that wait for a code: their first factor is no longer good. */
  voidPending(tx: Tx, userId: string): Promise<void>
  state(caller: Caller): Promise<Reply<TwoFactorState>>
  enable(caller: Caller, input: { password?: string }): Promise<Reply<TwoFactorSetup>>
  verify(caller: Caller, input: { code: string }): Promise<Reply<SignedIn | { enabled: true }>>
  disable(
    caller: Caller,
    input: { password?: string; code: string },
  ): Promise<Reply<{ enabled: false }>>
}

export function createTwoFactor<SignedIn>(deps: Deps<SignedIn>): TwoFactor<SignedIn> {
  const { sql, clock, secrets, recordSecurity, passwords } = deps
  const backupCodes = createBackupCodes(secrets)

  async function isEnabled(userId: string): Promise<boolean> {
    const rows = await sql`
      select 1 from two_factor where user_id = ${userId} and confirmed_at is not null`
    return rows.length === 1
  }

  async function begin(_caller: Caller, userId: string, method: string) {
    const nowMs = clock()
    const { token, hash } = newToken()
    await sql`delete from pending_sign_ins where expires_at <= ${new Date(nowMs)}`
    await sql`insert into pending_sign_ins ${sql({
      tokenHash: hash,
      userId,
      method,
      expiresAt: new Date(nowMs + PENDING_SECONDS * 1_000),
    })}`
    return {
      data: { twoFactorRequired: true as const },
      cookies: [{ name: TWO_FACTOR_COOKIE, value: token, maxAgeSeconds: PENDING_SECONDS }],
    }
  }

  async function voidPending(tx: Tx, userId: string): Promise<void> {
    await tx`delete from pending_sign_ins where user_id = ${userId}`
  }

  async function state(caller: Caller): Promise<Reply<TwoFactorState>> {
    const { userId } = sessionOf(caller)
    const [row] = await sql<{ left: number }[]>`
      select (select count(*) from backup_codes b where b.user_id = f.user_id and used_at is null) as left
      from two_factor f where user_id = ${userId} and confirmed_at is not null`
    return { data: { enabled: row !== undefined, backupCodesLeft: row?.left ?? 0 } }
  }

  async function enable(caller: Caller, { password }: { password?: string }) {
    const session = sessionOf(caller)
    const { userId } = session
    const { person, guess } = await askOwner(session, password)
    await guess.giveBack()
    const secret = newTotpSecret()
    const sealed = secrets.seal(TOTP_SECRET.purpose, TOTP_SECRET.placeOf(userId), secret)
    const codes = await inTransaction(sql, async (tx) => {
      await lock(tx, userId)
      const [row] = await tx`
        insert into two_factor (user_id, secret_sealed, created_at)
        values (${userId}, ${sealed}, ${new Date(clock())})
        on conflict (user_id) do update
          set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at, last_step = 0
          where two_factor.confirmed_at is null
        returning 1`
      if (!row) throw new ApiError('CONFLICT', 'Two-factor sign-in is on already.')
      return backupCodes.replace(tx, userId)
    })
    return { data: { secret, otpauthUrl: otpauthUrl(secret, person.email), backupCodes: codes } }
  }

  async function verify(caller: Caller, { code }: { code: string }) {
    const cookie = caller.cookies[TWO_FACTOR_COOKIE]
    const pending = cookie === undefined ? null : await takeAttempt(hashToken(cookie))
    if (pending) return finishSignIn(caller, pending, code)
    if (caller.session) return confirm(caller, caller.session.userId, code)
    throw new ApiError('UNAUTHORIZED', 'This sign-in is over; sign in again.')
  }

  /** Counts before it looks, so that parallel guesses are five as well. */
  async function takeAttempt(hash: Buffer) {
    const [row] = await sql<{ tokenHash: Buffer; userId: string; method: string }[]>`
      update pending_sign_ins set attempts = attempts + 1
      where token_hash = ${hash} and expires_at > ${new Date(clock())} and attempts < ${MAX_ATTEMPTS}
      returning token_hash, user_id, method`
    return row ?? null
  }

  async function finishSignIn(
    caller: Caller,
    { tokenHash: hash, userId, method }: { tokenHash: Buffer; userId: string; method: string },
    code: string,
  ): Promise<Reply<SignedIn>> {
    const guess = await takeGuess(userId)
    const isRight = await inTransaction(sql, async (tx) => {
      if (!(await accept(tx, caller, userId, code))) return false
      const gone = await tx`delete from pending_sign_ins where token_hash = ${hash} returning 1`
      return gone.length === 1
    })
    if (!isRight) throw await failed(caller, userId, method)
    await guess.giveBack()
    const reply = await deps.completeSignIn(caller, userId, method)
    return {
      ...reply,
      cookies: [...(reply.cookies ?? []), { name: TWO_FACTOR_COOKIE, value: '', maxAgeSeconds: 0 }],
    }
  }

  async function confirm(caller: Caller, userId: string, code: string) {
    const guess = await takeGuess(userId)
    const outcome = await inTransaction(sql, async (tx) => {
      await lock(tx, userId)
      const [row] = await tx<{ secretSealed: Buffer; confirmedAt: Date | null }[]>`
        select secret_sealed, confirmed_at from two_factor where user_id = ${userId}`
      if (!row) throw invalid('code', 'Two-factor sign-in is not set up.', 'not_set_up')
      if (row.confirmedAt) throw new ApiError('CONFLICT', 'Two-factor sign-in is on already.')
      const nowMs = clock()
      const step = stepOfCode(open(userId, row.secretSealed), trimmed(code), nowMs)
      if (step === null) return false
      await tx`
        update two_factor set confirmed_at = ${new Date(nowMs)}, last_step = ${step}
        where user_id = ${userId}`
      await note(tx, caller, userId, 'two_factor.enabled')
      return true
    })
    if (!outcome) throw await failed(caller, userId, 'enable')
    await guess.giveBack()
    return { data: { enabled: true as const } }
  }

  async function disable(caller: Caller, input: { password?: string; code: string }) {
    const session = sessionOf(caller)
    const { userId } = session
    const { guess } = await askOwner(session, input.password)
    const isRight = await inTransaction(sql, async (tx) => {
      if (!(await accept(tx, caller, userId, input.code))) return false
      await tx`delete from two_factor where user_id = ${userId}`
      await voidPending(tx, userId)
      await note(tx, caller, userId, 'two_factor.disabled')
      return true
    })
    if (!isRight) throw await failed(caller, userId, 'disable')
    await guess.giveBack()
    return { data: { enabled: false as const } }
  }

  /**
   * Takes a code of the app or a backup code, once: the `where` of each update lets one of many
   * parallel uses through.
   */
  async function accept(tx: Tx, caller: Caller, userId: string, text: string): Promise<boolean> {
    await lock(tx, userId)
    const [row] = await tx<{ secretSealed: Buffer }[]>`
      select secret_sealed from two_factor where user_id = ${userId} and confirmed_at is not null`
    if (!row) return false
    const nowMs = clock()
    const step = stepOfCode(open(userId, row.secretSealed), trimmed(text), nowMs)
    if (step !== null) {
      const taken = await tx`
        update two_factor set last_step = ${step}
        where user_id = ${userId} and last_step < ${step} and confirmed_at is not null returning 1`
      return taken.length === 1
    }
    if (!(await backupCodes.use(tx, userId, text, new Date(nowMs)))) return false
    await note(tx, caller, userId, 'backup_codes.used', {
      left: await backupCodes.left(tx, userId),
    })
    return true
  }

  /**
   * Whoever changes the factors is asked once more; the answer counts as a guess first, and is not
   * given back here: a right password with a wrong code is a guess at the code.
   */
  async function askOwner(session: Session, password: string | undefined) {
    const guess = await takeGuess(session.userId)
    const owner = { systemSql: sql, clock, passwords }
    return { guess, person: await requireOwner(owner, session, password, 'password') }
  }

  async function takeGuess(userId: string) {
    const taken = await deps.factorLimiter.consume(userId)
    return { giveBack: () => deps.factorLimiter.giveBack(userId, taken) }
  }

  async function failed(caller: Caller, userId: string, during: string): Promise<ApiError> {
    await recordSecurity(sql, {
      ...entryOf(caller, userId, 'two_factor.failed'),
      actor: caller.session ? { type: 'user', id: caller.session.userId } : null,
      outcome: 'failure',
      details: { during },
    })
    return new ApiError('INVALID_CODE')
  }

  async function note(
    tx: Tx,
    caller: Caller,
    userId: string,
    type: SecurityType,
    details: Record<string, number> = {},
  ): Promise<void> {
    await recordSecurity(tx, { ...entryOf(caller, userId, type), details })
  }

  function open(userId: string, sealed: Buffer): string {
    return secrets.open(TOTP_SECRET.purpose, TOTP_SECRET.placeOf(userId), sealed)
  }

  return { isEnabled, begin, voidPending, state, enable, verify, disable }
}

/**
 * The lock of a person comes before those of what belongs to them: a sign-in that waits for its
 * code and a new password that voids it happen one after the other.
 */
async function lock(tx: Tx, userId: string): Promise<void> {
  await tx`select 1 from users where id = ${userId} for no key update`
}

/** A row of the security log about a person who acts on their own account. */
export function entryOf(caller: Caller, userId: string, type: SecurityType) {
  return {
    type,
    userId,
    workspaceId: null,
    actor: { type: 'user' as const, id: userId },
    ip: caller.ip,
    userAgent: caller.userAgent,
    requestId: caller.requestId,
  }
}

/** @throws ApiError UNAUTHORIZED */
export function sessionOf(caller: Caller): Session {
  if (!caller.session) throw new ApiError('UNAUTHORIZED', 'Sign in first.')
  return caller.session
}

/** Apps show codes as `123 456`. */
function trimmed(code: string): string {
  return code.replaceAll(/\s/g, '')
}
