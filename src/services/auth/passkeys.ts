import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Reply } from '../../base/route.ts'
import { inTransaction, type SystemSql } from '../../storage/postgres.ts'
import { checkName } from '../names.ts'
import type { RecordSecurity } from '../security.ts'
import { isoOrNull } from '../shapes.ts'
import type { Ways } from './linked-accounts.ts'
import type { Passkey } from './factor-schema.ts'
import { newToken, hashToken } from '../../base/token.ts'
import { requireFresh } from './users.ts'
import { entryOf, sessionOf, type CompleteSignIn } from './two-factor.ts'

/**
 * Passkeys (WebAuthn, level 3). The authenticator verifies its owner each time (PIN, finger, face),
 * so that a passkey is both factors, and no code is asked for after it.
 *
 * Both ceremonies: options, with a challenge that is kept here for five minutes and found by a
 * cookie ──▶ the authenticator signs ──▶ verify, which takes the challenge away whatever comes of it.
 */
export const PASSKEY_COOKIE = 'signpost_passkey'

const CHALLENGE_SECONDS = 300
const NAME_MAX_CHARS = 100
/** A person has a few devices; the lists of keys in the options stay short. */
const MAX_PER_PERSON = 25
const RP_NAME = 'Signpost'
/** COSE numbers of EdDSA, ES256 and RS256: what authenticators speak. */
const ALGORITHMS = [-8, -7, -257]

type Deps<SignedIn> = {
  /** Of the worker role. */
  sql: SystemSql
  clock: Clock
  recordSecurity: RecordSecurity
  completeSignIn: CompleteSignIn<SignedIn>
  ways: Ways
  /** PUBLIC_URL; null: where the browser says it is. */
  publicOrigin: () => string | null
}

type Row = {
  id: string
  userId: string
  name: string
  isSynced: boolean
  createdAt: Date
  lastUsedAt: Date | null
}
type Key = {
  id: string
  userId: string
  publicKey: Buffer
  counter: number
}

export type Passkeys<SignedIn> = {
  registerOptions(caller: Caller): Promise<Reply<PublicKeyCredentialCreationOptionsJSON>>
  register(
    caller: Caller,
    input: { name: string; response: RegistrationResponseJSON },
  ): Promise<Reply<Passkey>>
  signInOptions(caller: Caller): Promise<Reply<PublicKeyCredentialRequestOptionsJSON>>
  signIn(caller: Caller, input: { response: AuthenticationResponseJSON }): Promise<Reply<SignedIn>>
  list(caller: Caller): Promise<Reply<Passkey[]>>
  rename(caller: Caller, id: string, input: { name: string }): Promise<Reply<Passkey>>
  remove(caller: Caller, id: string): Promise<Reply<undefined>>
}

export function createPasskeys<SignedIn>(deps: Deps<SignedIn>): Passkeys<SignedIn> {
  const { sql, clock, recordSecurity } = deps

  const originOf = (caller: Caller) => deps.publicOrigin() ?? caller.origin
  const rpIdOf = (caller: Caller) => new URL(originOf(caller)).hostname

  /** The one door to a new passkey: without this challenge there is none. */
  async function registerOptions(caller: Caller) {
    const session = sessionOf(caller)
    requireFresh(session, clock())
    const { userId } = session
    const [user] = await sql<{ name: string; email: string }[]>`
      select name, email from users where id = ${userId}`
    if (!user) throw new ApiError('UNAUTHORIZED', 'This account is gone.')
    const known = await sql<{ credentialId: string; transports: string[] }[]>`
      select credential_id, transports from passkeys where user_id = ${userId}`
    if (known.length >= MAX_PER_PERSON)
      throw new ApiError('CONFLICT', `An account has at most ${MAX_PER_PERSON} passkeys.`)
    const options = await generateRegistrationOptions({
      rpName: RP_NAME,
      rpID: rpIdOf(caller),
      userID: Uint8Array.from(Buffer.from(userId)),
      userName: user.email,
      userDisplayName: user.name,
      timeout: CHALLENGE_SECONDS * 1_000,
      attestationType: 'none',
      excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
      supportedAlgorithmIDs: ALGORITHMS,
      // Resident: signing in asks for no address first.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    return keepChallenge(options, userId)
  }

  async function signInOptions(caller: Caller) {
    const options = await generateAuthenticationOptions({
      rpID: rpIdOf(caller),
      timeout: CHALLENGE_SECONDS * 1_000,
      userVerification: 'required',
    })
    return keepChallenge(options, null)
  }

  async function keepChallenge<O extends { challenge: string }>(data: O, userId: string | null) {
    const nowMs = clock()
    const { token, hash } = newToken()
    await sql`delete from passkey_challenges where expires_at <= ${new Date(nowMs)}`
    await sql`insert into passkey_challenges ${sql({
      tokenHash: hash,
      challenge: data.challenge,
      userId,
      expiresAt: new Date(nowMs + CHALLENGE_SECONDS * 1_000),
    })}`
    const cookie = { name: PASSKEY_COOKIE, value: token, maxAgeSeconds: CHALLENGE_SECONDS }
    return { data, cookies: [cookie] }
  }

  /** Takes the challenge away, so that no answer to it counts twice. Null when there is none. */
  async function takeChallenge(caller: Caller, userId: string | null): Promise<string | null> {
    const cookie = caller.cookies[PASSKEY_COOKIE]
    if (cookie === undefined) return null
    const [row] = await sql<{ challenge: string; userId: string | null; expiresAt: Date }[]>`
      delete from passkey_challenges where token_hash = ${hashToken(cookie)}
      returning challenge, user_id, expires_at`
    const isGood = row && row.userId === userId && row.expiresAt.getTime() > clock()
    return isGood ? row.challenge : null
  }

  async function register(
    caller: Caller,
    input: { name: string; response: RegistrationResponseJSON },
  ) {
    const { userId } = sessionOf(caller)
    const name = checkName(input.name, 'name', NAME_MAX_CHARS)
    const expectedChallenge = await takeChallenge(caller, userId)
    const verified =
      expectedChallenge === null
        ? null
        : await verifyRegistrationResponse({
            response: input.response,
            expectedChallenge,
            expectedOrigin: originOf(caller),
            expectedRPID: rpIdOf(caller),
            requireUserVerification: true,
            supportedAlgorithmIDs: ALGORITHMS,
          }).catch(() => null)
    if (!verified?.verified)
      throw invalid('response', 'This passkey could not be verified; begin again.', 'not_verified')
    const { credential, credentialBackedUp } = verified.registrationInfo
    const nowMs = clock()
    const passkey = await inTransaction(sql, async (tx) => {
      const [row] = await tx<Row[]>`
        insert into passkeys ${tx({
          id: newId('psk', nowMs),
          userId,
          name,
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey),
          counter: credential.counter,
          transports: credential.transports ?? [],
          isSynced: credentialBackedUp,
          createdAt: new Date(nowMs),
        })}
        on conflict (credential_id) do nothing returning *`
      if (!row) throw new ApiError('CONFLICT', 'This passkey is registered already.')
      await recordSecurity(tx, {
        ...entryOf(caller, userId, 'passkey.added'),
        details: { passkeyId: row.id, name },
      })
      return row
    })
    return { data: toPasskey(passkey), cookies: [goneCookie] }
  }

  async function signIn(caller: Caller, { response }: { response: AuthenticationResponseJSON }) {
    const expectedChallenge = await takeChallenge(caller, null)
    const id = typeof response.id === 'string' ? response.id : ''
    const [key] = await sql<Key[]>`
      select id, user_id, public_key, counter from passkeys where credential_id = ${id}`
    const isRight =
      key !== undefined &&
      expectedChallenge !== null &&
      (await checkAssertion(caller, key, response, expectedChallenge))
    if (!isRight) {
      if (key) await noteFailure(caller, key)
      throw new ApiError('UNAUTHORIZED', 'This passkey does not sign in here.')
    }
    const reply = await deps.completeSignIn(caller, key.userId, 'passkey')
    return { ...reply, cookies: [...(reply.cookies ?? []), goneCookie] }
  }

  /** True once per counter value of an authenticator that counts; a copied one falls behind. */
  async function checkAssertion(
    caller: Caller,
    key: Key,
    response: AuthenticationResponseJSON,
    expectedChallenge: string,
  ): Promise<boolean> {
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: originOf(caller),
      expectedRPID: rpIdOf(caller),
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: Uint8Array.from(key.publicKey),
        counter: key.counter,
      },
    }).catch(() => null)
    const { userHandle } = response.response ?? {}
    if (!verified?.verified) return false
    if (userHandle && userHandle !== Buffer.from(key.userId).toString('base64url')) return false
    const { newCounter, credentialBackedUp } = verified.authenticationInfo
    const used = await sql`
      update passkeys set counter = ${newCounter}, last_used_at = ${new Date(clock())},
        is_synced = ${credentialBackedUp}
      where id = ${key.id} and (counter < ${newCounter} or (counter = 0 and ${newCounter} = 0))
      returning 1`
    return used.length === 1
  }

  async function noteFailure(caller: Caller, key: Key): Promise<void> {
    await recordSecurity(sql, {
      ...entryOf(caller, key.userId, 'sign_in.failed'),
      actor: null,
      outcome: 'failure',
      details: { method: 'passkey', passkeyId: key.id },
    })
  }

  async function list(caller: Caller) {
    const { userId } = sessionOf(caller)
    const rows = await sql<Row[]>`
      select * from passkeys where user_id = ${userId} order by created_at, id`
    return { data: rows.map(toPasskey) }
  }

  async function rename(caller: Caller, id: string, input: { name: string }) {
    const { userId } = sessionOf(caller)
    const name = checkName(input.name, 'name', NAME_MAX_CHARS)
    const [row] = await sql<Row[]>`
      update passkeys set name = ${name} where id = ${id} and user_id = ${userId} returning *`
    if (!row) throw noSuchPasskey()
    return { data: toPasskey(row) }
  }

  async function remove(caller: Caller, id: string) {
    const { userId } = sessionOf(caller)
    await inTransaction(sql, async (tx) => {
      await deps.ways.lock(tx, userId)
      const [row] = await tx<{ name: string }[]>`
        delete from passkeys where id = ${id} and user_id = ${userId} returning name`
      if (!row) throw noSuchPasskey()
      await deps.ways.requireOne(tx, userId)
      await recordSecurity(tx, {
        ...entryOf(caller, userId, 'passkey.removed'),
        details: { passkeyId: id, name: row.name },
      })
    })
    return { data: undefined }
  }

  return { registerOptions, register, signInOptions, signIn, list, rename, remove }
}

const goneCookie = { name: PASSKEY_COOKIE, value: '', maxAgeSeconds: 0 }

/** Somebody else's passkey is none at all: nobody learns whose an id is. */
function noSuchPasskey(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such passkey.')
}

function toPasskey(row: Row): Passkey {
  return {
    id: row.id,
    name: row.name,
    isSynced: row.isSynced,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: isoOrNull(row.lastUsedAt),
  }
}
