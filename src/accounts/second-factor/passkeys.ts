import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller, Cookie } from '../../platform/routes/caller.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { hashToken, newToken } from '../../platform/core/secrets.ts'
import { inTransaction, type SystemSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { toAnonymousEntry, toSecurityEntry } from '../../platform/audit/security.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import {
  type SignInDeps,
  requireSignInMethod,
  lockUser,
  readUser,
  requireFresh,
} from '../sign-in/users.ts'
import type { SignedIn } from '../sign-in/schema.ts'
import type { Passkey } from './factor-schema.ts'

export const PASSKEY_COOKIE = 'signpost_passkey'

const CHALLENGE_SECONDS = 300
const NAME_MAX_CHARS = 100
const MAX_PER_USER = 25
const RP_NAME = 'Signpost'
/** COSE numbers of EdDSA, ES256 and RS256, which authenticators support. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded by the first ceremony, since it takes a quarter of the program's load time. */
const loadWebAuthn = () => import('@simplewebauthn/server')

type Deps = SignInDeps & {
  providerIds: readonly string[]
  /** PUBLIC_URL; null: the origin that the browser uses. */
  publicUrl: string | null
}

type Row = Omit<Passkey, 'createdAt' | 'lastUsedAt'> & { createdAt: Date; lastUsedAt: Date | null }
type Key = { id: string; userId: string; publicKey: Buffer; counter: number }

export type Passkeys = ReturnType<typeof createPasskeys>

/** The authenticator verifies its user each time (PIN, fingerprint, face), so a passkey is both factors. */
export const createPasskeys = (deps: Deps) =>
  bindDeps(deps, { registerOptions, register, signInOptions, signIn, list, rename, remove })

/** The challenge that every registration requires; only a fresh session gets one. */
async function registerOptions(deps: Deps, caller: Caller) {
  const { systemSql } = deps
  const session = requireSession(caller)
  requireFresh(session, deps.clock())
  const { userId } = session
  const user = await readUser(systemSql, session)
  const known = await systemSql<{ credentialId: string; transports: string[] }[]>`
    select credential_id, transports from passkeys where user_id = ${userId}`
  if (known.length >= MAX_PER_USER)
    throw new ApiError(
      'CONFLICT',
      `An account has at most ${MAX_PER_USER} passkeys. Remove one first.`,
    )
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: getRpId(deps, caller),
    userID: Uint8Array.from(Buffer.from(userId)),
    userName: user.email,
    userDisplayName: user.name,
    timeout: CHALLENGE_SECONDS * 1_000,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    supportedAlgorithmIDs: ALGORITHMS,
    // A resident key signs in without an address.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const cookie = await storeChallenge(deps, options.challenge, userId)
  return { data: options, cookies: [cookie] }
}

async function signInOptions(deps: Deps, caller: Caller) {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: getRpId(deps, caller),
    timeout: CHALLENGE_SECONDS * 1_000,
    userVerification: 'required',
  })
  const cookie = await storeChallenge(deps, options.challenge, null)
  return { data: options, cookies: [cookie] }
}

async function storeChallenge(
  { systemSql, clock }: Deps,
  challenge: string,
  userId: string | null,
): Promise<Cookie> {
  const nowMs = clock()
  const { token, hash } = newToken()
  await systemSql`delete from passkey_challenges where expires_at <= ${new Date(nowMs)}`
  await systemSql`insert into passkey_challenges ${systemSql({
    tokenHash: hash,
    challenge,
    userId,
    expiresAt: new Date(nowMs + CHALLENGE_SECONDS * 1_000),
  })}`
  return { name: PASSKEY_COOKIE, value: token, maxAgeSeconds: CHALLENGE_SECONDS }
}

/** Deletes the challenge, so that only one answer to it counts. Null for an invalid one. */
async function takeChallenge({ systemSql, clock }: Deps, caller: Caller, userId: string | null) {
  const cookie = caller.cookies[PASSKEY_COOKIE]
  if (cookie === undefined) return null
  const [row] = await systemSql<{ challenge: string; userId: string | null; expiresAt: Date }[]>`
    delete from passkey_challenges where token_hash = ${hashToken(cookie)}
    returning challenge, user_id, expires_at`
  const isValid = row && row.userId === userId && row.expiresAt.getTime() > clock()
  return isValid ? row.challenge : null
}

async function register(
  deps: Deps,
  caller: Caller,
  input: { name: string; response: RegistrationResponseJSON },
): Promise<Reply<Passkey>> {
  const { userId } = requireSession(caller)
  const name = checkName(input.name, 'name', NAME_MAX_CHARS)
  const { credential, credentialBackedUp } = await verifyRegistration(
    deps,
    caller,
    userId,
    input.response,
  )
  const nowMs = deps.clock()
  const passkey = await inTransaction(deps.systemSql, async (tx) => {
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
      on conflict (credential_id) do nothing returning ${columnsOf(tx)}`
    if (!row) throw new ApiError('CONFLICT', 'This passkey is already registered.')
    await deps.recordSecurity(tx, {
      ...toSecurityEntry(caller, userId, 'passkey.added'),
      details: { passkeyId: row.id, name },
    })
    return row
  })
  return { data: toIsoTimes(passkey), cookies: [GONE_COOKIE] }
}

async function verifyRegistration(
  deps: Deps,
  caller: Caller,
  userId: string,
  response: RegistrationResponseJSON,
) {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const expectedChallenge = await takeChallenge(deps, caller, userId)
  const verified =
    expectedChallenge === null
      ? null
      : await verifyRegistrationResponse({
          response,
          expectedChallenge,
          expectedOrigin: getOrigin(deps, caller),
          expectedRPID: getRpId(deps, caller),
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        }).catch(() => null)
  if (!verified?.verified)
    throw invalid(
      'response',
      'This passkey could not be verified. Start the registration again.',
      'not_verified',
    )
  return verified.registrationInfo
}

async function signIn(
  deps: Deps,
  caller: Caller,
  { response }: { response: AuthenticationResponseJSON },
): Promise<Reply<SignedIn>> {
  const expectedChallenge = await takeChallenge(deps, caller, null)
  const id = typeof response.id === 'string' ? response.id : ''
  const [key] = await deps.systemSql<Key[]>`
    select id, user_id, public_key, counter from passkeys where credential_id = ${id}`
  const isRight =
    key !== undefined &&
    expectedChallenge !== null &&
    (await checkAssertion(deps, caller, key, response, expectedChallenge))
  if (!isRight) {
    if (key) await recordFailure(deps, caller, key)
    throw new ApiError(
      'UNAUTHORIZED',
      'This passkey could not sign you in. Try again, or use another sign-in method.',
    )
  }
  const reply = await completeSignIn(deps, caller, key.userId, 'passkey')
  return { ...reply, cookies: [...(reply.cookies ?? []), GONE_COOKIE] }
}

/** Accepts each counter value once, if the authenticator counts: the counter of a copy falls behind. */
async function checkAssertion(
  deps: Deps,
  caller: Caller,
  key: Key,
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
): Promise<boolean> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: getOrigin(deps, caller),
    expectedRPID: getRpId(deps, caller),
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
  const used = await deps.systemSql`
    update passkeys set counter = ${newCounter}, last_used_at = ${new Date(deps.clock())},
      is_synced = ${credentialBackedUp}
    where id = ${key.id} and (counter < ${newCounter} or (counter = 0 and ${newCounter} = 0))
    returning 1`
  return used.length === 1
}

async function recordFailure({ systemSql, recordSecurity }: Deps, caller: Caller, key: Key) {
  await recordSecurity(systemSql, {
    ...toAnonymousEntry(caller, key.userId, 'sign_in.failed'),
    outcome: 'failure',
    details: { method: 'passkey', passkeyId: key.id },
  })
}

async function list({ systemSql }: Deps, caller: Caller): Promise<Reply<Passkey[]>> {
  const { userId } = requireSession(caller)
  const rows = await systemSql<Row[]>`
    select ${columnsOf(systemSql)} from passkeys where user_id = ${userId} order by created_at, id`
  return { data: rows.map(toIsoTimes) }
}

async function rename({ systemSql }: Deps, caller: Caller, id: string, input: { name: string }) {
  const { userId } = requireSession(caller)
  const name = checkName(input.name, 'name', NAME_MAX_CHARS)
  const [row] = await systemSql<Row[]>`
    update passkeys set name = ${name} where id = ${id} and user_id = ${userId}
    returning ${columnsOf(systemSql)}`
  if (!row) throw noSuchPasskey()
  return { data: toIsoTimes(row) }
}

async function remove(
  { systemSql, recordSecurity, providerIds }: Deps,
  caller: Caller,
  id: string,
): Promise<Reply<undefined>> {
  const { userId } = requireSession(caller)
  await inTransaction(systemSql, async (tx) => {
    await lockUser(tx, userId)
    const [row] = await tx<{ name: string }[]>`
      delete from passkeys where id = ${id} and user_id = ${userId} returning name`
    if (!row) throw noSuchPasskey()
    await requireSignInMethod(providerIds, tx, userId)
    await recordSecurity(tx, {
      ...toSecurityEntry(caller, userId, 'passkey.removed'),
      details: { passkeyId: id, name: row.name },
    })
  })
  return { data: undefined }
}

const GONE_COOKIE: Cookie = { name: PASSKEY_COOKIE, value: '', maxAgeSeconds: 0 }

function getOrigin({ publicUrl }: Deps, caller: Caller): string {
  return publicUrl ?? caller.origin
}

function getRpId(deps: Deps, caller: Caller): string {
  return new URL(getOrigin(deps, caller)).hostname
}

/** The same for another user's passkey, so that an id reveals nothing. */
function noSuchPasskey(): ApiError {
  return new ApiError('NOT_FOUND', 'You have no passkey with this id.')
}

function columnsOf(db: SystemSql | Tx) {
  return db`id, name, is_synced, created_at, last_used_at`
}
