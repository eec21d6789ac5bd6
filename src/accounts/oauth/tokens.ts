import { createHash } from 'node:crypto'
import { bindDeps } from '../../platform/core/functions.ts'
import { DAY_MS, HOUR_MS } from '../../platform/core/clock.ts'
import { hashToken, newToken } from '../../platform/core/secrets.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { removeKey, replaceSecret, type RevocationDeps } from '../api-keys/api-keys.ts'
import { checkResource, OAuthError } from './answers.ts'
import type { RequestToken, RevokeToken, Tokens } from './schema.ts'

export type TokensDeps = Pick<Dependencies, 'systemSql' | 'clock'> & RevocationDeps

type Grant = {
  keyId: string
  clientId: string
  redirectUri: string | null
  codeChallenge: string | null
  codeHash: Buffer
  familyHash: Buffer | null
  refreshHash: Buffer | null
  refreshedAt: Date | null
  expiresAt: Date
}

type Key = { id: string; workspaceId: string; userId: string; scopes: string[] | null }

const KEY_MS = HOUR_MS
/** Without a use, the user has to allow the app again. */
const REFRESH_MS = 90 * DAY_MS
/** Two processes of an app may refresh at the same time; that is no theft. */
const PARALLEL_MS = 10_000
const REFRESH_TOKEN = /^spr_([\w-]{43})\.([\w-]{43})$/
const VERIFIER = /^[\w.~-]{43,128}$/
const MAX_SWEPT = 100

export type AppTokens = ReturnType<typeof createAppTokens>

/**
 * The access token of an app is an API key of an hour, and each refresh replaces its secret, so that whatever checks a
 * key checks an app.
 */
export const createAppTokens = (deps: TokensDeps) => bindDeps(deps, { token, revoke })

async function token(deps: TokensDeps, caller: Caller, input: RequestToken): Promise<Tokens> {
  checkResource(input.resource, caller.origin)
  if (input.grant_type === 'authorization_code') return useCode(deps, caller, input)
  if (input.grant_type === 'refresh_token') return refresh(deps, caller, input)
  if (input.grant_type === 'urn:ietf:params:oauth:grant-type:device_code')
    return useDeviceCode(deps, caller, input)
  return refuse('unsupported_grant_type', 'grant_type is not one of this server.')
}

/** Each code counts once. Whoever shows it wrongly or again may have stolen it: its key ends (RFC 6749, 4.1.2). */
async function useCode(deps: TokensDeps, caller: Caller, input: RequestToken): Promise<Tokens> {
  const { code = '', code_verifier: verifier = '', client_id: clientId } = input
  const tokens = await withGrant(deps, caller, 'code_hash', code, async (tx, key, grant) => {
    const isRight =
      grant.familyHash === null &&
      grant.clientId === clientId &&
      grant.redirectUri === (input.redirect_uri ?? grant.redirectUri) &&
      grant.expiresAt.getTime() > deps.clock() &&
      VERIFIER.test(verifier) &&
      createHash('sha256').update(verifier).digest('base64url') === grant.codeChallenge
    if (!isRight) return 'stolen'
    const family = newToken()
    await tx`update oauth_grants set family_hash = ${family.hash} where key_id = ${key.id}`
    return renew(deps, tx, key, family.token)
  })
  return (
    tokens ?? refuse('invalid_grant', 'The code is unknown or used, or belongs to another app.')
  )
}

async function refresh(deps: TokensDeps, caller: Caller, input: RequestToken): Promise<Tokens> {
  const [, family = '', secret = ''] = REFRESH_TOKEN.exec(input.refresh_token ?? '') ?? []
  const tokens = await withGrant(deps, caller, 'family_hash', family, async (tx, key, grant) => {
    if (grant.clientId !== input.client_id || grant.expiresAt.getTime() <= deps.clock()) return null
    if (hashToken(secret).equals(grant.refreshHash!)) return renew(deps, tx, key, family)
    const isParallel = deps.clock() - grant.refreshedAt!.getTime() < PARALLEL_MS
    return isParallel ? null : 'stolen'
  })
  return tokens ?? refuse('invalid_grant', 'The refresh token is unknown or used. Sign in again.')
}

/** A key without an end, since a command line is used once in a while. */
async function useDeviceCode(deps: TokensDeps, caller: Caller, input: RequestToken) {
  const { device_code: code = '', client_id: clientId } = input
  const tokens = await withGrant(deps, caller, 'code_hash', code, async (tx, key, grant) => {
    const isDevice = grant.redirectUri === null && grant.clientId === clientId
    if (!isDevice || grant.expiresAt.getTime() <= deps.clock()) return null
    await tx`delete from oauth_grants where key_id = ${key.id}`
    return { access_token: await replaceSecret(deps, tx, key, null), ...toAnswer(key) }
  })
  if (tokens) return tokens
  const [waiting] = await deps.systemSql`
    select 1 from oauth_requests
    where device_hash = ${hashToken(code)} and expires_at > ${new Date(deps.clock())}`
  if (waiting) return refuse('authorization_pending', 'The user has not answered yet.')
  return refuse('expired_token', 'The code has expired, or the user denied it.')
}

function refuse(...reason: ConstructorParameters<typeof OAuthError>): never {
  throw new OAuthError(...reason)
}

/** Locks the key first, as its revocation does. */
async function withGrant(
  deps: TokensDeps,
  caller: Caller,
  column: 'code_hash' | 'family_hash',
  shown: string,
  work: (tx: Tx, key: Key, grant: Grant) => Promise<Tokens | 'stolen' | null>,
): Promise<Tokens | null> {
  const hash = hashToken(shown)
  const found = await inTransaction(deps.systemSql, async (tx) => {
    const [key] = await tx<Key[]>`
      select id, workspace_id, user_id, scopes from api_keys
      where id = (select key_id from oauth_grants where ${tx(column)} = ${hash}) for update`
    if (!key) return null
    const [grant] = await tx<Grant[]>`select * from oauth_grants where key_id = ${key.id}`
    return grant ? { key, answer: await work(tx, key, grant) } : null
  })
  if (!found) return null
  if (found.answer !== 'stolen') return found.answer
  // In a transaction of its own, which first locks the counter of keys.
  await end(deps, found.key, caller)
  return null
}

async function renew(deps: TokensDeps, tx: Tx, key: Key, family: string): Promise<Tokens> {
  const nowMs = deps.clock()
  const secret = await replaceSecret(deps, tx, key, new Date(nowMs + KEY_MS))
  const { token: next, hash } = newToken()
  await tx`
    update oauth_grants set refresh_hash = ${hash}, refreshed_at = ${new Date(nowMs)},
      expires_at = ${new Date(nowMs + REFRESH_MS)}
    where key_id = ${key.id}`
  return {
    access_token: secret,
    ...toAnswer(key),
    expires_in: KEY_MS / 1_000,
    refresh_token: `spr_${family}.${next}`,
  }
}

function toAnswer({ scopes }: Key) {
  return { token_type: 'Bearer', scope: (scopes ?? ['*']).join(' ') } as const
}

/** RFC 7009: the answer is the same for a token that is unknown. */
async function revoke(deps: TokensDeps, caller: Caller, input: RevokeToken): Promise<object> {
  const shown = input.token || refuse('invalid_request', 'token is missing.')
  const [, family = ''] = REFRESH_TOKEN.exec(shown) ?? []
  const [key] = await deps.systemSql<Key[]>`
    select id, workspace_id, user_id, scopes from api_keys
    where app is not null and (key_hash = ${hashToken(shown)}
      or id = (select key_id from oauth_grants where family_hash = ${hashToken(family)}))`
  if (key) await end(deps, key, caller)
  return {}
}

async function end(
  deps: TokensDeps,
  { id, workspaceId, userId }: Key,
  { requestId, ip, userAgent }: Pick<Caller, 'requestId' | 'ip' | 'userAgent'>,
): Promise<void> {
  const acting = systemActing(workspaceId, 'oauth', { userId, requestId })
  await inTransaction(deps.systemSql, (tx) =>
    removeKey(deps, tx, { ...acting, ip, userAgent }, id),
  ).catch((error: unknown) => {
    // Somebody else has revoked it.
    if ((error as { code?: unknown }).code !== 'NOT_FOUND') throw error
  })
}

/** Deletes keys of apps that never used their code, or did not come back. */
export async function endUnusedApps(deps: TokensDeps, signal: AbortSignal): Promise<void> {
  const rows = await deps.systemSql<Key[]>`
    select k.id, k.workspace_id, k.user_id, k.scopes
    from oauth_grants g join api_keys k on k.id = g.key_id
    where g.expires_at <= ${new Date(deps.clock())} order by g.expires_at limit ${MAX_SWEPT}`
  for (const key of rows) {
    signal.throwIfAborted()
    await end(deps, key, { requestId: 'oauth', ip: null, userAgent: null })
  }
}
