import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import { parseAddress, type Address } from '../email-address.ts'
import type { RecordSecurity } from '../security.ts'
import type { Identity, Provider } from './providers.ts'
import { entryOf } from './two-factor.ts'

const NAME_MAX_CHARS = 100

type Deps = {
  /** Of the worker role. */
  sql: SystemSql
  clock: Clock
  recordSecurity: RecordSecurity
  signUps: {
    /** SIGNUP, and the invitations of an address: may it get an account? */
    mayJoin(tx: Tx, emailKey: string): Promise<boolean>
    /** Voids the sign-ups of an address that wait for its verification. */
    voidPending(tx: Tx, emailKey: string): Promise<void>
  }
  /** Ends sessions, keys and factors of an account whose address nobody had verified. */
  closeOtherWays: (tx: Tx, caller: Caller, userId: string) => Promise<void>
}

/**
 * Whose account a provider's identity is. It is found by (issuer, subject); by its address only
 * when the provider vouches for that. An account that somebody opened with the address and never
 * verified is its owner's from then on, and every way in that was set up before is closed.
 */
export type Identities = {
  /**
   * Finds the person, or makes them: verified address, no password.
   * @returns the id of the person
   * @throws ApiError FORBIDDEN with `details: {reason}`
   */
  signIn(caller: Caller, provider: Provider, identity: Identity): Promise<string>
  /**
   * Adds an identity to a signed-in person, whatever its address.
   * @throws ApiError CONFLICT when it is somebody else's
   */
  link(caller: Caller, userId: string, provider: Provider, identity: Identity): Promise<void>
}

type Known = { id: string; emailVerifiedAt: Date | null }

export function createIdentities(deps: Deps): Identities {
  const { sql, clock, recordSecurity, signUps, closeOtherWays } = deps

  async function signIn(caller: Caller, provider: Provider, identity: Identity) {
    const work = inTransaction(sql, async (tx) => {
      const ownerId = await ownerOf(tx, provider, identity)
      if (ownerId !== null) return ownerId
      const address = vouchedFor(identity)
      if (!address) throw notVerified(provider)
      const user = (await make(tx, address, identity.name)) ?? (await read(tx, address.emailKey))
      if (!user) throw mayNotJoin()
      if (user.emailVerifiedAt === null) await claim(tx, caller, user.id, provider)
      await signUps.voidPending(tx, address.emailKey)
      return add(tx, caller, user.id, provider, identity)
    })
    return work.catch(async (error: unknown) => {
      if (error instanceof ApiError) await noteRefusal(caller, provider, error)
      throw error
    })
  }

  async function link(caller: Caller, userId: string, provider: Provider, identity: Identity) {
    await inTransaction(sql, async (tx) => {
      const ownerId = await add(tx, caller, userId, provider, identity)
      if (ownerId !== userId) throw alreadyTaken(provider)
    })
  }

  async function claim(tx: Tx, caller: Caller, userId: string, provider: Provider): Promise<void> {
    const now = new Date(clock())
    const claimed = await tx`
      update users set email_verified_at = ${now}, password_hash = null, updated_at = ${now}
      where id = ${userId} and email_verified_at is null returning 1`
    // Verified in the meantime: then it is the owner's as it is.
    if (claimed.length === 0) return
    await closeOtherWays(tx, caller, userId)
    await recordSecurity(tx, {
      ...entryOf(caller, userId, 'email.verified'),
      details: { method: provider.id },
    })
  }

  async function ownerOf(tx: Tx, provider: Provider, { issuer, subject, email }: Identity) {
    const [row] = await tx<{ userId: string }[]>`
      update linked_accounts set last_used_at = ${new Date(clock())}, email = ${email}
      where provider = ${provider.id} and issuer = ${issuer} and subject = ${subject}
      returning user_id`
    return row?.userId ?? null
  }

  /** @returns null when the address has an account, or may not get one */
  async function make(
    tx: Tx,
    { email, emailKey }: Address,
    name: string | null,
  ): Promise<Known | null> {
    if (await read(tx, emailKey)) return null
    if (!(await signUps.mayJoin(tx, emailKey))) return null
    const now = new Date(clock())
    // Of two first sign-ins at once one makes the account, and the other finds it.
    const [made] = await tx<Known[]>`
      insert into users ${tx({
        id: newId('usr', now.getTime()),
        name: nameFrom(name) ?? email.split('@')[0]!,
        email,
        emailKey,
        emailVerifiedAt: now,
        createdAt: now,
        updatedAt: now,
      })}
      on conflict (email_key) do nothing returning id, email_verified_at`
    return made ?? null
  }

  async function read(tx: Tx, emailKey: string): Promise<Known | null> {
    const [row] = await tx<Known[]>`
      select id, email_verified_at from users where email_key = ${emailKey}`
    return row ?? null
  }

  /** @returns whose the identity is now: somebody else's when they had it before */
  async function add(
    tx: Tx,
    caller: Caller,
    userId: string,
    provider: Provider,
    identity: Identity,
  ): Promise<string> {
    const { issuer, subject, email } = identity
    const now = new Date(clock())
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
    if (!added) return (await ownerOf(tx, provider, identity))!
    await recordSecurity(tx, {
      ...entryOf(caller, userId, 'account.linked'),
      details: { provider: provider.id, email },
    })
    return userId
  }

  async function noteRefusal(caller: Caller, { id }: Provider, refusal: ApiError): Promise<void> {
    await recordSecurity(sql, {
      type: 'sign_in.failed',
      outcome: 'failure',
      userId: null,
      workspaceId: null,
      actor: null,
      ip: caller.ip,
      userAgent: caller.userAgent,
      requestId: caller.requestId,
      details: { method: id, ...(refusal.details as { reason: string }) },
    })
  }

  return { signIn, link }
}

/** The address as the provider wrote it: one that had to be changed first is not what it verified. */
function vouchedFor({ email, isEmailVerified }: Identity): Address | null {
  const address = email === null || !isEmailVerified ? null : parseAddress(email)
  return address?.email === email ? address : null
}

/** The same for an address with and without an account. */
function notVerified({ name }: Provider): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `${name} has not verified your e-mail address, so it cannot sign you in yet. Verify the address at ${name}; or sign in another way and link ${name} in your settings.`,
    { reason: 'account_not_linked' },
  )
}

function mayNotJoin(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'There is no account with this address, and it cannot get one here without an invitation.',
    { reason: 'sign_up_closed' },
  )
}

function alreadyTaken({ name }: Provider): ApiError {
  return new ApiError('CONFLICT', `This ${name} account is linked to somebody else here.`, {
    reason: 'already_linked',
  })
}

/** A display name comes from outside: one line, not too long. */
function nameFrom(name: string | null): string | null {
  const line = (name ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim()
  return line === '' ? null : Array.from(line).slice(0, NAME_MAX_CHARS).join('')
}
