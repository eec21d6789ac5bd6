import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Reply } from '../../base/route.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import type { RecordSecurity } from '../security.ts'
import { browserCookie, isOfBrowser, type Pending, type PendingStore } from './pending-sign-ups.ts'
import { goneReply, problemOf, signedInRedirect } from './replies.ts'
import { verifyEmailPage } from './pages.ts'
import { isSameHash, type Passwords } from './passwords.ts'
import type { UserRow } from './users.ts'
import type { SignInReply, VerifyEmail } from './schema.ts'
import type { SignIn } from './sign-in.ts'
import { closeOtherWays, type TakeoverDeps } from './revocation.ts'
import { linkIsGone } from './tokens.ts'
import { entryOf } from './two-factor.ts'

type Deps = TakeoverDeps & {
  systemSql: SystemSql
  clock: Clock
  recordSecurity: RecordSecurity
  passwords: Pick<Passwords, 'hashFor' | 'verify'>
  store: PendingStore
  signIn: Pick<SignIn, 'enter'>
}

export type Verification = ReturnType<typeof createVerification>

/**
 * The link of a sign-up. Opening it uses nothing, since mail scanners open links; its page sends
 * the token back.
 *
 * A link shows that its reader has the mailbox. Which of the sign-ups of the address it completes is
 * decided by the browser, and elsewhere by the password. So every link of the last hour works for
 * the owner, also when the mail was caused by a stranger's sign-up and her own caused none.
 */
export function createVerification(deps: Deps) {
  const { systemSql, clock, recordSecurity, store } = deps

  async function show(caller: Caller, token: string): Promise<Reply<undefined>> {
    const pending = await store.peek(token)
    if (!pending) return goneReply()
    return { html: await pageFor(caller, pending, token) }
  }

  /**
   * Makes the account, or verifies the one there is, and signs the person in.
   * @throws ApiError GONE; VALIDATION_ERROR (`required`) in another browser without a password;
   *   INVALID_CREDENTIALS
   */
  async function verify(caller: Caller, input: VerifyEmail): Promise<Reply<SignInReply>> {
    const pending = await store.peek(input.token)
    if (!pending) {
      if (caller.wantsHtml) return goneReply()
      throw linkIsGone()
    }
    try {
      const reply = await use(caller, pending, input)
      return caller.wantsHtml ? signedInRedirect(reply) : reply
    } catch (error) {
      const problem = problemOf(caller, error)
      if (!problem) throw error
      if (problem.isGone) return goneReply()
      return {
        html: await pageFor(caller, pending, input.token, problem.message),
        status: problem.status,
      }
    }
  }

  async function use(
    caller: Caller,
    pending: Pending,
    { token, password }: VerifyEmail,
  ): Promise<Reply<SignInReply>> {
    const meant =
      (await ofBrowser(caller, pending)) ?? (await ofPassword(caller, pending, token, password))
    const userId = await inTransaction(systemSql, (tx) =>
      complete(tx, caller, pending, meant, token),
    )
    const reply = await deps.signIn.enter(caller, userId, 'password')
    const goneCookie = { ...browserCookie(''), maxAgeSeconds: 0 }
    return { ...reply, cookies: [...(reply.cookies ?? []), goneCookie] }
  }

  /** The sign-up of this browser: the link's own, or another one of the address. */
  async function ofBrowser(caller: Caller, pending: Pending): Promise<Pending | null> {
    return isOfBrowser(pending, caller) ? pending : store.ofBrowser(pending.emailKey, caller)
  }

  /** The sign-up with this password. @throws ApiError as {@link verify} */
  async function ofPassword(
    caller: Caller,
    pending: Pending,
    token: string,
    password: string | undefined,
  ): Promise<Pending> {
    if (!password)
      throw invalid('password', 'Enter the password that you signed up with.', 'required')
    if (!(await store.takeAttempt(token))) throw linkIsGone()
    const hash = await deps.passwords.hashFor(pending.emailKey, password)
    if (isSameHash(pending.passwordHash, hash)) return pending
    const other = await store.ofPassword(pending.emailKey, hash)
    if (other) return other
    // The password of an unverified account may have a salt of its own.
    const isOwn =
      pending.userId !== null && (await deps.passwords.verify(pending.passwordHash, password))
    if (isOwn) return pending
    await recordSecurity(systemSql, {
      ...entryOf(caller, '', 'email.verified'),
      outcome: 'failure',
      userId: pending.userId,
      actor: null,
      details: { reason: 'wrong_password' },
    })
    throw new ApiError('INVALID_CREDENTIALS', 'This is not the password of that sign-up.')
  }

  /**
   * Uses the link of one sign-up to complete another one, or the same. The account comes first and
   * the pending row after it: the order of locks everywhere.
   */
  async function complete(
    tx: Tx,
    caller: Caller,
    linked: Pending,
    meant: Pending,
    token: string,
  ): Promise<string> {
    // The address as the mail has reached it.
    const completed = { ...meant, email: linked.email }
    const madeId = await make(tx, completed)
    const user = madeId === null ? await lockByAddress(tx, linked.emailKey) : null
    if (!(await store.take(tx, linked, token))) throw linkIsGone()
    if (user) await claim(tx, caller, completed, user)
    const userId = madeId ?? user!.id
    await recordSecurity(tx, entryOf(caller, userId, 'email.verified'))
    return userId
  }

  /** Null when there is an account with this address. */
  async function make(tx: Tx, pending: Pending): Promise<string | null> {
    const now = new Date(clock())
    const { name, email, emailKey, passwordHash } = pending
    const [made] = await tx<{ id: string }[]>`
      insert into users ${tx({
        id: newId('usr', now.getTime()),
        ...{ name, email, emailKey, passwordHash },
        emailVerifiedAt: now,
        createdAt: now,
        updatedAt: now,
      })}
      on conflict (email_key) do nothing returning id`
    return made?.id ?? null
  }

  async function lockByAddress(tx: Tx, emailKey: string): Promise<UserRow> {
    const [row] = await tx<UserRow[]>`
      select * from users where email_key = ${emailKey} for no key update`
    if (!row) throw linkIsGone()
    return row
  }

  /** An account with this address: verified it stays as it is, unverified it is the mailbox owner's. */
  async function claim(tx: Tx, caller: Caller, pending: Pending, user: UserRow): Promise<void> {
    if (user.emailVerifiedAt !== null) throw linkIsGone()
    const now = new Date(clock())
    if (pending.userId !== user.id) {
      await closeOtherWays(deps, tx, caller, user.id)
      const { name, passwordHash } = pending
      await tx`
        update users set name = ${name}, password_hash = ${passwordHash} where id = ${user.id}`
    }
    await tx`
      update users set email_verified_at = ${now}, updated_at = ${now} where id = ${user.id}`
  }

  async function pageFor(
    caller: Caller,
    pending: Pending,
    token: string,
    problem?: string,
  ): Promise<string> {
    const needsPassword = (await ofBrowser(caller, pending)) === null
    return verifyEmailPage({ token, email: pending.email, needsPassword, problem })
  }

  return { show, verify }
}
