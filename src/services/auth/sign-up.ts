import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Reply } from '../../base/route.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import type { Address } from '../email-address.ts'
import { checkName } from '../names.ts'
import type { RecordSecurity } from '../security.ts'
import { checkAddress } from './address.ts'
import { checkNewPassword, isSameHash, type Passwords } from './passwords.ts'
import {
  browserCookie,
  browserSecretOf,
  createPendingStore,
  isOfBrowser,
  type Pending,
} from './pending-sign-ups.ts'
import type { SignUp as SignUpInput, SignUpReply } from './schema.ts'
import type { PendingSignUps, Reminder } from './sign-in.ts'
import type { Throttle } from './throttle.ts'
import { entryOf } from './two-factor.ts'

export type SignUpMails = {
  verifyEmail(to: string, facts: { name: string; token: string }): void
  alreadyRegistered(to: string, facts: { name: string }): void
}

type Deps = {
  systemSql: SystemSql
  clock: Clock
  recordSecurity: RecordSecurity
  passwords: Pick<Passwords, 'hashFor'>
  throttle: Pick<Throttle, 'mail' | 'reminder'>
  mails: SignUpMails
  /** SIGNUP. */
  signup: 'open' | 'invite' | 'closed'
  hasInvitation: (email: string) => Promise<boolean>
  requireEmailVerification: boolean
}

const NAME_MAX_CHARS = 100

type Known = { id: string; name: string; email: string; emailVerifiedAt: Date | null }

export type SignUp = ReturnType<typeof createSignUp>

/**
 * Signing up with address and password. The answer, its time and its cookie are the same whether or
 * not the address has an account; what is true is told by mail.
 *
 *   typed ──▶ pending ──its link, in the same browser or with the password──▶ account (verify.ts)
 *               ├──its link with five wrong passwords──▶ void, until it is mailed again
 *               ├──another one of the address is used──▶ gone
 *               └──a week──▶ gone
 *
 * What a stranger types for an address is never more than pending: the owner of the address cannot
 * use it without that password, and the stranger not without that mailbox.
 */
export function createSignUp(deps: Deps) {
  const { systemSql, clock, recordSecurity, mails } = deps
  const store = createPendingStore(deps)

  /** @throws ApiError FORBIDDEN where sign-up is closed, VALIDATION_ERROR, RATE_LIMITED */
  async function signUp(caller: Caller, input: SignUpInput): Promise<Reply<SignUpReply>> {
    if (deps.signup === 'closed')
      throw new ApiError('FORBIDDEN', 'This server does not take new accounts.')
    const name = checkName(input.name, 'name', NAME_MAX_CHARS)
    const address = checkAddress(input.email, 'email')
    checkNewPassword(input.password, 'password', address.emailKey)
    const maySend = await deps.throttle.mail(caller, address.emailKey, 'sign_up')
    const passwordHash = await deps.passwords.hashFor(address.emailKey, input.password)
    const isInvited = deps.signup === 'open' || (await deps.hasInvitation(address.email))

    const browserSecret = browserSecretOf(caller)
    const { token, user } = await inTransaction(systemSql, async (tx) => {
      const madeId =
        deps.requireEmailVerification || !isInvited
          ? null
          : await makeUnverified(tx, address, name, passwordHash)
      const known = await find(tx, address.emailKey)
      const values = { ...address, name, passwordHash, userId: madeId }
      // Also for an address with an account, whose link is then mailed to nobody.
      const made = await store.add(tx, values, browserSecret)
      await recordSecurity(tx, {
        ...entryOf(caller, '', 'sign_up.requested'),
        userId: known?.id ?? null,
        actor: null,
      })
      return { token: made, user: known }
    })
    if (maySend && user?.emailVerifiedAt) mails.alreadyRegistered(user.email, { name: user.name })
    else if (maySend && isInvited) mails.verifyEmail(address.email, { name, token })
    return {
      data: {
        email: address.email,
        verificationRequired: deps.requireEmailVerification,
        invitationRequired: deps.signup === 'invite',
      },
      cookies: [browserCookie(browserSecret)],
    }
  }

  /** Where an account may be used before its address is verified. Null: there is one already. */
  async function makeUnverified(
    tx: Tx,
    { email, emailKey }: Address,
    name: string,
    passwordHash: string,
  ): Promise<string | null> {
    const now = new Date(clock())
    const [made] = await tx<{ id: string }[]>`
      insert into users ${tx({
        id: newId('usr', now.getTime()),
        name,
        email,
        emailKey,
        passwordHash,
        createdAt: now,
        updatedAt: now,
      })}
      on conflict (email_key) do nothing returning id`
    return made?.id ?? null
  }

  /** The same answer for every address; the mail goes to one that waits for its verification. */
  async function resend(caller: Caller, text: string): Promise<Reply<{ sent: boolean }>> {
    const { emailKey } = checkAddress(text, 'email')
    if (!(await deps.throttle.mail(caller, emailKey, 'sign_up'))) return { data: { sent: true } }
    const user = await find(systemSql, emailKey)
    const waiting = await store.ofAddress(emailKey)
    if (!user || user.emailVerifiedAt) await mailAgain(newestOf(caller, waiting), user)
    else await mailAccount(caller, user.id)
    return { data: { sent: true } }
  }

  const pending: PendingSignUps = {
    async remind(caller, emailKey, password): Promise<Reminder> {
      const hash = await deps.passwords.hashFor(emailKey, password)
      const waiting = await store.ofAddress(emailKey)
      const meant = waiting.find(({ passwordHash }) => isSameHash(passwordHash, hash))
      if (!meant) return { isMeant: false }
      if (await deps.throttle.reminder(caller, emailKey))
        await mailAgain(meant, await find(systemSql, emailKey))
      return { isMeant: true }
    },
    async remindAccount(caller, userId): Promise<Reminder> {
      const [user] = await systemSql<{ emailKey: string }[]>`
        select email_key from users where id = ${userId}`
      if (user && (await deps.throttle.reminder(caller, user.emailKey)))
        await mailAccount(caller, userId)
      return { isMeant: true }
    },
  }

  /**
   * The mail of a sign-up once more. Its link is renewed also where it is mailed to nobody: for the
   * owner of a verified account, who is told of the sign-up, and without an invitation.
   */
  async function mailAgain(meant: Pending | undefined, user: Known | null): Promise<void> {
    if (!meant) return
    const isWelcome = meant.userId !== null || (await mayJoin(meant.email))
    const token = await store.renew(meant.id)
    if (user?.emailVerifiedAt) mails.alreadyRegistered(user.email, { name: user.name })
    else if (isWelcome && token !== null)
      mails.verifyEmail(meant.email, { name: meant.name, token })
  }

  /** An unverified account has a pending sign-up of its own, made here when it has run out. */
  async function mailAccount(caller: Caller, userId: string): Promise<void> {
    const [user] = await systemSql<
      (Address & { name: string; passwordHash: string | null; emailVerifiedAt: Date | null })[]
    >`select email, email_key, name, password_hash, email_verified_at from users where id = ${userId}`
    if (!user || user.emailVerifiedAt || user.passwordHash === null) return
    const { email, emailKey, name, passwordHash } = user
    const own = (await store.ofAddress(emailKey)).find((each) => each.userId === userId)
    if (own) return mailAgain(own, null)
    const values = { email, emailKey, name, passwordHash, userId }
    const secret = browserSecretOf(caller)
    const token = await inTransaction(systemSql, (tx) => store.add(tx, values, secret))
    mails.verifyEmail(email, { name, token })
  }

  async function mayJoin(email: string): Promise<boolean> {
    if (deps.signup === 'invite') return deps.hasInvitation(email)
    return deps.signup === 'open'
  }

  async function find(db: SystemSql | Tx, emailKey: string): Promise<Known | null> {
    const [row] = await db<Known[]>`
      select id, name, email, email_verified_at from users where email_key = ${emailKey}`
    return row ?? null
  }

  return {
    ...{ signUp, resend, pending, store },
    /** May somebody with this verified address get an account? */
    mayJoin: (_tx: Tx, emailKey: string) => mayJoin(emailKey),
    /** Voids what waits for the verification of an address. */
    voidPending: store.voidAddress,
  }
}

/** That of this browser first: any other asks for a password that its reader may not know. */
function newestOf(caller: Caller, waiting: readonly Pending[]): Pending | undefined {
  return waiting.find((each) => isOfBrowser(each, caller)) ?? waiting[0]
}
