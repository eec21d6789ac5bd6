import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Caller, Cookie } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Reply } from '../../base/route.ts'
import type { Secrets } from '../../base/secrets.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import type { Identities } from './identities.ts'
import { hashToken } from '../../base/token.ts'
import { requireFresh } from './users.ts'
import { ProviderError, type Attempt, type Provider } from './providers.ts'
import { returnPathOf } from './return-path.ts'
import { sessionOf, type CompleteSignIn, type TwoFactor } from './two-factor.ts'

/**
 * Signing in with a provider, and linking its account to a signed-in person:
 *
 *   start ──a sealed cookie, and off to the provider──▶ away
 *   away ──callback in the same browser, within ten minutes, once──▶ identified ──▶ signed in
 *     └──anything else──▶ an error that says so (a page, for a browser); nothing has changed
 *
 * The cookie is all there is of an attempt, so that starting one writes nothing. State, nonce and
 * PKCE verifier are derived from a random value in it.
 */
export const OAUTH_COOKIE = 'signpost_oauth'

const ATTEMPT_SECONDS = 600
/** The page that asks for the code of the second factor. */
const TWO_FACTOR_PATH = '/v1/auth/two-factor/verify'

type Deps<SignedIn> = {
  /** Of the worker role. */
  sql: SystemSql
  clock: Clock
  log: Pick<Log, 'warn'>
  secrets: Pick<Secrets, 'seal' | 'open'>
  providers: ReadonlyMap<string, Provider>
  identities: Identities
  twoFactor: Pick<TwoFactor<SignedIn>, 'isEnabled' | 'begin'>
  completeSignIn: CompleteSignIn<SignedIn>
  /** PUBLIC_URL; null: where the browser says it is. */
  publicOrigin: () => string | null
}

/** What the cookie holds, sealed. */
type Kept = {
  provider: string
  random: string
  returnPath: string
  expiresAtMs: number
  /** The session that links an account; null: a sign-in. */
  sessionId: string | null
}

export type CallbackQuery = {
  code?: string
  state?: string
  iss?: string
  error?: string
}

/** The provider's address, and the cookie that the browser comes back with. */
export type Departure = { redirect: string; cookies: readonly Cookie[] }

/** Refusals are ApiErrors whose details say why: `{reason}`, or the code of what is not valid. */
export type Social = {
  list(): Reply<{ id: string; name: string }[]>
  start(caller: Caller, provider: string, redirect?: string): Promise<Departure>
  startLink(caller: Caller, provider: string, redirect?: string): Promise<Departure>
  callback(caller: Caller, provider: string, query: CallbackQuery): Promise<Reply<undefined>>
}

export function createSocial<SignedIn>(deps: Deps<SignedIn>): Social {
  const { sql, clock, providers } = deps

  function list() {
    return { data: Array.from(providers.values(), ({ id, name }) => ({ id, name })) }
  }

  async function start(caller: Caller, id: string, redirect?: string) {
    return leave(caller, providerOf(id), redirect, null)
  }

  async function startLink(caller: Caller, id: string, redirect?: string) {
    const provider = providerOf(id)
    const session = sessionOf(caller)
    requireFresh(session, clock())
    return leave(caller, provider, redirect, session.id)
  }

  async function leave(
    caller: Caller,
    provider: Provider,
    redirect: string | undefined,
    sessionId: string | null,
  ): Promise<Departure> {
    const kept: Kept = {
      provider: provider.id,
      random: randomBytes(32).toString('base64url'),
      returnPath: returnPathOf(redirect),
      expiresAtMs: clock() + ATTEMPT_SECONDS * 1_000,
      sessionId,
    }
    try {
      const url = await provider.authorizationUrl(attemptOf(caller, kept))
      const value = deps.secrets
        .seal('oauth', OAUTH_COOKIE, JSON.stringify(kept))
        .toString('base64url')
      const cookie = { name: OAUTH_COOKIE, value, maxAgeSeconds: ATTEMPT_SECONDS }
      return { redirect: url.href, cookies: [cookie] }
    } catch (error) {
      throw refusalOf(error, provider)
    }
  }

  async function callback(
    caller: Caller,
    id: string,
    query: CallbackQuery,
  ): Promise<Reply<undefined>> {
    const provider = providerOf(id)
    const kept = readCookie(caller)
    const attempt = kept && attemptOf(caller, kept)
    const isOurs =
      attempt !== null && kept?.provider === id && isSame(query.state ?? '', attempt.state)
    if (!isOurs || !(await takeOnce(attempt.state))) throw stateMismatch(provider)
    if (query.error !== undefined || query.code === undefined) throw providerRefused(provider)
    try {
      const identity = await provider.identify(callbackUrl(attempt, query), attempt)
      if (kept.sessionId !== null) {
        if (caller.session?.id !== kept.sessionId) throw stateMismatch(provider)
        await deps.identities.link(caller, caller.session.userId, provider, identity)
        return back(kept.returnPath)
      }
      const userId = await deps.identities.signIn(caller, provider, identity)
      return await enter(caller, userId, id, kept.returnPath)
    } catch (error) {
      throw refusalOf(error, provider)
    }
  }

  async function enter(caller: Caller, userId: string, method: string, returnPath: string) {
    if (await deps.twoFactor.isEnabled(userId)) {
      const { cookies } = await deps.twoFactor.begin(caller, userId, method)
      return back(`${TWO_FACTOR_PATH}?redirect=${encodeURIComponent(returnPath)}`, cookies)
    }
    const reply = await deps.completeSignIn(caller, userId, method)
    return back(returnPath, reply.cookies)
  }

  /** False for a callback that was answered before; the code is void at the provider as well. */
  async function takeOnce(state: string): Promise<boolean> {
    const nowMs = clock()
    await sql`delete from used_callbacks where expires_at <= ${new Date(nowMs)}`
    const taken = await sql`
      insert into used_callbacks (state_hash, expires_at)
      values (${hashToken(state)}, ${new Date(nowMs + ATTEMPT_SECONDS * 1_000)})
      on conflict do nothing returning 1`
    return taken.length === 1
  }

  function readCookie(caller: Caller): Kept | null {
    const cookie = caller.cookies[OAUTH_COOKIE]
    if (cookie === undefined) return null
    try {
      const text = deps.secrets.open('oauth', OAUTH_COOKIE, Buffer.from(cookie, 'base64url'))
      const kept = JSON.parse(text) as Kept
      return kept.expiresAtMs > clock() ? kept : null
    } catch {
      return null
    }
  }

  function attemptOf(caller: Caller, kept: Kept): Attempt {
    const derive = (purpose: string) =>
      createHmac('sha256', kept.random).update(purpose).digest('base64url')
    const origin = deps.publicOrigin() ?? caller.origin
    return {
      state: derive('state'),
      nonce: derive('nonce'),
      codeVerifier: derive('code_verifier'),
      redirectUri: `${origin}/v1/auth/callback/${kept.provider}`,
      chooses: kept.sessionId !== null,
    }
  }

  /** @throws ApiError NOT_FOUND */
  function providerOf(id: string): Provider {
    const provider = providers.get(id)
    if (!provider) throw new ApiError('NOT_FOUND', 'There is no such sign-in provider.')
    return provider
  }

  function refusalOf(error: unknown, provider: Provider): unknown {
    if (!(error instanceof ProviderError)) return error
    const { id, name } = provider
    deps.log.warn({ provider: id, reason: error.message }, 'sign-in with a provider failed')
    if (error.kind === 'refused') return providerRefused(provider)
    if (error.kind === 'invalid')
      return invalid(
        '',
        `The answer of ${name} could not be verified. Start again.`,
        'provider_invalid',
      )
    return new ApiError(
      'UNAVAILABLE',
      `${name} cannot be used right now. Try again in a moment, or sign in another way.`,
      { reason: 'provider_unavailable' },
    )
  }

  return { list, start, startLink, callback }
}

const goneCookie = { name: OAUTH_COOKIE, value: '', maxAgeSeconds: 0 }

function back(path: string, cookies: readonly Cookie[] = []): Reply<undefined> {
  return { redirect: path, cookies: [...cookies, goneCookie] }
}

function stateMismatch({ name }: Provider): ApiError {
  return invalid(
    'state',
    `This sign-in with ${name} did not begin in this browser, took longer than ten minutes, or is over already. Start again.`,
    'state_mismatch',
  )
}

function providerRefused({ name }: Provider): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `${name} did not let the sign-in through. Start again, or sign in another way.`,
    { reason: 'provider_refused' },
  )
}

/** Only what the protocol reads; the host is the configured one, whatever the request said. */
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
