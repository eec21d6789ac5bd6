import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import type { Reply } from '../../base/route.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import type { RecordSecurity } from '../security.ts'
import { checkNewPassword, type Passwords } from './passwords.ts'
import type { PendingStore } from './pending-sign-ups.ts'
import { lockUser, readUser, requireOwner, wrongPassword, type UserRow } from './users.ts'
import type { ChangePassword, SignedIn } from './schema.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import type { Throttle } from './throttle.ts'
import type { Tokens } from './tokens.ts'
import { entryOf, sessionOf } from './two-factor.ts'

export type VoidDeps = {
  sessions: Pick<Sessions, 'revokeAll'>
  tokens: Pick<Tokens, 'voidAll'>
  store: Pick<PendingStore, 'voidAddress'>
  /** Voids the sign-ins that wait for a second factor. */
  twoFactor: { voidPending(tx: Tx, userId: string): Promise<void> }
}

/**
 * What another password ends: every session but `keptId`, sign-ins that wait for their second
 * factor, links in mails, and what is pending for the address. The person's row is locked.
 */
export async function voidEverything(
  { sessions, tokens, store, twoFactor }: VoidDeps,
  tx: Tx,
  { id, emailKey }: Pick<UserRow, 'id' | 'emailKey'>,
  keptId: string | null,
): Promise<void> {
  await tokens.voidAll(tx, id)
  await store.voidAddress(tx, emailKey)
  await twoFactor.voidPending(tx, id)
  await sessions.revokeAll(tx, id, keptId)
}

type Deps = VoidDeps & {
  systemSql: SystemSql
  clock: Clock
  recordSecurity: RecordSecurity
  passwords: Pick<Passwords, 'hash' | 'verify'>
  throttle: Pick<Throttle, 'guess' | 'deviceCookie'>
  sessions: Pick<Sessions, 'create' | 'revokeAll'>
  signIn: Pick<SignIn, 'describe'>
  mails: { passwordChanged(to: string, facts: { name: string }): void }
}

export type PasswordChange = ReturnType<typeof createPasswordChange>

/** Changes the password of a signed-in person: all other sessions end, and this one gets a new id. */
export function createPasswordChange(deps: Deps) {
  const { systemSql, clock, recordSecurity, passwords, sessions } = deps

  async function change(
    caller: Caller,
    { currentPassword, newPassword }: ChangePassword,
  ): Promise<Reply<SignedIn>> {
    const session = sessionOf(caller)
    const before = await readUser(systemSql, session)
    checkNewPassword(newPassword, 'newPassword', before.emailKey)
    await deps.throttle.guess(caller, before.emailKey)
    const shown = await requireOwner(deps, session, currentPassword, 'currentPassword').catch(
      (error: unknown) => refused(caller, before.id, error),
    )
    const passwordHash = await passwords.hash(newPassword)
    const reply = await inTransaction(systemSql, async (tx) => {
      const person = await lockUser(tx, before.id)
      // Somebody else was quicker, and their change ended this session.
      if (person?.passwordHash !== shown.passwordHash) throw wrongPassword('currentPassword')
      await tx`
        update users set password_hash = ${passwordHash}, updated_at = ${new Date(clock())}
        where id = ${before.id}`
      await voidEverything(deps, tx, before, null)
      const { workspaceId } = session
      const values = { userId: before.id, workspaceId, method: 'password' }
      const made = await sessions.create(tx, caller, values)
      await recordSecurity(tx, entryOf(caller, before.id, 'password.changed'))
      return {
        data: await deps.signIn.describe(tx, made.session.id, workspaceId),
        cookies: [made.cookie, deps.throttle.deviceCookie(caller, before.id)],
      }
    })
    deps.mails.passwordChanged(before.email, { name: before.name })
    return reply
  }

  async function refused(caller: Caller, userId: string, error: unknown): Promise<never> {
    if (error instanceof ApiError && error.code === 'VALIDATION_ERROR')
      await recordSecurity(systemSql, {
        ...entryOf(caller, userId, 'password.changed'),
        outcome: 'failure',
      })
    throw error
  }

  return { change }
}
