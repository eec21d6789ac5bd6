import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { AccountReply } from '../../base/route.ts'
import { inTransaction } from '../../storage/postgres.ts'
import type { Sql, Tx } from '../../storage/postgres.ts'
import type { RecordSecurity } from '../security.ts'
import { browserCookie, isOfBrowser } from './pending.ts'
import type { Pending, PendingStore } from './pending.ts'
import { goneReply, problemOf, signedInRedirect } from './replies.ts'
import { verifyEmailPage } from './pages.ts'
import type { Passwords } from './passwords.ts'
import type { PersonRow } from './people.ts'
import type { SignInReply, VerifyEmail } from './schema.ts'
import type { SignIn } from './sign-in.ts'
import { closeOtherWays } from './takeover.ts'
import type { TakeoverDeps } from './takeover.ts'
import { linkIsGone } from './tokens.ts'
import { entryOf } from './two-factor.ts'

type Deps = TakeoverDeps & {
  systemSql: Sql
  clock: Clock
  recordSecurity: RecordSecurity
  passwords: Pick<Passwords, 'verify'>
  store: PendingStore
  signIn: Pick<SignIn, 'enter'>
}

export type Verification = ReturnType<typeof createVerification>

/**
 * The link of a sign-up. Opening it uses nothing, since mail scanners open links; its page sends
 * the token back.
 */
export function createVerification(deps: Deps) {
  const { systemSql, clock, recordSecurity, store } = deps

  async function show(caller: Caller, token: string): Promise<AccountReply<undefined>> {
    const pending = await store.peek(token)
    if (!pending) return goneReply()
    return { html: pageFor(caller, pending, token) }
  }

  /**
   * Makes the account, or verifies the one there is, and signs the person in.
   * @throws ApiError GONE; VALIDATION_ERROR (`required`) in another browser without a password;
   *   INVALID_CREDENTIALS
   */
  async function verify(caller: Caller, input: VerifyEmail): Promise<AccountReply<SignInReply>> {
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
        html: pageFor(caller, pending, input.token, problem.message),
        status: problem.status,
      }
    }
  }

  async function use(
    caller: Caller,
    pending: Pending,
    { token, password }: VerifyEmail,
  ): Promise<AccountReply<SignInReply>> {
    if (!isOfBrowser(pending, caller)) await requirePassword(caller, pending, token, password)
    const userId = await inTransaction(systemSql, (tx) => complete(tx, caller, pending, token))
    const reply = await deps.signIn.enter(caller, userId, 'password')
    const goneCookie = { ...browserCookie(''), maxAgeSeconds: 0 }
    return { ...reply, cookies: [...(reply.cookies ?? []), goneCookie] }
  }

  async function requirePassword(
    caller: Caller,
    pending: Pending,
    token: string,
    password: string | undefined,
  ): Promise<void> {
    if (!password)
      throw invalid('password', 'Enter the password that you signed up with.', 'required')
    if (!(await store.takeAttempt(token))) throw linkIsGone()
    if (await deps.passwords.verify(pending.passwordHash, password)) return
    await recordSecurity(systemSql, {
      ...entryOf(caller, '', 'email.verified'),
      outcome: 'failure',
      userId: pending.userId,
      actor: null,
      details: { reason: 'wrong_password' },
    })
    throw new ApiError('INVALID_CREDENTIALS', 'This is not the password of that sign-up.')
  }

  /** The account comes first and the pending row after it: the order of locks everywhere. */
  async function complete(
    tx: Tx,
    caller: Caller,
    pending: Pending,
    token: string,
  ): Promise<string> {
    const madeId = await make(tx, pending)
    const user = madeId === null ? await lockByAddress(tx, pending.emailKey) : null
    if (!(await store.take(tx, pending, token))) throw linkIsGone()
    if (user) await claim(tx, caller, pending, user)
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

  async function lockByAddress(tx: Tx, emailKey: string): Promise<PersonRow> {
    const [row] = await tx<PersonRow[]>`
      select * from users where email_key = ${emailKey} for no key update`
    if (!row) throw linkIsGone()
    return row
  }

  /** An account with this address: verified it stays as it is, unverified it is the mailbox owner's. */
  async function claim(tx: Tx, caller: Caller, pending: Pending, user: PersonRow): Promise<void> {
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

  return { show, verify }
}

function pageFor(caller: Caller, pending: Pending, token: string, problem?: string): string {
  return verifyEmailPage({
    token,
    email: pending.email,
    needsPassword: !isOfBrowser(pending, caller),
    problem,
  })
}
