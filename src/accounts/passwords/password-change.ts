import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { DASHBOARD_PATH, messagePage } from '../../platform/http/html.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { inTransaction } from '../../platform/storage/postgres/postgres.ts'
import { checkAddress } from '../../platform/resources/field-checks.ts'
import { FORM_TEXTS } from '../../platform/text/forms.ts'
import { toAnonymousEntry, toSecurityEntry } from '../../platform/audit/security.ts'
import {
  type SignInDeps,
  findUser,
  findUserByEmail,
  lockUser,
  readUser,
  requireOwner,
  toReader,
  wrongPassword,
  type UserRow,
} from '../sign-in/users.ts'
import { resetPasswordPage, answerForm, goneReply } from '../sign-in/pages.ts'
import { revokeAllAccess, revokeSignIns, createSession } from '../sign-in/sessions.ts'
import type { ResetPassword, ChangePassword, SignedIn } from '../sign-in/schema.ts'
import { findToken, issueToken, linkIsGone, useToken } from '../sign-in/tokens.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { describeSession } from '../sign-in/complete-sign-in.ts'
import { checkNewPassword } from './password-rule.ts'

export type Reset = ReturnType<typeof createReset>

/** OWASP, Forgot Password. Opening the link changes nothing. */
export const createReset = (deps: SignInDeps) => bindDeps(deps, { request, show, reset })

/** The same answer, statements and time for every address. */
async function request(deps: SignInDeps, caller: Caller, text: string) {
  const { emailKey } = checkAddress(text, 'email')
  const maySend = await deps.throttle.mail(caller, emailKey, 'reset')
  const { user, token } = await inTransaction(deps.systemSql, async (tx) => {
    const found = await findUserByEmail(tx, emailKey)
    const linkToken = maySend ? await issueToken(deps, tx, { emailKey }, 'reset_password') : null
    const entry = toAnonymousEntry(caller, found?.id ?? null, 'password.reset_requested')
    await deps.recordSecurity(tx, entry)
    return { user: found, token: linkToken }
  })
  if (user && token !== null) deps.mails.resetPassword(user.email, { ...toReader(user), token })
  return { data: { sent: true } }
}

async function show(deps: SignInDeps, caller: Caller, token: string): Promise<Reply<undefined>> {
  const { language = 'en' } = caller
  const user = await findUserByToken(deps, token)
  if (!user) return goneReply(caller)
  return { html: resetPasswordPage({ language, token, email: user.email }) }
}

/** Makes no session, so that the second factor still counts. */
async function reset(deps: SignInDeps, caller: Caller, { token, password }: ResetPassword) {
  const { language = 'en' } = caller
  const user = await findUserByToken(deps, token)
  return answerForm(
    caller,
    async () => {
      if (!user) throw linkIsGone()
      await setPassword(deps, caller, user, token, password)
      if (!caller.wantsHtml) return { data: { reset: true } }
      const { reset: texts, signIn } = FORM_TEXTS[language]
      const next = { href: `${DASHBOARD_PATH}sign-in`, label: signIn }
      return { html: messagePage({ language, ...texts.done, next }) }
    },
    async (problem) => resetPasswordPage({ language, token, email: user!.email, problem }),
  )
}

async function setPassword(
  deps: SignInDeps,
  caller: Caller,
  { id, emailKey, email, ...named }: UserRow,
  token: string,
  password: string,
): Promise<void> {
  // Checked first, so that a weak password does not use up the link.
  await checkNewPassword(password, 'password', emailKey)
  const passwordHash = await deps.passwords.hash(password)
  await inTransaction(deps.systemSql, async (tx) => {
    const user = await lockUser(tx, id)
    if (!user) throw linkIsGone()
    await useToken(deps, tx, id, 'reset_password', token)
    const now = new Date(deps.clock())
    // The link proves access to the mailbox; until now a stranger may have held the account.
    if (user.emailVerifiedAt === null) await revokeAllAccess(deps, tx, caller, user)
    await tx`
      update users set password_hash = ${passwordHash}, updated_at = ${now},
        email_verified_at = coalesce(email_verified_at, ${now})
      where id = ${id}`
    await revokeSignIns(tx, user)
    await deps.recordSecurity(tx, toSecurityEntry(caller, id, 'password.reset'))
  })
  deps.mails.passwordChanged(email, toReader(named))
}

async function findUserByToken(deps: SignInDeps, token: string): Promise<UserRow | null> {
  const found = await findToken(deps, deps.systemSql, ['reset_password'], token)
  return found && findUser(deps.systemSql, found.userId)
}

export type PasswordChange = ReturnType<typeof createPasswordChange>

export const createPasswordChange = (deps: SignInDeps) => bindDeps(deps, { change })

async function change(
  deps: SignInDeps,
  caller: Caller,
  { currentPassword, newPassword }: ChangePassword,
): Promise<Reply<SignedIn>> {
  const session = requireSession(caller)
  const { workspaceId } = session
  const { id, emailKey, email, ...named } = await readUser(deps.systemSql, session)
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
  deps.mails.passwordChanged(email, toReader(named))
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
