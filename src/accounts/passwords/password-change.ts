import { bindDeps } from '../../platform/core/bind-deps.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { inTransaction } from '../../platform/storage/postgres/postgres.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { toSecurityEntry } from '../../platform/audit/security.ts'
import { describeSession } from '../sign-in/complete-sign-in.ts'
import type { SignInDeps } from '../sign-in/dependencies.ts'
import { checkNewPassword } from './password-rule.ts'
import { revokeSignIns } from '../sign-in/revocation.ts'
import type { ChangePassword, SignedIn } from '../sign-in/schema.ts'
import { createSession } from '../sign-in/sessions.ts'
import { lockUser, readUser, requireOwner, wrongPassword } from '../sign-in/users.ts'

export type PasswordChange = ReturnType<typeof createPasswordChange>

/** Changes the password of a signed-in user: all sessions end, and the browser gets a new one. */
export const createPasswordChange = (deps: SignInDeps) => bindDeps(deps, { change })

async function change(
  deps: SignInDeps,
  caller: Caller,
  { currentPassword, newPassword }: ChangePassword,
): Promise<Reply<SignedIn>> {
  const session = requireSession(caller)
  const { workspaceId } = session
  const { id, emailKey, email, name } = await readUser(deps.systemSql, session)
  await checkNewPassword(newPassword, 'newPassword', emailKey)
  await deps.throttle.guess(caller, emailKey)
  const confirmed = await requireOwner(deps, session, currentPassword, 'currentPassword').catch(
    (error: unknown) => recordRefusal(deps, caller, id, error),
  )
  const passwordHash = await deps.passwords.hash(newPassword)
  const reply = await inTransaction(deps.systemSql, async (tx) => {
    const user = await lockUser(tx, id)
    // A parallel change of the password has ended this session.
    if (user?.passwordHash !== confirmed.passwordHash) throw wrongPassword('currentPassword')
    await tx`
      update users set password_hash = ${passwordHash}, updated_at = ${new Date(deps.clock())}
      where id = ${id}`
    await revokeSignIns(tx, user)
    const values = { userId: id, workspaceId, method: 'password' }
    const created = await createSession(deps, tx, caller, values)
    await deps.recordSecurity(tx, toSecurityEntry(caller, id, 'password.changed'))
    return {
      data: await describeSession(deps, tx, created.session.id, workspaceId),
      cookies: [created.cookie, deps.throttle.deviceCookie(caller, id)],
    }
  })
  deps.mails.passwordChanged(email, { name })
  return reply
}

async function recordRefusal(
  { systemSql, recordSecurity }: SignInDeps,
  caller: Caller,
  userId: string,
  error: unknown,
): Promise<never> {
  if (error instanceof ApiError && error.code === 'VALIDATION_ERROR')
    await recordSecurity(systemSql, {
      ...toSecurityEntry(caller, userId, 'password.changed'),
      outcome: 'failure',
    })
  throw error
}
