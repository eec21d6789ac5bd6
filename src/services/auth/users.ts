import type { Session } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import type { Tx, SystemSql } from '../../storage/postgres.ts'
import type { Passwords } from './passwords.ts'
import type { User } from './schema.ts'

/** A row of `users`. */
export type UserRow = {
  id: string
  name: string
  email: string
  emailKey: string
  passwordHash: string | null
  emailVerifiedAt: Date | null
  suspendedAt: Date | null
  createdAt: Date
}

/** How recent a sign-in is whose session may add ways to sign in. */
const FRESH_SESSION_MS = 900_000

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

/**
 * Changes of one account happen one after the other. This lock is taken before those of anything
 * that belongs to the person, everywhere.
 */
export async function lockUser(tx: Tx, userId: string): Promise<UserRow | null> {
  const [row] = await tx<UserRow[]>`
    select * from users where id = ${userId} for no key update`
  return row ?? null
}

/**
 * What adds a way to sign in needs a session that has just begun: a stolen one is not to become a
 * lasting way in. Signing in again begins one, and so does another password.
 * @throws ApiError SESSION_NOT_FRESH
 */
export function requireFresh({ createdAt }: Session, nowMs: number): void {
  if (nowMs - createdAt.getTime() > FRESH_SESSION_MS) throw new ApiError('SESSION_NOT_FRESH')
}

/**
 * Whoever changes how an account is reached shows once more that it is theirs: by its password, or
 * by a recent sign-in when it has none. The caller has counted the guess.
 * @throws ApiError VALIDATION_ERROR with `path` (codes `required`, `wrong_password`),
 *   SESSION_NOT_FRESH
 */
export async function requireOwner(
  { systemSql, clock, passwords }: OwnerDeps,
  session: Session,
  password: string | undefined,
  path: string,
): Promise<UserRow> {
  const person = await readUser(systemSql, session)
  if (person.passwordHash === null) {
    requireFresh(session, clock())
    return person
  }
  if (!password) throw invalid(path, `${path} is required.`, 'required')
  if (!(await passwords.verify(person.passwordHash, password))) throw wrongPassword(path)
  return person
}

export type OwnerDeps = { systemSql: SystemSql; clock: Clock; passwords: Pick<Passwords, 'verify'> }

/** @throws ApiError UNAUTHORIZED */
export async function readUser(systemSql: SystemSql, { userId }: Session): Promise<UserRow> {
  const [row] = await systemSql<UserRow[]>`select * from users where id = ${userId}`
  if (!row) throw new ApiError('UNAUTHORIZED', 'This account is gone.')
  return row
}

export function wrongPassword(path: string): ApiError {
  return invalid(path, 'The password is wrong.', 'wrong_password')
}
