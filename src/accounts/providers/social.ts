import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Static } from 'typebox'
import type * as shapes from '../second-factor/factor-schema.ts'
import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller, Cookie } from '../../platform/routes/caller.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { enter } from '../sign-in/complete-sign-in.ts'
import { type SignInDeps, requireFresh } from '../sign-in/users.ts'
import { TWO_FACTOR_PATH } from '../sign-in/pages.ts'
import { returnPathOf } from '../sign-in/return-path.ts'
import type { Identities } from './identities.ts'
import { ProviderError, type Attempt, type Provider } from './providers.ts'

export const OAUTH_COOKIE = 'signpost_oauth'

const ATTEMPT_SECONDS = 600

type Deps = SignInDeps & {
  log: Pick<Log, 'warn'>
  providers: ReadonlyMap<string, Provider>
  identities: Identities
  /** PUBLIC_URL; null: the origin that the browser uses. */
  publicUrl: string | null
}

type StoredAttempt = {
  provider: string
  random: string
  returnPath: string
  expiresAtMs: number
  /** The session that links an account; null: a sign-in. */
  sessionId: string | null
}

export type CallbackQuery = Static<typeof shapes.CallbackQuery>

type Departure = { redirect: string; cookies: readonly Cookie[] }

export type Social = ReturnType<typeof createSocial>

/**
 * The cookie holds the whole attempt, so that a start writes nothing to the database; state, nonce and PKCE
 * verifier are derived from a random value in it. A callback counts once, in the same browser, within ten minutes.
 */
export const createSocial = (deps: Deps) => bindDeps(deps, { list, start, startLink, callback })

function list({ providers }: Deps): { id: string; name: string }[] {
  return Array.from(providers.values(), ({ id, name }) => ({ id, name }))
}

async function start(deps: Deps, caller: Caller, id: string, redirect?: string) {
  return leave(deps, caller, getProvider(deps, id), redirect, null)
}

async function startLink(deps: Deps, caller: Caller, id: string, redirect?: string) {
  const provider = getProvider(deps, id)
  const session = requireSession(caller)
  requireFresh(session, deps.clock())
  return leave(deps, caller, provider, redirect, session.id)
}

async function leave(
  deps: Deps,
  caller: Caller,
  provider: Provider,
  redirect: string | undefined,
  sessionId: string | null,
): Promise<Departure> {
  const stored: StoredAttempt = {
    provider: provider.id,
    random: randomBytes(32).toString('base64url'),
    returnPath: returnPathOf(redirect),
    expiresAtMs: deps.clock() + ATTEMPT_SECONDS * 1_000,
    sessionId,
  }
  try {
    const url = await provider.authorizationUrl(toAttempt(deps, caller, stored))
    const value = deps.secrets
      .seal('oauth', OAUTH_COOKIE, JSON.stringify(stored))
      .toString('base64url')
    const cookie = { name: OAUTH_COOKIE, value, maxAgeSeconds: ATTEMPT_SECONDS }
    return { redirect: url.href, cookies: [cookie] }
  } catch (error) {
    throw toRefusal(deps, error, provider)
  }
}

async function callback(deps: Deps, caller: Caller, id: string, query: CallbackQuery) {
  const provider = getProvider(deps, id)
  const stored = readCookie(deps, caller)
  const attempt = stored && toAttempt(deps, caller, stored)
  const isOurs =
    attempt !== null && stored?.provider === id && isSame(query.state ?? '', attempt.state)
  if (!isOurs || !(await takeOnce(deps, attempt.state))) throw stateMismatch(provider)
  if (query.error !== undefined || query.code === undefined) throw providerRefused(provider)
  try {
    const identity = await provider.identify(callbackUrl(attempt, query), attempt)
    if (stored.sessionId !== null) {
      if (caller.session?.id !== stored.sessionId) throw stateMismatch(provider)
      await deps.identities.link(caller, caller.session.userId, provider, identity)
      return back(stored.returnPath)
    }
    const userId = await deps.identities.signIn(caller, provider, identity)
    return await signInBack(deps, caller, userId, id, stored.returnPath)
  } catch (error) {
    throw toRefusal(deps, error, provider)
  }
}

async function signInBack(
  deps: Deps,
  caller: Caller,
  userId: string,
  method: string,
  returnPath: string,
): Promise<Reply<undefined>> {
  const reply = await enter(deps, caller, userId, method)
  const needsCode = 'data' in reply && reply.data.twoFactorRequired
  const codePath = `${TWO_FACTOR_PATH}?redirect=${encodeURIComponent(returnPath)}`
  return back(needsCode ? codePath : returnPath, reply.cookies)
}

/** False for a repeated callback, whose code the provider has voided as well. */
async function takeOnce({ systemSql, clock }: Deps, state: string): Promise<boolean> {
  const nowMs = clock()
  await systemSql`delete from used_callbacks where expires_at <= ${new Date(nowMs)}`
  const taken = await systemSql`
    insert into used_callbacks (state_hash, expires_at)
    values (${hashToken(state)}, ${new Date(nowMs + ATTEMPT_SECONDS * 1_000)})
    on conflict do nothing returning 1`
  return taken.length === 1
}

function readCookie({ secrets, clock }: Deps, caller: Caller): StoredAttempt | null {
  const cookie = caller.cookies[OAUTH_COOKIE]
  if (cookie === undefined) return null
  try {
    const text = secrets.open('oauth', OAUTH_COOKIE, Buffer.from(cookie, 'base64url'))
    const stored = JSON.parse(text) as StoredAttempt
    return stored.expiresAtMs > clock() ? stored : null
  } catch {
    return null
  }
}

function toAttempt({ publicUrl }: Deps, caller: Caller, stored: StoredAttempt): Attempt {
  const derive = (purpose: string) =>
    createHmac('sha256', stored.random).update(purpose).digest('base64url')
  const origin = publicUrl ?? caller.origin
  return {
    state: derive('state'),
    nonce: derive('nonce'),
    codeVerifier: derive('code_verifier'),
    redirectUri: `${origin}/v1/auth/callback/${stored.provider}`,
    mustChoose: stored.sessionId !== null,
  }
}

function getProvider({ providers }: Deps, id: string): Provider {
  const provider = providers.get(id)
  if (!provider)
    throw new ApiError('NOT_FOUND', 'This server has no sign-in provider with this id.')
  return provider
}

function toRefusal({ log }: Deps, error: unknown, provider: Provider): unknown {
  if (!(error instanceof ProviderError)) return error
  const { id, name } = provider
  log.warn({ provider: id, reason: error.message }, 'sign-in with a provider failed')
  if (error.kind === 'refused') return providerRefused(provider)
  if (error.kind === 'invalid')
    return invalid(
      '',
      `The answer of ${name} could not be verified. Start the sign-in again.`,
      'provider_invalid',
    )
  return new ApiError(
    'UNAVAILABLE',
    `${name} is not available right now. Try again in a moment, or sign in another way.`,
    { reason: 'provider_unavailable' },
  )
}

const GONE_COOKIE: Cookie = { name: OAUTH_COOKIE, value: '', maxAgeSeconds: 0 }

function back(path: string, cookies: readonly Cookie[] = []): Reply<undefined> {
  return { redirect: path, cookies: [...cookies, GONE_COOKIE] }
}

function stateMismatch({ name }: Provider): ApiError {
  return invalid(
    'state',
    `This sign-in with ${name} began in another browser, took longer than ten minutes, or has already ended. Start it again.`,
    'state_mismatch',
  )
}

function providerRefused({ name }: Provider): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `${name} refused the sign-in. Start it again, or sign in another way.`,
    { reason: 'provider_refused' },
  )
}

/** Takes only the parameters of the protocol, and the configured host instead of the request's. */
function callbackUrl(attempt: Attempt, query: CallbackQuery): URL {
  const url = new URL(attempt.redirectUri)
  for (const name of ['code', 'state', 'iss'] as const) {
    const value = query[name]
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hashToken(one), hashToken(other))
}
