import { bindDeps } from '../../base/bind-deps.ts'
import type { Caller } from '../../base/caller.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import type { Reply } from '../../base/route.ts'
import { inTransaction, type Tx } from '../../storage/postgres.ts'
import { toAnonymousEntry, toSecurityEntry } from '../security.ts'
import { verifyEmailPage } from './pages.ts'
import { isSameHash, type Passwords } from './passwords.ts'
import {
  browserCookie,
  findByBrowser,
  findByLink,
  findByPasswordHash,
  isTypedIn,
  takeAttempt,
  takeByLink,
  type PendingSignUp,
} from './pending-sign-ups.ts'
import { answerForm, goneReply, signedInRedirect } from './replies.ts'
import { revokeAllAccess, type TakeoverDeps } from './revocation.ts'
import type { SignInReply, VerifyEmail } from './schema.ts'
import type { SignIn } from './sign-in.ts'
import { linkIsGone } from './tokens.ts'
import { insertUser, type UserDeps, type UserRow } from './users.ts'

type Deps = TakeoverDeps &
  UserDeps & {
    passwords: Pick<Passwords, 'hashFor' | 'verify'>
    signIn: Pick<SignIn, 'enter'>
  }

export type Verification = ReturnType<typeof createVerification>

/**
 * The link of a sign-up. Opening it changes nothing, since mail scanners open links; its page sends
 * the token back.
 *
 * The link proves access to the mailbox. The browser, or else the password, decides which sign-up of
 * the address it completes. So every link of the last hour works for the owner, also one that a
 * stranger's sign-up caused.
 */
export const createVerification = (deps: Deps) => bindDeps(deps, { show, verify })

async function show(deps: Deps, caller: Caller, token: string): Promise<Reply<undefined>> {
  const pending = await findByLink(deps, token)
  if (!pending) return goneReply()
  return { html: await renderPage(deps, caller, pending, token) }
}

/**
 * Makes the account, or verifies the existing one, and signs the user in.
 * @throws ApiError GONE; VALIDATION_ERROR (`required`) in another browser without a password;
 *   INVALID_CREDENTIALS
 */
async function verify(deps: Deps, caller: Caller, input: VerifyEmail): Promise<Reply<SignInReply>> {
  const pending = await findByLink(deps, input.token)
  return answerForm(
    caller,
    async () => {
      if (!pending) throw linkIsGone()
      const reply = await useLink(deps, caller, pending, input)
      return caller.wantsHtml ? signedInRedirect(reply) : reply
    },
    (problem) => renderPage(deps, caller, pending!, input.token, problem),
  )
}

async function useLink(
  deps: Deps,
  caller: Caller,
  pending: PendingSignUp,
  { token, password }: VerifyEmail,
): Promise<Reply<SignInReply>> {
  const chosen =
    (await chooseByBrowser(deps, caller, pending)) ??
    (await chooseByPassword(deps, caller, pending, token, password))
  const userId = await inTransaction(deps.systemSql, (tx) =>
    complete(deps, tx, caller, pending, chosen, token),
  )
  const reply = await deps.signIn.enter(caller, userId, 'password')
  const goneCookie = { ...browserCookie(''), maxAgeSeconds: 0 }
  return { ...reply, cookies: [...(reply.cookies ?? []), goneCookie] }
}

/** The sign-up of this browser: that of the link, or another one of the address. */
async function chooseByBrowser(
  deps: Deps,
  caller: Caller,
  pending: PendingSignUp,
): Promise<PendingSignUp | null> {
  return isTypedIn(pending, caller) ? pending : findByBrowser(deps, pending.emailKey, caller)
}

/** The sign-up with this password. @throws ApiError as {@link verify} */
async function chooseByPassword(
  deps: Deps,
  caller: Caller,
  pending: PendingSignUp,
  token: string,
  password: string | undefined,
): Promise<PendingSignUp> {
  const { passwords } = deps
  if (!password)
    throw invalid('password', 'Enter the password that you signed up with.', 'required')
  if (!(await takeAttempt(deps, token))) throw linkIsGone()
  const hash = await passwords.hashFor(pending.emailKey, password)
  if (isSameHash(pending.passwordHash, hash)) return pending
  const other = await findByPasswordHash(deps, pending.emailKey, hash)
  if (other) return other
  // The password hash of an unverified account may have a random salt.
  const { userId, passwordHash } = pending
  if (userId !== null && (await passwords.verify(passwordHash, password))) return pending
  await deps.recordSecurity(deps.systemSql, {
    ...toAnonymousEntry(caller, userId, 'email.verified'),
    outcome: 'failure',
    details: { reason: 'wrong_password' },
  })
  throw new ApiError('INVALID_CREDENTIALS', 'This is not the password that you signed up with.')
}

/**
 * Uses the link of one sign-up to complete another one, or the same. The row of the user is locked
 * before the pending row, as everywhere.
 */
async function complete(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  linked: PendingSignUp,
  chosen: PendingSignUp,
  token: string,
): Promise<string> {
  const nowMs = deps.clock()
  // The address is taken as the mail has reached it.
  const { email, emailKey } = linked
  const values = { ...chosen, email, emailVerifiedAt: new Date(nowMs) }
  const created = await insertUser(tx, nowMs, values)
  const existing = created ? null : await lockByAddress(tx, emailKey)
  if (!(await takeByLink(deps, tx, linked, token))) throw linkIsGone()
  if (existing) await verifyExisting(deps, tx, caller, chosen, existing)
  const { id } = created ?? existing!
  await deps.recordSecurity(tx, toSecurityEntry(caller, id, 'email.verified'))
  return id
}

async function lockByAddress(tx: Tx, emailKey: string): Promise<UserRow> {
  const [row] = await tx<UserRow[]>`
    select * from users where email_key = ${emailKey} for no key update`
  if (!row) throw linkIsGone()
  return row
}

/** A verified account stays unchanged; an unverified one goes to the owner of the mailbox. */
async function verifyExisting(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  pending: PendingSignUp,
  user: UserRow,
): Promise<void> {
  if (user.emailVerifiedAt !== null) throw linkIsGone()
  const now = new Date(deps.clock())
  if (pending.userId !== user.id) {
    await revokeAllAccess(deps, tx, caller, user)
    const { name, passwordHash } = pending
    await tx`
      update users set name = ${name}, password_hash = ${passwordHash} where id = ${user.id}`
  }
  await tx`
    update users set email_verified_at = ${now}, updated_at = ${now} where id = ${user.id}`
}

async function renderPage(
  deps: Deps,
  caller: Caller,
  pending: PendingSignUp,
  token: string,
  problem?: string,
): Promise<string> {
  const needsPassword = (await chooseByBrowser(deps, caller, pending)) === null
  return verifyEmailPage({ token, email: pending.email, needsPassword, problem })
}
