import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { parseAddress, type Address } from '../../platform/resources/field-checks.ts'
import { toAnonymousEntry, toSecurityEntry } from '../../platform/audit/security.ts'
import { voidPendingSignUps } from '../sign-in/pending-sign-ups.ts'
import {
  type SignInDeps,
  findUserByEmail,
  insertUser,
  USER_NAME_MAX_CHARS,
  requireSignInMethod,
  lockUser,
  type UserRow,
  type UserDeps,
} from '../sign-in/users.ts'
import { revokeAllAccess } from '../sign-in/sessions.ts'
import { mayJoin } from '../sign-in/sign-up.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import type { LinkedAccount } from '../second-factor/factor-schema.ts'
import type { Identity, Provider } from './providers.ts'

export type Identities = ReturnType<typeof createIdentities>

/**
 * An unverified account of an address that a provider has verified goes to its owner, and every earlier access is
 * revoked.
 */
export const createIdentities = (deps: SignInDeps) => bindDeps(deps, { signIn, link })

async function signIn(deps: SignInDeps, caller: Caller, provider: Provider, identity: Identity) {
  const work = inTransaction(deps.systemSql, async (tx) => {
    const knownId = await useIdentity(deps, tx, provider, identity)
    if (knownId !== null) return knownId
    const address = getVerifiedAddress(identity)
    if (!address) throw notVerified(provider)
    const user = await findOrCreateUser(deps, tx, caller, address, identity.name)
    if (user.emailVerifiedAt === null) await takeOver(deps, tx, caller, user, provider)
    await voidPendingSignUps(tx, address.emailKey)
    return add(deps, tx, caller, user.id, provider, identity)
  })
  return work.catch(async (error: unknown) => {
    if (error instanceof ApiError) await recordRefusal(deps, caller, provider, error)
    throw error
  })
}

async function link(
  deps: SignInDeps,
  caller: Caller,
  userId: string,
  provider: Provider,
  identity: Identity,
): Promise<void> {
  await inTransaction(deps.systemSql, async (tx) => {
    const holderId = await add(deps, tx, caller, userId, provider, identity)
    if (holderId !== userId) throw alreadyLinked(provider)
  })
}

async function useIdentity(
  { clock }: SignInDeps,
  tx: Tx,
  provider: Provider,
  { issuer, subject, email }: Identity,
): Promise<string | null> {
  const [row] = await tx<{ userId: string }[]>`
    update linked_accounts set last_used_at = ${new Date(clock())}, email = ${email}
    where provider = ${provider.id} and issuer = ${issuer} and subject = ${subject}
    returning user_id`
  return row?.userId ?? null
}

/** If two first sign-ins run in parallel, one creates the account and the other finds it. */
async function findOrCreateUser(
  deps: SignInDeps,
  tx: Tx,
  { language }: Caller,
  address: Address,
  name: string | null,
) {
  const { email, emailKey } = address
  const found = await findUserByEmail(tx, emailKey)
  if (found) return found
  if (!(await mayJoin(deps, emailKey))) throw mayNotJoin()
  const nowMs = deps.clock()
  const created = await insertUser(tx, nowMs, {
    email,
    emailKey,
    name: toDisplayName(name) ?? email.split('@')[0]!,
    language,
    passwordHash: null,
    emailVerifiedAt: new Date(nowMs),
  })
  const user = created ?? (await findUserByEmail(tx, emailKey))
  if (!user) throw mayNotJoin()
  return user
}

async function takeOver(
  deps: SignInDeps,
  tx: Tx,
  caller: Caller,
  user: UserRow,
  provider: Provider,
): Promise<void> {
  const now = new Date(deps.clock())
  const updated = await tx`
    update users set email_verified_at = ${now}, password_hash = null, updated_at = ${now}
    where id = ${user.id} and email_verified_at is null returning 1`
  // Verified by a parallel request: the account already belongs to the owner of the address.
  if (updated.length === 0) return
  await revokeAllAccess(deps, tx, caller, user)
  await deps.recordSecurity(tx, {
    ...toSecurityEntry(caller, user.id, 'email.verified'),
    details: { method: provider.id },
  })
}

/** @returns the user of the identity: another one if it was linked before */
async function add(
  deps: SignInDeps,
  tx: Tx,
  caller: Caller,
  userId: string,
  provider: Provider,
  identity: Identity,
): Promise<string> {
  const { issuer, subject, email } = identity
  const now = new Date(deps.clock())
  const [added] = await tx`
    insert into linked_accounts ${tx({
      id: newId('acc', now.getTime()),
      userId,
      provider: provider.id,
      issuer,
      subject,
      email,
      createdAt: now,
      lastUsedAt: now,
    })}
    on conflict (provider, issuer, subject) do nothing returning 1`
  if (!added) return (await useIdentity(deps, tx, provider, identity))!
  await deps.recordSecurity(tx, {
    ...toSecurityEntry(caller, userId, 'account.linked'),
    details: { provider: provider.id, email },
  })
  return userId
}

async function recordRefusal(
  { systemSql, recordSecurity }: SignInDeps,
  caller: Caller,
  { id }: Provider,
  refusal: ApiError,
): Promise<void> {
  await recordSecurity(systemSql, {
    ...toAnonymousEntry(caller, null, 'sign_in.failed'),
    outcome: 'failure',
    details: { method: id, ...(refusal.details as { reason: string }) },
  })
}

/** The address exactly as the provider sent it: a normalized one is not the one it verified. */
function getVerifiedAddress({ email, isEmailVerified }: Identity): Address | null {
  const address = email === null || !isEmailVerified ? null : parseAddress(email)
  return address?.email === email ? address : null
}

/** The same for an address with and without an account. */
function notVerified({ name }: Provider): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `${name} has not verified your e-mail address. Verify the address at ${name}; or sign in another way and link ${name} in your settings.`,
    { reason: 'account_not_linked' },
  )
}

function mayNotJoin(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'There is no account with this address, and sign-up without an invitation is closed on this server.',
    { reason: 'sign_up_closed' },
  )
}

function alreadyLinked({ name }: Provider): ApiError {
  return new ApiError('CONFLICT', `This ${name} account is already linked to another user.`, {
    reason: 'already_linked',
  })
}

function toDisplayName(name: string | null): string | null {
  const line = (name ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim()
  return line === '' ? null : Array.from(line).slice(0, USER_NAME_MAX_CHARS).join('')
}

type Deps = Omit<UserDeps, 'clock'> & {
  providerIds: readonly string[]
}

type Row = Omit<LinkedAccount, 'createdAt' | 'lastUsedAt'> & { createdAt: Date; lastUsedAt: Date }

export type LinkedAccounts = ReturnType<typeof createLinkedAccounts>

export const createLinkedAccounts = (deps: Deps) => bindDeps(deps, { list, unlink })

async function list({ systemSql }: Deps, caller: Caller): Promise<Reply<LinkedAccount[]>> {
  const { userId } = requireSession(caller)
  const rows = await systemSql<Row[]>`
    select id, provider, email, created_at, last_used_at from linked_accounts
    where user_id = ${userId} order by created_at, id`
  return { data: rows.map(toIsoTimes) }
}

async function unlink(
  { systemSql, recordSecurity, providerIds }: Deps,
  caller: Caller,
  id: string,
): Promise<Reply<undefined>> {
  const { userId } = requireSession(caller)
  await inTransaction(systemSql, async (tx) => {
    await lockUser(tx, userId)
    const [row] = await tx<{ provider: string; email: string | null }[]>`
      delete from linked_accounts where id = ${id} and user_id = ${userId}
      returning provider, email`
    if (!row) throw new ApiError('NOT_FOUND', 'You have no linked account with this id.')
    await requireSignInMethod(providerIds, tx, userId)
    await recordSecurity(tx, {
      ...toSecurityEntry(caller, userId, 'account.unlinked'),
      details: { provider: row.provider, email: row.email },
    })
  })
  return { data: undefined }
}
