import type { Caller, Session } from '../../platform/routes/caller.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import type { SystemSql, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Address } from '../../platform/resources/field-checks.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { StoredPreferences } from './preferences.ts'
import type { User } from './schema.ts'
import type { RateState } from '../../platform/limits/rate-limits.ts'
import type { Mails } from '../../platform/mail/mails.ts'
import type { Throttle } from './throttle.ts'

export type UserDeps = Pick<Dependencies, 'systemSql' | 'clock' | 'recordSecurity'>

export type UserRow = Address & {
  id: string
  name: string
  passwordHash: string | null
  emailVerifiedAt: Date | null
  suspendedAt: Date | null
  preferences: StoredPreferences
  isOperator: boolean
  createdAt: Date
}

/** Maximum age of a session that may add sign-in methods. */
const FRESH_SESSION_MS = 900_000

export const USER_NAME_MAX_CHARS = 100

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.emailVerifiedAt !== null,
    hasPassword: row.passwordHash !== null,
    createdAt: row.createdAt.toISOString(),
  }
}

/** What mails to the user begin with. */
export function toReader({ name, preferences }: Pick<UserRow, 'name' | 'preferences'>) {
  return { name, language: preferences.language }
}

/** @returns null if the address already has an account; of parallel calls only one inserts the row */
export async function insertUser(
  tx: Tx,
  nowMs: number,
  values: Address &
    Pick<UserRow, 'name' | 'passwordHash' | 'emailVerifiedAt'> &
    Pick<Caller, 'language'>,
): Promise<UserRow | null> {
  const now = new Date(nowMs)
  const { name, email, emailKey, passwordHash, emailVerifiedAt, language } = values
  // The user may change it in the account.
  const preferences: StoredPreferences = language === undefined ? {} : { language }
  const [row] = await tx<UserRow[]>`
    insert into users (id, name, email, email_key, password_hash, email_verified_at, preferences,
      created_at, updated_at)
    values (${newId('usr', nowMs)}, ${name}, ${email}, ${emailKey}, ${passwordHash},
      ${emailVerifiedAt}, ${JSON.stringify(preferences)}::text::jsonb, ${now}, ${now})
    on conflict (email_key) do nothing returning *`
  return row ?? null
}

export async function findUser(db: SystemSql | Tx, userId: string): Promise<UserRow | null> {
  const [row] = await db<UserRow[]>`select * from users where id = ${userId}`
  return row ?? null
}

export async function findUserByEmail(
  db: SystemSql | Tx,
  emailKey: string,
): Promise<UserRow | null> {
  const [row] = await db<UserRow[]>`select * from users where email_key = ${emailKey}`
  return row ?? null
}

export async function readUser(db: SystemSql | Tx, { userId }: Session): Promise<UserRow> {
  return (await findUser(db, userId)) ?? refuseDeleted()
}

/** Reads the mark each time, so that it ends with the command that removes it. */
export async function requireOperator(
  { systemSql }: Pick<UserDeps, 'systemSql'>,
  { userId }: Session,
): Promise<void> {
  const [user] = await systemSql`select from users where id = ${userId} and is_operator`
  if (!user) throw new ApiError('FORBIDDEN', 'Only operators of this server may do this.')
}

/** Serializes changes of an account. Always locked before the rows that belong to the user. */
export async function lockUser(tx: Tx, userId: string): Promise<UserRow | null> {
  const [row] = await tx<UserRow[]>`
    select * from users where id = ${userId} for no key update`
  return row ?? null
}

/** Adding a sign-in method takes a recent session, so that a stolen one does not become permanent access. */
export function requireFresh({ createdAt }: Session, nowMs: number): void {
  if (getFreshUntil(createdAt, nowMs) === null) throw new ApiError('SESSION_NOT_FRESH')
}

export function getFreshUntil(createdAt: Date, nowMs: number): Date | null {
  const untilMs = createdAt.getTime() + FRESH_SESSION_MS
  return nowMs > untilMs ? null : new Date(untilMs)
}

type OwnerDeps = Pick<UserDeps, 'systemSql' | 'clock'> & {
  passwords: Pick<Passwords, 'verify'>
}

/**
 * By the password, or by a recent sign-in if the account has none. Callers count the attempt against a limit
 * first.
 */
export async function requireOwner(
  { systemSql, clock, passwords }: OwnerDeps,
  session: Session,
  password: string | undefined,
  path: string,
): Promise<UserRow> {
  const user = await readUser(systemSql, session)
  if (user.passwordHash === null) {
    requireFresh(session, clock())
    return user
  }
  if (!password) throw invalid(path, `${path} is required.`, 'required')
  if (!(await passwords.verify(user.passwordHash, password))) throw wrongPassword(path)
  return user
}

export function wrongPassword(path: string): ApiError {
  return invalid(path, 'The password is wrong.', 'wrong_password')
}

export function refuseSuspended({ suspendedAt }: Pick<UserRow, 'suspendedAt'>): void {
  if (suspendedAt)
    throw new ApiError('FORBIDDEN', 'This account is suspended. Ask the operator of this server.')
}

export function refuseDeleted(): never {
  throw new ApiError('UNAUTHORIZED', 'This account has been deleted.')
}

/**
 * Called after the removal with the user locked, so that the second of two parallel removals sees the first.
 * @param providerIds the configured ones, since an account at any other does not sign in
 */
export async function requireSignInMethod(
  providerIds: readonly string[],
  tx: Tx,
  userId: string,
): Promise<void> {
  const [left] = await tx`
    select 1 from users u where id = ${userId} and (
      password_hash is not null
      or exists (select from passkeys where user_id = u.id)
      or exists (select from linked_accounts
        where user_id = u.id and provider = any(${[...providerIds]}::text[])))`
  if (left) return
  throw new ApiError(
    'CONFLICT',
    'This is your only way to sign in. Set a password or add another sign-in method first.',
  )
}

export type SignInDeps = Pick<
  Dependencies,
  | ('systemSql' | 'clock' | 'secrets' | 'plans' | 'signup' | 'requireEmailVerification')
  | ('audit' | 'limit' | 'recordSecurity' | 'saveIdempotentResponse')
> & {
  mails: Pick<
    Mails,
    | ('verifyEmail' | 'alreadyRegistered' | 'resetPassword' | 'passwordChanged')
    | ('approveEmailChange' | 'verifyNewEmail' | 'emailChanged')
  >
  passwords: Pick<Passwords, 'hash' | 'hashFor' | 'verify'>
  throttle: Throttle
  /**
   * Per user from everywhere, since codes are short. A guess counts before it is checked, so that parallel guesses
   * are limited too; a right one is given back.
   */
  factorLimiter: {
    consume(key: string): Promise<RateState>
    giveBack(key: string, taken: RateState): Promise<void>
  }
}
