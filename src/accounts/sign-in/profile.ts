import type { Caller } from '../../platform/routes/caller.ts'
import { DASHBOARD_PATH, messagePage } from '../../platform/http/html.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { inTransaction, type Tx, type SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { checkAddress, type Address, checkName } from '../../platform/resources/field-checks.ts'
import { FORM_TEXTS } from '../../platform/text/forms.ts'
import { toAnonymousEntry, toSecurityEntry } from '../../platform/audit/security.ts'
import { bindDeps } from '../../platform/core/functions.ts'
import { changeEmailPage, answerForm, goneReply } from './pages.ts'
import {
  type SignInDeps,
  findUser,
  findUserByEmail,
  lockUser,
  readUser,
  refuseDeleted,
  requireOwner,
  toReader,
  toUser,
  USER_NAME_MAX_CHARS,
  type UserRow,
} from './users.ts'
import { voidPendingSignUps } from './pending-sign-ups.ts'
import type {
  ChangeEmail,
  ConfirmEmailChange,
  EmailChangeState,
  Profile as ShownProfile,
  UpdateUser,
} from './schema.ts'
import {
  findToken,
  issueToken,
  linkIsGone,
  LINK_LIFETIME_MS,
  useToken,
  voidLinks,
  type TokenKind,
} from './tokens.ts'
import { checkPreferences, toPreferences } from './preferences.ts'

export type Profile = ReturnType<typeof createProfile>

export const createProfile = (deps: SignInDeps) =>
  bindDeps(deps, { update, changeEmail, showChange, confirmChange })

async function update({ systemSql, clock }: SignInDeps, caller: Caller, input: UpdateUser) {
  const session = requireSession(caller)
  if (input.name === undefined && input.preferences === undefined)
    return { data: toProfile(await readUser(systemSql, session)) }
  const name = input.name === undefined ? null : checkName(input.name, 'name', USER_NAME_MAX_CHARS)
  // Merged in the database, so that parallel changes of different fields are both kept.
  const preferences = JSON.stringify(checkPreferences(input.preferences ?? {}))
  const [row] = await systemSql<UserRow[]>`
    update users set name = coalesce(${name}, name), updated_at = ${new Date(clock())},
      preferences = jsonb_strip_nulls(preferences || ${preferences}::text::jsonb)
    where id = ${session.userId} returning *`
  return { data: toProfile(row ?? refuseDeleted()) }
}

function toProfile(row: UserRow): ShownProfile {
  return { ...toUser(row), preferences: toPreferences(row.preferences) }
}

/**
 * A change takes the approval of the old address and the verification of the new one within an hour. Verifying
 * takes a session of the account or its password, so that nobody gives their address to a stranger's account by a
 * click in a mail (docs/decisions/0017).
 */
type Change = Address & { approvedAt: Date | null; verifiedAt: Date | null }
type Link = { userId: string; kind: TokenKind }

const KINDS = ['approve_email', 'verify_email'] as const satisfies TokenKind[]

async function changeEmail(deps: SignInDeps, caller: Caller, input: ChangeEmail) {
  const session = requireSession(caller)
  const address = checkAddress(input.newEmail, 'newEmail')
  const { emailKey } = await readUser(deps.systemSql, session)
  await deps.throttle.guess(caller, emailKey)
  const user = await requireOwner(deps, session, input.password, 'password')
  // Over the limit, the links of an earlier request stay valid.
  if (!(await deps.throttle.mail(caller, address.emailKey, 'change_email')))
    return { data: { sent: true } }
  const { holder, approveToken, verifyToken } = await inTransaction(deps.systemSql, async (tx) => {
    const locked = (await lockUser(tx, user.id)) ?? refuseDeleted()
    const found = await findUserByEmail(tx, address.emailKey)
    await startChange(deps, tx, locked, address)
    return {
      holder: found?.id === user.id ? null : found,
      approveToken: await issueToken(deps, tx, locked, 'approve_email'),
      verifyToken: await issueToken(deps, tx, locked, 'verify_email'),
    }
  })
  const { email } = user
  const reader = toReader(user)
  const newEmail = address.email
  if (user.emailVerifiedAt)
    deps.mails.approveEmailChange(email, { ...reader, newEmail, token: approveToken })
  if (holder) deps.mails.alreadyRegistered(holder.email, toReader(holder))
  else deps.mails.verifyNewEmail(newEmail, { ...reader, email, token: verifyToken })
  return { data: { sent: true } }
}

/** An old address that was never verified may be mistyped, so the change needs no approval from it. */
async function startChange(
  { clock }: SignInDeps,
  tx: Tx,
  user: UserRow,
  { email, emailKey }: Address,
): Promise<void> {
  const nowMs = clock()
  const approvedAt = user.emailVerifiedAt ? null : new Date(nowMs)
  const expiresAt = new Date(nowMs + LINK_LIFETIME_MS)
  await tx`
    insert into email_changes ${tx({ userId: user.id, email, emailKey, approvedAt, expiresAt })}
    on conflict (user_id) do update set email = excluded.email, email_key = excluded.email_key,
      approved_at = excluded.approved_at, verified_at = null, expires_at = excluded.expires_at`
}

async function showChange(deps: SignInDeps, caller: Caller, token: string) {
  const html = await renderPage(deps, caller, token)
  return html === null ? goneReply(caller) : { html }
}

async function renderPage(deps: SignInDeps, caller: Caller, token: string, problem?: string) {
  const { systemSql } = deps
  const link = await findToken(deps, systemSql, KINDS, token)
  const change = link && (await findChange(deps, systemSql, link.userId))
  const user = link && (await findUser(systemSql, link.userId))
  if (!change || !user) return null
  return changeEmailPage({
    language: caller.language ?? 'en',
    token,
    account: { name: user.name, email: user.email },
    newEmail: change.email,
    isApproval: link.kind === 'approve_email',
    needsPassword: needsPassword(caller, link),
    problem,
  })
}

async function confirmChange(deps: SignInDeps, caller: Caller, input: ConfirmEmailChange) {
  return answerForm<EmailChangeState>(
    caller,
    async () => {
      const isChanged = await confirm(deps, caller, input).catch((error: unknown) => {
        // An account with this address was created at the same time.
        throw isUniqueViolation(error) ? addressTaken() : error
      })
      if (!caller.wantsHtml) return { data: { changed: isChanged } }
      const { language = 'en' } = caller
      const { change, openDashboard } = FORM_TEXTS[language]
      const text = isChanged ? change.changed : change.almost
      const next = { href: DASHBOARD_PATH, label: openDashboard }
      return { html: messagePage({ language, title: change.done, text, next }) }
    },
    (problem) => renderPage(deps, caller, input.token, problem),
  )
}

async function confirm(deps: SignInDeps, caller: Caller, { token, password }: ConfirmEmailChange) {
  const link = await findToken(deps, deps.systemSql, KINDS, token)
  if (!link) throw linkIsGone()
  const { userId, kind } = link
  if (needsPassword(caller, link)) await requirePassword(deps, caller, userId, password)
  const changed = await inTransaction(deps.systemSql, async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw linkIsGone()
    await useToken(deps, tx, userId, kind, token)
    const now = new Date(deps.clock())
    await (kind === 'approve_email'
      ? tx`update email_changes set approved_at = ${now} where user_id = ${userId}`
      : tx`update email_changes set verified_at = ${now} where user_id = ${userId}`)
    const change = await findChange(deps, tx, userId)
    if (!change) throw linkIsGone()
    if (!change.approvedAt || !change.verifiedAt) return null
    await applyChange(deps, tx, caller, user, change)
    return { user, newEmail: change.email }
  })
  if (!changed) return false
  const { user, newEmail } = changed
  deps.mails.emailChanged(user.email, { ...toReader(user), newEmail })
  return true
}

async function requirePassword(
  deps: SignInDeps,
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
  const user = await findUser(deps.systemSql, userId)
  if (!user) throw linkIsGone()
  await deps.throttle.guess(caller, user.emailKey)
  if (await deps.passwords.verify(user.passwordHash, password)) return
  await deps.recordSecurity(deps.systemSql, {
    ...toAnonymousEntry(caller, userId, 'email.changed'),
    outcome: 'failure',
    details: { reason: 'wrong_password' },
  })
  throw new ApiError('INVALID_CREDENTIALS', 'This is not the password of that account.')
}

async function applyChange(
  { clock, recordSecurity }: SignInDeps,
  tx: Tx,
  caller: Caller,
  user: UserRow,
  { email, emailKey, verifiedAt }: Change,
): Promise<void> {
  const rows = await tx`
    update users set email = ${email}, email_key = ${emailKey}, email_verified_at = ${verifiedAt},
      updated_at = ${new Date(clock())}
    where id = ${user.id}
      and not exists (select from users where email_key = ${emailKey} and id <> ${user.id})
    returning 1`
  if (rows.length === 0) throw addressTaken()
  await voidLinks(tx, user.id)
  await voidPendingSignUps(tx, emailKey)
  await recordSecurity(tx, {
    ...toSecurityEntry(caller, user.id, 'email.changed'),
    details: { from: user.email, to: email },
  })
}

async function findChange({ clock }: SignInDeps, db: SystemSql | Tx, userId: string) {
  const [row] = await db<Change[]>`
    select * from email_changes where user_id = ${userId} and expires_at > ${new Date(clock())}`
  return row ?? null
}

function needsPassword({ session }: Caller, { userId, kind }: Link): boolean {
  return kind === 'verify_email' && session?.userId !== userId
}

function addressTaken(): ApiError {
  return new ApiError(
    'CONFLICT',
    'Another account already uses this address. Sign in to that account, or choose another address.',
  )
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
