import { Secret, TOTP } from 'otpauth'
import { createHmac, randomInt } from 'node:crypto'
import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller, Session } from '../../platform/routes/caller.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { TOTP_SECRET } from '../../platform/storage/installation/sealed-columns.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { toSecurityEntry } from '../../platform/audit/security.ts'
import {
  beginTwoFactor,
  completeSignIn,
  isTwoFactorOn,
  TWO_FACTOR_COOKIE,
} from '../sign-in/complete-sign-in.ts'
import { type SignInDeps, lockUser, requireFresh, requireOwner } from '../sign-in/users.ts'
import { voidPendingSignIns } from '../sign-in/sessions.ts'
import type { SignedIn } from '../sign-in/schema.ts'

const MAX_ATTEMPTS = 5

const TOTP_PERIOD_SECONDS = 30
/** One step before and one after, for wrong clocks and slow typing (RFC 6238, 5.2). */
const TOTP_WINDOW_STEPS = 1
const TOTP_SECRET_BYTES = 20
const TOTP_CODE = /^\d{6}$/

const BACKUP_CODES = 10
const BACKUP_CHARS = 10
/** Crockford's base 32: 50 bits per code, without letters that look alike. */
const BACKUP_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BACKUP_CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/

type PendingSignIn = { tokenHash: Buffer; userId: string; method: string }

export type TwoFactor = ReturnType<typeof createTwoFactor>

/**
 * A sign-in that needs a second factor makes a session only at its end; the fifth wrong code, or five minutes,
 * void it.
 */
export const createTwoFactor = (deps: SignInDeps) =>
  bindDeps(deps, {
    isEnabled: isTwoFactorOn,
    begin: beginTwoFactor,
    ...{ state, enable, verify, replaceCodes, disable },
  })

async function state({ systemSql }: SignInDeps, caller: Caller) {
  const { userId } = requireSession(caller)
  const [row] = await systemSql<{ left: number }[]>`
    select (select count(*) from backup_codes b where b.user_id = f.user_id and used_at is null) as left
    from two_factor f where user_id = ${userId} and confirmed_at is not null`
  return { data: { enabled: row !== undefined, backupCodesLeft: row?.left ?? 0 } }
}

async function enable(deps: SignInDeps, caller: Caller, { password }: { password?: string }) {
  const { secrets } = deps
  const session = requireSession(caller)
  const { userId } = session
  const { user, guess } = await confirmOwner(deps, session, password)
  await guess.giveBack()
  const secret = new Secret({ size: TOTP_SECRET_BYTES }).base32
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
    return replaceBackupCodes(deps, tx, userId)
  })
  return { data: { secret, otpauthUrl: createTotp(secret, user.email).toString(), backupCodes } }
}

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
async function takeAttempt({ systemSql, clock }: SignInDeps, hash: Buffer) {
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

async function replaceCodes(deps: SignInDeps, caller: Caller) {
  const session = requireSession(caller)
  const { userId } = session
  requireFresh(session, deps.clock())
  const backupCodes = await inTransaction(deps.systemSql, async (tx) => {
    await lockUser(tx, userId)
    const [on] = await tx`
      select 1 from two_factor where user_id = ${userId} and confirmed_at is not null`
    if (!on)
      throw new ApiError('CONFLICT', 'Two-factor sign-in is off. Set it up to get backup codes.')
    await deps.recordSecurity(tx, toSecurityEntry(caller, userId, 'backup_codes.replaced'))
    return replaceBackupCodes(deps, tx, userId)
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
 * The `where` of each update lets one of several parallel uses succeed. The lock of the user serializes it with a
 * new password, which voids pending sign-ins.
 */
async function useCode(deps: SignInDeps, tx: Tx, caller: Caller, userId: string, code: string) {
  await lockUser(tx, userId)
  const [row] = await tx<{ secretSealed: Buffer }[]>`
    select secret_sealed from two_factor where user_id = ${userId} and confirmed_at is not null`
  if (!row) return false
  const step = findStep(deps, userId, row.secretSealed, code, deps.clock())
  if (step !== null) {
    const used = await tx`
      update two_factor set last_step = ${step}
      where user_id = ${userId} and last_step < ${step} and confirmed_at is not null returning 1`
    return used.length === 1
  }
  if (!(await useBackupCode(deps, tx, userId, code))) return false
  const [rest] = await tx<{ left: number }[]>`
    select count(*) as left from backup_codes where user_id = ${userId} and used_at is null`
  await deps.recordSecurity(tx, {
    ...toSecurityEntry(caller, userId, 'backup_codes.used'),
    details: { left: rest!.left },
  })
  return true
}

/** The time step (RFC 6238, 4.2) of a code. The caller stores it, because a step is accepted only once. */
function findStep(
  { secrets }: SignInDeps,
  userId: string,
  sealed: Buffer,
  typed: string,
  nowMs: number,
): number | null {
  const secret = secrets.open(TOTP_SECRET.purpose, TOTP_SECRET.boundTo(userId), sealed)
  // Apps show codes with a space (`123 456`).
  const token = typed.replaceAll(/\s/g, '')
  if (!TOTP_CODE.test(token)) return null
  const totp = createTotp(secret)
  const delta = totp.validate({ token, timestamp: nowMs, window: TOTP_WINDOW_STEPS })
  return delta === null ? null : Math.floor(nowMs / 1_000 / TOTP_PERIOD_SECONDS) + delta
}

/** The guess is not given back here: a right password with a wrong code is a guess at the code. */
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

function createTotp(secret: string, label = ''): TOTP {
  const period = TOTP_PERIOD_SECONDS
  return new TOTP({ issuer: 'Signpost', label, algorithm: 'SHA1', digits: 6, period, secret })
}

/** Replaces all codes by new ones such as `7K2QF-9M3XT`. Only hashes are stored. */
async function replaceBackupCodes(deps: SignInDeps, tx: Tx, userId: string): Promise<string[]> {
  const newChar = () => BACKUP_ALPHABET.charAt(randomInt(BACKUP_ALPHABET.length))
  const newCode = () => Array.from({ length: BACKUP_CHARS }, newChar).join('')
  const codes = Array.from({ length: BACKUP_CODES }, newCode)
  await tx`delete from backup_codes where user_id = ${userId}`
  const rows = codes.map((code) => ({ userId, codeHash: hashCode(deps, userId, code) }))
  await tx`insert into backup_codes ${tx(rows)}`
  return codes.map((code) => code.replace(/^.{5}/, '$&-'))
}

async function useBackupCode(deps: SignInDeps, tx: Tx, userId: string, typed: string) {
  const code = normalize(typed)
  if (!BACKUP_CODE.test(code)) return false
  const used = await tx`
    update backup_codes set used_at = ${new Date(deps.clock())}
    where user_id = ${userId} and code_hash = ${hashCode(deps, userId, code)} and used_at is null
    returning 1`
  return used.length === 1
}

function hashCode({ secrets }: SignInDeps, userId: string, code: string): Buffer {
  return createHmac('sha256', secrets.keyFor('backup-codes')).update(`${userId}:${code}`).digest()
}

/** Accepts codes as users type them: any case, without the dash, O for 0, I or L for 1. */
function normalize(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}
