import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Session } from '../base/caller.ts'
import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Route } from '../base/route.ts'
import { roleAtLeast, scopeCovers, type Role, type Who } from '../base/who.ts'
import { networkOf } from '../facts/network.ts'
import { cookiesOf } from './browser.ts'
import { loggedPath } from './logged-path.ts'
import type { Limits, Rates } from './rates.ts'
import type { AskedOf } from './refused-keys.ts'

/** What a workspace says about the credentials in it. */
type Place = {
  workspaceId: string
  role: Role
  plan: string
  /** The operator's own rate limit for the workspace. */
  apiRequestsPerMinute: number | null
  isSuspended: boolean
}

/** What a valid API key says about its bearer. */
export type KeyHolder = Place & {
  keyId: string
  userId: string
  scopes: string[] | null
  /** CIDR ranges; empty: any address. */
  ipAllowlist: string[]
}

/** What a valid session says about its bearer; no membership: not in the wanted workspace, or in none. */
export type SessionHolder = { session: Session; membership: Place | null }

/** What is remembered is there at once. */
type Soon<T> = T | Promise<T>

/** Who checks credentials; answers null for what is not valid. */
export type Credentials<Key extends KeyHolder = KeyHolder> = {
  key(token: string): Soon<Key | null>
  session(token: string, wantedWorkspace: string | null): Soon<SessionHolder | null>
  /** A key was used; not waited for. */
  used(holder: Key, ip: string | null): void
}

/** Where a request comes from. */
export type Source = { ip: string | null; userAgent: string | null; requestId: string }

export type IdentityDeps<Key extends KeyHolder = KeyHolder> = {
  credentials: Credentials<Key>
  /** A key came from an address that it does not allow; not waited for. */
  onIpDenied: (holder: Key, source: Source, asked: AskedOf) => void
  /** The rate limit that a plan has instead of the installation's. */
  planRequestsPerMinute?: (plan: string) => number | null
  /** Client address of a request, believing only trusted proxies. */
  clientAddress: (
    peer: string | undefined,
    headers: { 'x-forwarded-for'?: string | string[] | undefined },
  ) => string
  limits: Limits
  clock: Clock
  log: Log
}

/** A person or a key that sent a request; `place` is null for a person in no workspace. */
export type Known = {
  userId: string
  session: Session | null
  who: Who | null
  place: Place | null
  /** The workspace that the request names with `x-signpost-workspace`. */
  wantedWorkspace: string | null
}

/** RFC 6750; the scheme is not case-sensitive. */
const BEARER = /^Bearer +([^\s]{1,256})$/i
const SESSION_COOKIE = 'signpost_session'
const MAX_TOKEN_CHARS = 256
const MAX_WORKSPACE_CHARS = 64

/** The one place where a request becomes somebody. */
export function createIdentity<Key extends KeyHolder>(deps: IdentityDeps<Key>) {
  const { credentials, limits } = deps

  function sourceOf(request: FastifyRequest): Source {
    const ip = deps.clientAddress(request.socket.remoteAddress, {
      'x-forwarded-for': request.headers['x-forwarded-for'],
    })
    return {
      ip: ip === '' ? null : ip,
      userAgent: request.headers['user-agent']?.slice(0, 512) ?? null,
      requestId: request.id,
    }
  }

  /**
   * Who sent the request: the API key of its Authorization header, else the session of its cookie.
   * Null when it has neither.
   * @throws ApiError UNAUTHORIZED for a credential that is not valid, FORBIDDEN for a key from an
   * address that it does not allow, RATE_LIMITED for one of these from an address that sends too many
   */
  async function identify(
    request: FastifyRequest,
    origin: string,
    source: Source,
  ): Promise<Known | null> {
    const token = bearerOf(request)
    const wanted = wantedOf(request)
    if (token !== null) return ofKey(await checkKey(request, token, source), wanted, source)
    const holder = await checkSession(request, origin, wanted)
    if (holder === undefined) return null
    if (!holder) throw await refusal(source, 'The session is over. Sign in again.')
    return ofSession(holder, wanted, source)
  }

  /** The session of the cookie where none is needed: one that is over is none. */
  async function identifySession(
    request: FastifyRequest,
    origin: string,
    source: Source,
  ): Promise<Known | null> {
    const holder = await checkSession(request, origin, null)
    return holder ? ofSession(holder, null, source) : null
  }

  /** Null for a cookie without a session, undefined without a cookie. */
  async function checkSession(
    request: FastifyRequest,
    origin: string,
    wanted: string | null,
  ): Promise<SessionHolder | null | undefined> {
    const cookie = cookiesOf(request.headers.cookie, origin)[SESSION_COOKIE]
    if (cookie === undefined || cookie === '') return undefined
    return cookie.length > MAX_TOKEN_CHARS ? null : credentials.session(cookie, wanted)
  }

  async function checkKey(request: FastifyRequest, token: string, source: Source): Promise<Key> {
    const found = token === '' ? null : credentials.key(token)
    const holder = found instanceof Promise ? await found : found
    if (!holder) throw await refusal(source, 'The API key is not valid.')
    if (!mayComeFrom(holder.ipAllowlist, source.ip)) {
      await limits.countRefusal(networkOf(source.ip ?? ''))
      const { method, url } = request
      deps.onIpDenied(holder, source, { method, path: loggedPath(url) })
      throw new ApiError('FORBIDDEN', 'This API key may not be used from this address.')
    }
    credentials.used(holder, source.ip)
    return holder
  }

  async function refusal(source: Source, message: string): Promise<ApiError> {
    await limits.countRefusal(networkOf(source.ip ?? ''))
    return new ApiError('UNAUTHORIZED', message)
  }

  /** Counts the request under the key or the person that sent it. @throws ApiError RATE_LIMITED */
  function takeRate(reply: FastifyReply, known: Known, tier: keyof Rates): Promise<void> {
    const { place, who, userId } = known
    const isKey = who?.actor.type === 'api_key'
    const key = isKey ? `key:${who.actor.id}` : `user:${userId}`
    if (tier !== 'api' || !place) return limits.take(reply, tier, key)
    const own = place.apiRequestsPerMinute ?? deps.planRequestsPerMinute?.(place.plan) ?? undefined
    return limits.take(reply, tier, key, own)
  }

  return { sourceOf, identify, identifySession, takeRate }
}

function ofKey(holder: KeyHolder, wanted: string | null, source: Source): Known {
  const { userId, workspaceId, role, scopes } = holder
  const actor = { type: 'api_key', id: holder.keyId } as const
  const who: Who = { userId, workspaceId, role, actor, scopes, ...source }
  return { userId, session: null, who, place: holder, wantedWorkspace: wanted }
}

function ofSession(holder: SessionHolder, wanted: string | null, source: Source): Known {
  const { session, membership } = holder
  const { userId } = session
  const place =
    membership && (wanted === null || membership.workspaceId === wanted) ? membership : null
  const actor = { type: 'user', id: userId } as const
  const who: Who | null = place && {
    userId,
    workspaceId: place.workspaceId,
    role: place.role,
    actor,
    scopes: null,
    ...source,
  }
  return { userId, session, who, place, wantedWorkspace: wanted }
}

/** Null without the header; '' for one that is no single bearer token. */
function bearerOf({ raw }: FastifyRequest): string | null {
  const { authorization } = raw.headers
  if (authorization === undefined) return null
  // node:http keeps the first of several and drops the rest.
  let headers = 0
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const name = raw.rawHeaders[i]!
    if (name.length === 13 && name.toLowerCase() === 'authorization') headers++
  }
  return headers > 1 ? '' : (BEARER.exec(authorization)?.[1] ?? '')
}

/** A name that no workspace can have is a workspace that is not theirs. */
function wantedOf({ headers }: FastifyRequest): string | null {
  const wanted = headers['x-signpost-workspace']
  if (wanted === undefined) return null
  return String(wanted).slice(0, MAX_WORKSPACE_CHARS)
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]
/** Verdicts by list and address: a remembered key has the same list every time. */
const verdicts = new WeakMap<string[], Map<string, boolean>>()
const MAX_VERDICTS = 1_000

/** Exported for its tests. An entry that is no range allows nothing. */
export function mayComeFrom(allowed: string[], ip: string | null): boolean {
  if (allowed.length === 0) return true
  if (ip === null) return false
  let known = verdicts.get(allowed)
  if (!known || known.size >= MAX_VERDICTS) verdicts.set(allowed, (known = new Map()))
  let verdict = known.get(ip)
  if (verdict === undefined) known.set(ip, (verdict = isWithin(allowed, ip)))
  return verdict
}

function isWithin(allowed: string[], ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return allowed
    .flatMap(parseRange)
    .some(
      ([network, bits]) =>
        network.kind() === address.kind() &&
        address.match([network, bits] as [ipaddr.IPv4, number]),
    )
}

function parseRange(text: string): Range[] {
  if (!ipaddr.isValidCIDR(text) && !ipaddr.isValid(text)) return []
  const [network, bits] = text.includes('/')
    ? ipaddr.parseCIDR(text)
    : [ipaddr.parse(text), text.includes(':') ? 128 : 32]
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96)
    return [[network.toIPv4Address(), bits - 96]]
  return [[network, bits]]
}

/**
 * Nothing is done in another workspace than the one that was asked for.
 * @throws ApiError FORBIDDEN
 */
export function refuseOtherWorkspace({ session, place, wantedWorkspace }: Known): void {
  if (wantedWorkspace === null || place?.workspaceId === wantedWorkspace) return
  throw new ApiError(
    'FORBIDDEN',
    session
      ? 'You are not a member of the workspace that x-signpost-workspace names.'
      : 'This API key belongs to another workspace than the one that x-signpost-workspace names.',
  )
}

/** @throws ApiError FORBIDDEN when there is no workspace to act in, or it is suspended */
export function requireWorkspace(known: Known): Who {
  refuseOtherWorkspace(known)
  const { who, place } = known
  if (!who || !place)
    throw new ApiError(
      'FORBIDDEN',
      'You belong to no workspace. Create one or accept an invitation first.',
    )
  if (place.isSuspended) throw new ApiError('FORBIDDEN', 'This workspace is suspended.')
  return who
}

/** @throws ApiError FORBIDDEN when the role, the scope or the kind of credential does not reach. */
export function permit(who: Who, row: Route): void {
  if (row.credential === 'session' && who.actor.type === 'api_key')
    throw new ApiError('FORBIDDEN', 'This needs a session; an API key may not do it.')
  if (!roleAtLeast(who.role, row.access))
    throw new ApiError('FORBIDDEN', `This needs the role ${row.access}.`, {
      requiredRole: row.access,
    })
  if (row.scope !== null && !scopeCovers(who.scopes, row.scope))
    throw new ApiError('FORBIDDEN', `This API key lacks the scope ${row.scope}.`, {
      requiredScope: row.scope,
    })
}
