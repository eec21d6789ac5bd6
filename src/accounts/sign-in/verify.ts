import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { DASHBOARD_PATH, messagePage } from '../../platform/http/html.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { problemIn } from '../../platform/http/problems.ts'
import { FORM_TEXTS } from '../../platform/text/forms.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { toAnonymousEntry, toSecurityEntry } from '../../platform/audit/security.ts'
import { join } from '../invitations/received.ts'
import { isSameHash } from '../passwords/passwords.ts'
import { verifyEmailPage, answerForm, goneReply, signedInRedirect } from './pages.ts'
import { enter } from './complete-sign-in.ts'
import { type SignInDeps, insertUser, type UserRow } from './users.ts'
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
import { revokeAllAccess } from './sessions.ts'
import type { SignInReply, VerifyEmail } from './schema.ts'
import { linkIsGone } from './tokens.ts'

export type Verification = ReturnType<typeof createVerification>

/**
 * The link proves access to the mailbox. The browser, or else the password, decides which sign-up of the address
 * it completes, so every link of the last hour works for the owner, even one from a stranger's sign-up.
 */
export const createVerification = (deps: SignInDeps) => bindDeps(deps, { show, verify })

async function show(deps: SignInDeps, caller: Caller, token: string): Promise<Reply<undefined>> {
  const pending = await findByLink(deps, token)
  if (!pending) return goneReply(caller)
  return { html: await renderPage(deps, caller, pending, token) }
}

async function verify(deps: SignInDeps, caller: Caller, input: VerifyEmail) {
  const pending = await findByLink(deps, input.token)
  return answerForm(
    caller,
    async () => {
      if (!pending) throw linkIsGone()
      const chosen =
        (await chooseByBrowser(deps, caller, pending)) ??
        (await chooseByPassword(deps, caller, pending, input))
      const reply = await finish(deps, caller, pending, chosen, input.token)
      return caller.wantsHtml ? signedInPage(caller, reply) : reply
    },
    (problem) => renderPage(deps, caller, pending!, input.token, problem),
  )
}

/** With the token of a link that was not mailed, since an invitation has proven the address. */
export async function completeProven(
  deps: SignInDeps,
  caller: Caller,
  token: string,
): Promise<Reply<SignInReply>> {
  const pending = await findByLink(deps, token)
  if (!pending) throw linkIsGone()
  return finish(deps, caller, pending, pending, token)
}

async function finish(
  deps: SignInDeps,
  caller: Caller,
  linked: PendingSignUp,
  chosen: PendingSignUp,
  token: string,
): Promise<Reply<SignInReply>> {
  const userId = await inTransaction(deps.systemSql, (tx) =>
    complete(deps, tx, caller, linked, chosen, token),
  )
  const refusal = await joinInvited(deps, caller, userId, chosen)
  const reply = await enter(deps, caller, userId, 'password')
  const goneCookie = { ...browserCookie(''), maxAgeSeconds: 0 }
  const cookies = [...(reply.cookies ?? []), goneCookie]
  if (!('data' in reply) || refusal === null) return { ...reply, cookies }
  const invitationRefused = caller.wantsHtml
    ? problemIn(caller.language ?? 'en', refusal)
    : refusal.message
  return { data: { ...reply.data, invitationRefused }, cookies }
}

/** @returns why the invitation cannot be accepted, such as a full plan; the account exists anyway */
async function joinInvited(
  deps: SignInDeps,
  caller: Caller,
  userId: string,
  { invitationId }: PendingSignUp,
): Promise<ApiError | null> {
  if (invitationId === null) return null
  try {
    await join(deps, caller, userId, invitationId)
    return null
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return error
  }
}

function signedInPage({ language = 'en' }: Caller, reply: Reply<SignInReply>): Reply<SignInReply> {
  const refused = 'data' in reply ? reply.data.invitationRefused : undefined
  if (refused === undefined) return signedInRedirect(reply)
  const { verify: texts, openDashboard } = FORM_TEXTS[language]
  const html = messagePage({
    language,
    title: texts.readyTitle,
    text: `${texts.notJoined} ${refused}`,
    next: { href: DASHBOARD_PATH, label: openDashboard },
  })
  return { html, cookies: reply.cookies ?? [] }
}

async function chooseByBrowser(deps: SignInDeps, caller: Caller, pending: PendingSignUp) {
  return isTypedIn(pending, caller) ? pending : findByBrowser(deps, pending.emailKey, caller)
}

async function chooseByPassword(
  deps: SignInDeps,
  caller: Caller,
  pending: PendingSignUp,
  { token, password }: VerifyEmail,
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

/** Uses the link of one sign-up to complete `chosen`. Locks the user before the pending row, as everywhere. */
async function complete(
  deps: SignInDeps,
  tx: Tx,
  caller: Caller,
  linked: PendingSignUp,
  chosen: PendingSignUp,
  token: string,
): Promise<string> {
  const nowMs = deps.clock()
  // The address as it was written when the mail reached it.
  const { email, emailKey } = linked
  const values = { ...chosen, email, language: caller.language, emailVerifiedAt: new Date(nowMs) }
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

async function verifyExisting(
  deps: SignInDeps,
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
  deps: SignInDeps,
  caller: Caller,
  pending: PendingSignUp,
  token: string,
  problem?: string,
): Promise<string> {
  const needsPassword = (await chooseByBrowser(deps, caller, pending)) === null
  const { language = 'en' } = caller
  return verifyEmailPage({ language, token, email: pending.email, needsPassword, problem })
}
