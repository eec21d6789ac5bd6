import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import type { Reply } from '../../base/route.ts'
import { inTransaction, type SystemSql } from '../../storage/postgres.ts'
import type { RecordSecurity } from '../security.ts'
import { checkAddress } from './address.ts'
import { messagePage } from '../../base/html.ts'
import { resetPasswordPage } from './pages.ts'
import { checkNewPassword, type Passwords } from './passwords.ts'
import { lockUser, type UserRow } from './users.ts'
import { voidEverything, type VoidDeps } from './password-change.ts'
import { goneReply, problemOf } from './replies.ts'
import type { ResetPassword } from './schema.ts'
import { closeOtherWays, type TakeoverDeps } from './revocation.ts'
import type { Throttle } from './throttle.ts'
import { linkIsGone, type Tokens } from './tokens.ts'
import { entryOf } from './two-factor.ts'

export type ResetMails = {
  resetPassword(to: string, facts: { name: string; token: string }): void
  passwordChanged(to: string, facts: { name: string }): void
}

type Deps = TakeoverDeps &
  VoidDeps & {
    systemSql: SystemSql
    clock: Clock
    recordSecurity: RecordSecurity
    passwords: Pick<Passwords, 'hash'>
    throttle: Pick<Throttle, 'mail'>
    tokens: Tokens
    mails: ResetMails
  }

export type Reset = ReturnType<typeof createReset>

/** A new password by mail (OWASP, Forgot Password). The link's GET uses nothing. */
export function createReset(deps: Deps) {
  const { systemSql, clock, recordSecurity, tokens, mails } = deps

  /** The same answer, statements and time for every address. */
  async function request(caller: Caller, text: string): Promise<Reply<{ sent: boolean }>> {
    const { emailKey } = checkAddress(text, 'email')
    const maySend = await deps.throttle.mail(caller, emailKey, 'reset')
    const { user, token } = await inTransaction(systemSql, async (tx) => {
      const [known] = await tx<{ id: string; email: string; name: string }[]>`
        select id, email, name from users where email_key = ${emailKey}`
      const made = maySend ? await tokens.issueByAddress(tx, emailKey, 'reset_password') : null
      await recordSecurity(tx, {
        ...entryOf(caller, '', 'password.reset_requested'),
        userId: known?.id ?? null,
        actor: null,
      })
      return { user: known, token: made }
    })
    if (user && token !== null) mails.resetPassword(user.email, { name: user.name, token })
    return { data: { sent: true } }
  }

  async function show(token: string): Promise<Reply<undefined>> {
    const user = await ownerOf(token)
    return user ? { html: resetPasswordPage({ token, email: user.email }) } : goneReply()
  }

  /**
   * Sets the password, and ends every session. Signs nobody in: the second factor is still asked.
   * @throws ApiError GONE, VALIDATION_ERROR
   */
  async function reset(caller: Caller, input: ResetPassword): Promise<Reply<{ reset: boolean }>> {
    const user = await ownerOf(input.token)
    if (!user) {
      if (caller.wantsHtml) return goneReply()
      throw linkIsGone()
    }
    try {
      await use(caller, user, input)
    } catch (error) {
      const problem = problemOf(caller, error)
      if (!problem) throw error
      if (problem.isGone) return goneReply()
      const { email } = user
      const html = resetPasswordPage({ token: input.token, email, problem: problem.message })
      return { html, status: problem.status }
    }
    if (!caller.wantsHtml) return { data: { reset: true } }
    const message = 'Your new password is set, and all sessions have ended. Sign in with it now.'
    return { html: messagePage({ title: 'Password changed', message }) }
  }

  async function use(caller: Caller, user: UserRow, { token, password }: ResetPassword) {
    // Before the link is used, so that a weak one does not cost it.
    checkNewPassword(password, 'password', user.emailKey)
    const passwordHash = await deps.passwords.hash(password)
    await inTransaction(systemSql, async (tx) => {
      const locked = await lockUser(tx, user.id)
      if (!locked) throw linkIsGone()
      await tokens.take(tx, user.id, 'reset_password', token)
      const now = new Date(clock())
      // The mail has reached its reader, so the address is verified; if it was not, whoever opened
      // the account with it may have been somebody else.
      if (locked.emailVerifiedAt === null) await closeOtherWays(deps, tx, caller, user.id)
      await tx`
        update users set password_hash = ${passwordHash}, updated_at = ${now},
          email_verified_at = coalesce(email_verified_at, ${now})
        where id = ${user.id}`
      await voidEverything(deps, tx, locked, null)
      await recordSecurity(tx, entryOf(caller, user.id, 'password.reset'))
    })
    mails.passwordChanged(user.email, { name: user.name })
  }

  async function ownerOf(token: string): Promise<UserRow | null> {
    const found = await tokens.peek(systemSql, ['reset_password'], token)
    if (!found) return null
    const [user] = await systemSql<UserRow[]>`select * from users where id = ${found.userId}`
    return user ?? null
  }

  return { request, show, reset }
}
