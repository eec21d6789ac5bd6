import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import type { Reply } from '../../base/route.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import { checkName } from '../names.ts'
import type { RecordSecurity } from '../security.ts'
import { checkAddress } from './address.ts'
import { messagePage } from '../../base/html.ts'
import { changeEmailPage } from './pages.ts'
import type { Passwords } from './passwords.ts'
import type { PendingStore } from './pending-sign-ups.ts'
import { lockUser, readUser, requireOwner, toUser, type UserRow } from './users.ts'
import { goneReply, problemOf } from './replies.ts'
import type {
  ChangeEmail,
  ConfirmEmailChange,
  EmailChangeState,
  User,
  UpdateUser,
} from './schema.ts'
import type { Throttle } from './throttle.ts'
import { linkIsGone, LINK_LIFETIME_MS, type TokenKind, type Tokens } from './tokens.ts'
import { entryOf, sessionOf } from './two-factor.ts'

export type ProfileMails = {
  alreadyRegistered(to: string, facts: { name: string }): void
  approveEmailChange(to: string, facts: { name: string; newEmail: string; token: string }): void
  verifyNewEmail(to: string, facts: { name: string; email: string; token: string }): void
  emailChanged(to: string, facts: { name: string; newEmail: string }): void
}

type Deps = {
  systemSql: SystemSql
  clock: Clock
  recordSecurity: RecordSecurity
  passwords: Pick<Passwords, 'verify'>
  throttle: Pick<Throttle, 'guess' | 'mail'>
  tokens: Tokens
  store: Pick<PendingStore, 'voidAddress'>
  mails: ProfileMails
}

type Change = {
  email: string
  emailKey: string
  approvedAt: Date | null
  verifiedAt: Date | null
}

const NAME_MAX_CHARS = 100
const KINDS = ['approve_email', 'verify_email'] as const satisfies TokenKind[]

export type Profile = ReturnType<typeof createProfile>

/**
 * What a person changes about themselves. A change of address:
 *
 *   asked ─┬─the old address approves──┬─both──▶ changed
 *          ├─the new one is verified───┘
 *          └─an hour, a newer one, another password──▶ void
 *
 * The new one is verified in a session of the account, or with its password: the owner of a mailbox
 * who presses the button of a mail does not give her address to a stranger's account
 * (docs/decisions/0017).
 * The answer is the same for an address that somebody else has; they are told by mail.
 */
export function createProfile(deps: Deps) {
  const { systemSql, clock, recordSecurity, tokens, mails } = deps

  async function update(caller: Caller, input: UpdateUser): Promise<Reply<User>> {
    const session = sessionOf(caller)
    if (input.name === undefined) return { data: toUser(await readUser(systemSql, session)) }
    const name = checkName(input.name, 'name', NAME_MAX_CHARS)
    const [row] = await systemSql<UserRow[]>`
      update users set name = ${name}, updated_at = ${new Date(clock())}
      where id = ${session.userId} returning *`
    if (!row) throw new ApiError('UNAUTHORIZED', 'This account is gone.')
    return { data: toUser(row) }
  }

  async function changeEmail(
    caller: Caller,
    input: ChangeEmail,
  ): Promise<Reply<{ sent: boolean }>> {
    const session = sessionOf(caller)
    const address = checkAddress(input.newEmail, 'newEmail')
    const { emailKey } = await readUser(systemSql, session)
    await deps.throttle.guess(caller, emailKey)
    const person = await requireOwner(deps, session, input.password, 'password')
    // The links of an earlier change stay valid.
    if (!(await deps.throttle.mail(caller, address.emailKey, 'change_email')))
      return { data: { sent: true } }
    const { other, approveToken, verifyToken } = await inTransaction(systemSql, async (tx) => {
      const locked = await lockUser(tx, person.id)
      if (!locked) throw new ApiError('UNAUTHORIZED', 'This account is gone.')
      const [taken] = await tx<{ id: string; email: string; name: string }[]>`
        select id, email, name from users where email_key = ${address.emailKey}`
      await start(tx, locked, address)
      return {
        other: taken && taken.id !== person.id ? taken : null,
        approveToken: await tokens.issue(tx, person.id, 'approve_email'),
        verifyToken: await tokens.issue(tx, person.id, 'verify_email'),
      }
    })
    const { name, email } = person
    if (person.emailVerifiedAt)
      mails.approveEmailChange(email, { name, newEmail: address.email, token: approveToken })
    if (other) mails.alreadyRegistered(other.email, { name: other.name })
    else mails.verifyNewEmail(address.email, { name, email, token: verifyToken })
    return { data: { sent: true } }
  }

  /** Nobody is asked at an address that was never verified: it may be a slip of the pen. */
  async function start(
    tx: Tx,
    person: UserRow,
    { email, emailKey }: Pick<Change, 'email' | 'emailKey'>,
  ) {
    const nowMs = clock()
    const approvedAt = person.emailVerifiedAt ? null : new Date(nowMs)
    await tx`
      insert into email_changes ${tx({
        userId: person.id,
        email,
        emailKey,
        approvedAt,
        expiresAt: new Date(nowMs + LINK_LIFETIME_MS),
      })}
      on conflict (user_id) do update set email = excluded.email, email_key = excluded.email_key,
        approved_at = excluded.approved_at, verified_at = null, expires_at = excluded.expires_at`
  }

  async function showChange(caller: Caller, token: string): Promise<Reply<undefined>> {
    return pageFor(caller, token)
  }

  async function pageFor(caller: Caller, token: string, problem?: string, status?: number) {
    const found = await tokens.peek(systemSql, KINDS, token)
    const change = found && (await readChange(systemSql, found.userId))
    const person = found && (await readPerson(found.userId))
    if (!change || !person) return goneReply()
    const html = changeEmailPage({
      token,
      account: { name: person.name, email: person.email },
      newEmail: change.email,
      isApproval: found.kind === 'approve_email',
      needsPassword: needsPassword(caller, found),
      problem,
    })
    return { html, ...(status !== undefined && { status }) }
  }

  /**
   * @throws ApiError GONE; VALIDATION_ERROR (`required`) for the new address outside of a session of
   *   the account without its password; INVALID_CREDENTIALS, RATE_LIMITED; CONFLICT when somebody has
   *   taken the address meanwhile
   */
  async function confirmChange(
    caller: Caller,
    input: ConfirmEmailChange,
  ): Promise<Reply<EmailChangeState>> {
    try {
      const isChanged = await confirm(caller, input)
      if (!caller.wantsHtml) return { data: { changed: isChanged } }
      const message = isChanged
        ? 'Your account has its new address now.'
        : 'Thank you. The address changes once the other mail is confirmed, too.'
      return { html: messagePage({ title: 'Confirmed', message }) }
    } catch (error) {
      const problem = problemOf(caller, error)
      if (problem?.isGone) return goneReply()
      if (problem) return pageFor(caller, input.token, problem.message, problem.status)
      // Somebody took the address in the same moment.
      throw isUniqueViolation(error) ? addressTaken() : error
    }
  }

  async function confirm(
    caller: Caller,
    { token, password }: ConfirmEmailChange,
  ): Promise<boolean> {
    const found = await tokens.peek(systemSql, KINDS, token)
    if (!found) throw linkIsGone()
    const { userId, kind } = found
    if (needsPassword(caller, found)) await requirePassword(caller, userId, password)
    const changed = await inTransaction(systemSql, async (tx) => {
      const person = await lockUser(tx, userId)
      if (!person) throw linkIsGone()
      await tokens.take(tx, userId, kind, token)
      const now = new Date(clock())
      await (kind === 'approve_email'
        ? tx`update email_changes set approved_at = ${now} where user_id = ${userId}`
        : tx`update email_changes set verified_at = ${now} where user_id = ${userId}`)
      const change = await readChange(tx, userId)
      if (!change) throw linkIsGone()
      if (!change.approvedAt || !change.verifiedAt) return null
      await apply(tx, caller, person, change)
      return { person, newEmail: change.email }
    })
    if (!changed) return false
    const { person, newEmail } = changed
    mails.emailChanged(person.email, { name: person.name, newEmail })
    return true
  }

  /** The guess counts as one at a sign-in of the account. */
  async function requirePassword(
    caller: Caller,
    userId: string,
    password: string | undefined,
  ): Promise<void> {
    if (!password)
      throw invalid(
        'password',
        'Enter the password of the account that gets this address, or sign in to it first.',
        'required',
      )
    const person = await readPerson(userId)
    if (!person) throw linkIsGone()
    await deps.throttle.guess(caller, person.emailKey)
    if (await deps.passwords.verify(person.passwordHash, password)) return
    await recordSecurity(systemSql, {
      ...entryOf(caller, userId, 'email.changed'),
      outcome: 'failure',
      actor: null,
      details: { reason: 'wrong_password' },
    })
    throw new ApiError('INVALID_CREDENTIALS', 'This is not the password of that account.')
  }

  async function readPerson(userId: string): Promise<UserRow | null> {
    const [row] = await systemSql<UserRow[]>`select * from users where id = ${userId}`
    return row ?? null
  }

  async function apply(tx: Tx, caller: Caller, person: UserRow, change: Change): Promise<void> {
    const { email, emailKey, verifiedAt } = change
    const rows = await tx`
      update users set email = ${email}, email_key = ${emailKey}, email_verified_at = ${verifiedAt},
        updated_at = ${new Date(clock())}
      where id = ${person.id}
        and not exists (select from users where email_key = ${emailKey} and id <> ${person.id})
      returning 1`
    if (rows.length === 0) throw addressTaken()
    await tokens.voidAll(tx, person.id)
    await deps.store.voidAddress(tx, emailKey)
    await recordSecurity(tx, {
      ...entryOf(caller, person.id, 'email.changed'),
      details: { from: person.email, to: email },
    })
  }

  async function readChange(db: SystemSql | Tx, userId: string): Promise<Change | null> {
    const [row] = await db<Change[]>`
      select * from email_changes where user_id = ${userId} and expires_at > ${new Date(clock())}`
    return row ?? null
  }

  return { update, changeEmail, showChange, confirmChange }
}

function needsPassword(
  { session }: Caller,
  { userId, kind }: { userId: string; kind: TokenKind },
): boolean {
  return kind === 'verify_email' && session?.userId !== userId
}

function addressTaken(): ApiError {
  return new ApiError('CONFLICT', 'This address has an account by now.')
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
