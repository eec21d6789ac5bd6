import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { inTransaction } from '../../platform/storage/postgres/postgres.ts'
import { checkAddress, type Address, checkName } from '../../platform/resources/field-checks.ts'
import { findForSignUp, hasInvitation, type FollowedInvitation } from '../invitations/received.ts'
import { toAnonymousEntry } from '../../platform/audit/security.ts'
import { checkNewPassword } from '../passwords/password-rule.ts'
import { isSameHash } from '../passwords/passwords.ts'
import {
  type SignInDeps,
  findUserByEmail,
  insertUser,
  toReader,
  USER_NAME_MAX_CHARS,
  type UserRow,
} from './users.ts'
import {
  addPendingSignUp,
  browserCookie,
  getBrowserSecret,
  isTypedIn,
  listPendingSignUps,
  renewLink,
  type PendingSignUp,
} from './pending-sign-ups.ts'
import type { SignUp as SignUpInput, SignUpReply } from './schema.ts'
import { completeProven } from './verify.ts'

export type SignUp = ReturnType<typeof createSignUp>

/**
 * The answer, its time and its cookie are the same with and without an account; only a mail tells the owner of the
 * address. A stranger's sign-up stays pending: its owner lacks the password, and the stranger the mailbox.
 */
export const createSignUp = (deps: SignInDeps) => bindDeps(deps, { signUp, resend })

async function signUp(deps: SignInDeps, caller: Caller, input: SignUpInput) {
  const { clock, mails, signup, requireEmailVerification } = deps
  const { language } = caller
  if (signup === 'closed')
    throw new ApiError('FORBIDDEN', 'Sign-up is closed on this server. Ask its operator.')
  const name = checkName(input.name, 'name', USER_NAME_MAX_CHARS)
  const address = checkAddress(input.email, 'email')
  await checkNewPassword(input.password, 'password', address.emailKey)
  const maySend = await deps.throttle.mail(caller, address.emailKey, 'sign_up')
  const passwordHash = await deps.passwords.hashFor(address.emailKey, input.password)
  const isInvited = signup === 'open' || (await hasInvitation(deps, address.emailKey))
  const invitation = await readInvitation(deps, address, input)
  const values = { ...address, name, passwordHash, invitationId: invitation?.id ?? null }
  if (invitation?.isProof) return enterProven(deps, caller, values)

  const browserSecret = getBrowserSecret(caller)
  const { token, user } = await inTransaction(deps.systemSql, async (tx) => {
    const account =
      requireEmailVerification || !isInvited
        ? null
        : await insertUser(tx, clock(), { ...values, language, emailVerifiedAt: null })
    const found = await findUserByEmail(tx, address.emailKey)
    const pending = { ...values, userId: account?.id ?? null }
    // An address with an account gets a row as well, whose link is never mailed.
    const linkToken = await addPendingSignUp(deps, tx, pending, browserSecret)
    await deps.recordSecurity(tx, toAnonymousEntry(caller, found?.id ?? null, 'sign_up.requested'))
    return { token: linkToken, user: found }
  })
  if (maySend && user?.emailVerifiedAt) mails.alreadyRegistered(user.email, toReader(user))
  else if (maySend && isInvited) mails.verifyEmail(address.email, { language, name, token })
  return {
    data: {
      email: address.email,
      verificationRequired: requireEmailVerification,
      invitationRequired: signup === 'invite',
      signedIn: false,
    },
    cookies: [browserCookie(browserSecret)],
  }
}

/** @throws ApiError CONFLICT for an address with an account, if the token proves the address */
async function readInvitation(
  deps: SignInDeps,
  { emailKey }: Address,
  { invitationToken }: SignUpInput,
): Promise<FollowedInvitation | null> {
  if (invitationToken === undefined) return null
  const invitation = await findForSignUp(deps, emailKey, invitationToken)
  if (!invitation?.isProof) return invitation
  const user = await findUserByEmail(deps.systemSql, emailKey)
  if (user?.emailVerifiedAt)
    throw new ApiError(
      'CONFLICT',
      'This address has an account already. Sign in to accept the invitation.',
    )
  return invitation
}

/**
 * An invitation mail proves the address: the account is created at once, and other sign-ups of the address become
 * void.
 */
async function enterProven(
  deps: SignInDeps,
  caller: Caller,
  values: Omit<PendingSignUp, 'id' | 'browserHash' | 'userId'>,
): Promise<Reply<SignUpReply>> {
  const token = await inTransaction(deps.systemSql, async (tx) => {
    await deps.recordSecurity(tx, toAnonymousEntry(caller, null, 'sign_up.requested'))
    return addPendingSignUp(deps, tx, { ...values, userId: null }, getBrowserSecret(caller))
  })
  const reply = await completeProven(deps, caller, token)
  const { invitationRefused } = 'data' in reply ? reply.data : {}
  return {
    data: {
      email: values.email,
      verificationRequired: false,
      invitationRequired: deps.signup === 'invite',
      signedIn: true,
      ...(invitationRefused !== undefined && { invitationRefused }),
    },
    cookies: reply.cookies ?? [],
  }
}

async function resend(deps: SignInDeps, caller: Caller, text: string) {
  const { emailKey } = checkAddress(text, 'email')
  if (!(await deps.throttle.mail(caller, emailKey, 'sign_up'))) return { data: { sent: true } }
  const user = await findUserByEmail(deps.systemSql, emailKey)
  const pending = await listPendingSignUps(deps, emailKey)
  if (user && !user.emailVerifiedAt) await mailAccount(deps, caller, user)
  else {
    // A sign-up of this browser comes first, since it needs no password.
    const newest = pending.find((row) => isTypedIn(row, caller)) ?? pending[0]
    if (newest) await mailLink(deps, caller, newest, user)
  }
  return { data: { sent: true } }
}

export async function remindPending(
  deps: SignInDeps,
  caller: Caller,
  emailKey: string,
  password: string,
): Promise<boolean> {
  const hash = await deps.passwords.hashFor(emailKey, password)
  const pending = await listPendingSignUps(deps, emailKey)
  const match = pending.find(({ passwordHash }) => isSameHash(passwordHash, hash))
  if (!match) return false
  if (await deps.throttle.reminder(caller, emailKey))
    await mailLink(deps, caller, match, await findUserByEmail(deps.systemSql, emailKey))
  return true
}

export async function remindAccount(
  deps: SignInDeps,
  caller: Caller,
  user: UserRow,
): Promise<void> {
  if (await deps.throttle.reminder(caller, user.emailKey)) await mailAccount(deps, caller, user)
}

/** The owner of a verified account gets a notice instead, and an uninvited address nothing. */
async function mailLink(
  deps: SignInDeps,
  { language }: Caller,
  pending: PendingSignUp,
  user: UserRow | null,
) {
  const { email, emailKey, name } = pending
  const isWelcome = pending.userId !== null || (await mayJoin(deps, emailKey))
  const token = await renewLink(deps, pending.id)
  if (user?.emailVerifiedAt) deps.mails.alreadyRegistered(user.email, toReader(user))
  else if (isWelcome && token !== null) deps.mails.verifyEmail(email, { language, name, token })
}

/** Mails the link of an unverified account, with a new pending sign-up if the last one has expired. */
async function mailAccount(deps: SignInDeps, caller: Caller, user: UserRow): Promise<void> {
  const { id: userId, email, emailKey, name, passwordHash, emailVerifiedAt } = user
  if (emailVerifiedAt || passwordHash === null) return
  const pending = await listPendingSignUps(deps, emailKey)
  const existing = pending.find((row) => row.userId === userId)
  if (existing) return mailLink(deps, caller, existing, null)
  const values = { email, emailKey, name, passwordHash, userId, invitationId: null }
  const secret = getBrowserSecret(caller)
  const token = await inTransaction(deps.systemSql, (tx) =>
    addPendingSignUp(deps, tx, values, secret),
  )
  deps.mails.verifyEmail(email, { ...toReader(user), token })
}

export async function mayJoin(deps: SignInDeps, emailKey: string): Promise<boolean> {
  return deps.signup === 'open' || (deps.signup === 'invite' && hasInvitation(deps, emailKey))
}
