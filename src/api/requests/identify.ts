import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { findLanguage } from '../../platform/facts/languages.ts'
import { isWithin, parseRange, networkOf } from '../../platform/facts/ip-address.ts'
import type { Caller, KeyHolder, Membership, SessionHolder } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Requirements } from '../../platform/routes/route.ts'
import { addressOf, loggedPath } from '../../platform/http/request.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { isWrite, readCookies, wantsHtml, type Browser } from './browser.ts'
import type { Limits } from './rates.ts'
import type { RefusedKeys } from './refused-keys.ts'
import type { RequestTimeout } from './bounds.ts'

/** Null for an invalid credential. A remembered one is returned without a promise. */
export type Credentials = {
  key(token: string): KeyHolder | null | Promise<KeyHolder | null>
  session(
    token: string,
    wantedWorkspace: string | null,
  ): SessionHolder | null | Promise<SessionHolder | null>
  /** Notes the use; not awaited. */
  used(holder: KeyHolder, ip: string | null): void
  sessionUsed(holder: SessionHolder): void
  forgetSession(id: string): void
}

export type IdentifyDeps = {
  credentials: Credentials
  timeout: RequestTimeout
  /** Not awaited. */
  noteRefusedKey: RefusedKeys['note']
  clientAddress: (
    peer: string | undefined,
    headers: { 'x-forwarded-for'?: string | string[] | undefined },
  ) => string
  browser: Browser
  limits: Limits
}

export type Identified = { caller: Caller; membership: Membership | null }

/** RFC 6750; the scheme is not case-sensitive. */
const BEARER = /^Bearer +([^\s]{1,256})$/i
const SESSION_COOKIE = 'signpost_session'
const MAX_TOKEN_CHARS = 256
const MAX_WORKSPACE_CHARS = 64
/** A credential has no owner before it is found, so all look-ups share one. */
const LOOKUP_OWNER = 'credentials'

function toAnonymous(deps: IdentifyDeps, request: FastifyRequest): Caller {
  const { headers } = request
  const origin = deps.browser.getOrigin(request)
  return {
    requestId: request.id,
    ip: getAddress(deps, request) || null,
    userAgent: headers['user-agent']?.slice(0, 512) ?? null,
    origin,
    wantsHtml: wantsHtml(headers),
    language: findLanguage(headers['accept-language']),
    ...(deps.browser.isOnThisMachine(request) && { isOnThisMachine: true }),
    cookies: readCookies(headers.cookie, origin),
    session: null,
    principal: null,
  }
}

export function getAddress(deps: IdentifyDeps, { raw, headers }: FastifyRequest): string {
  return deps.clientAddress(addressOf(raw), { 'x-forwarded-for': headers['x-forwarded-for'] })
}

/**
 * A public route only reads the session, and ignores an invalid one.
 * @throws ApiError UNAUTHORIZED; FORBIDDEN for a key from an address that it does not allow; RATE_LIMITED
 */
export async function identify(
  deps: IdentifyDeps,
  request: FastifyRequest,
  requires: Requirements,
): Promise<Identified> {
  const anonymous = toAnonymous(deps, request)
  const isPublic = requires.credential === 'none'
  const token = isPublic ? null : readBearer(request)
  if (token !== null) return fromKey(anonymous, await checkKey(deps, request, token, anonymous))
  const cookie = anonymous.cookies[SESSION_COOKIE]
  if (cookie === undefined || cookie === '') return { caller: anonymous, membership: null }
  const wanted = isPublic ? null : readWantedWorkspace(request)
  const holder =
    cookie.length > MAX_TOKEN_CHARS
      ? null
      : await lookUp(deps, deps.credentials.session(cookie, wanted))
  if (holder) {
    deps.credentials.sessionUsed(holder)
    return fromSession(anonymous, holder, wanted)
  }
  if (isPublic || isSessionOptional(request, requires))
    return { caller: anonymous, membership: null }
  return refuse(deps, anonymous, 'The session has ended. Sign in again.')
}

async function checkKey(
  deps: IdentifyDeps,
  { method, url }: FastifyRequest,
  token: string,
  caller: Caller,
): Promise<KeyHolder> {
  const { credentials, limits } = deps
  const holder = token === '' ? null : await lookUp(deps, credentials.key(token))
  if (!holder) return refuse(deps, caller, 'The API key is not valid.')
  if (!isAllowedAddress(holder.ipAllowlist, caller.ip)) {
    await limits.countRefusal(networkOf(caller.ip ?? ''))
    const { ip, userAgent, requestId } = caller
    deps.noteRefusedKey(holder, { ip, userAgent, requestId }, { method, path: loggedPath(url) })
    throw new ApiError(
      'FORBIDDEN',
      'This API key may not be used from this address. An admin can change its ipAllowlist.',
    )
  }
  credentials.used(holder, caller.ip)
  return holder
}

async function refuse({ limits }: IdentifyDeps, { ip }: Caller, message: string): Promise<never> {
  await limits.countRefusal(networkOf(ip ?? ''))
  throw new ApiError('UNAUTHORIZED', message)
}

function lookUp<T>({ timeout }: IdentifyDeps, found: T | Promise<T>): T | Promise<T> {
  return found instanceof Promise ? timeout(LOOKUP_OWNER, undefined, () => found) : found
}

function fromKey(caller: Caller, holder: KeyHolder): Identified {
  const { userId, keyId, scopes } = holder
  const principal = toPrincipal(caller, holder, {
    userId,
    actor: { type: 'api_key', id: keyId },
    scopes,
  })
  return { caller: { ...caller, principal }, membership: holder }
}

function fromSession(
  caller: Caller,
  { session, membership: found }: SessionHolder,
  wanted: string | null,
): Identified {
  const { userId } = session
  const membership = found && (wanted === null || found.workspaceId === wanted) ? found : null
  const actor = { type: 'user', id: userId } as const
  const principal = membership && toPrincipal(caller, membership, { userId, actor, scopes: null })
  return { caller: { ...caller, session, principal }, membership }
}

function toPrincipal(
  { requestId, ip, userAgent }: Caller,
  { workspaceId, role }: Membership,
  { userId, actor, scopes }: Pick<Principal, 'userId' | 'actor' | 'scopes'>,
): Principal {
  return { userId, workspaceId, role, actor, scopes, requestId, ip, userAgent }
}

/** Null without the header; '' for anything but one bearer token. */
function readBearer({ raw }: FastifyRequest): string | null {
  const { authorization } = raw.headers
  if (authorization === undefined) return null
  // node:http keeps the first of several headers and drops the others.
  let headers = 0
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const name = raw.rawHeaders[i]!
    if (name.length === 13 && name.toLowerCase() === 'authorization') headers++
  }
  return headers > 1 ? '' : (BEARER.exec(authorization)?.[1] ?? '')
}

export function isSessionOptional(request: FastifyRequest, { optionalBy }: Requirements): boolean {
  return optionalBy !== undefined && toQuery(request)[optionalBy] === 'true'
}

function readWantedWorkspace(request: FastifyRequest): string | null {
  const { header, query } = readNamedWorkspaces(request)
  return header ?? query
}

/**
 * A read may name its workspace in its query: a browser adds no header to a download, an image or a link. A longer
 * name than any id is cut, and matches no workspace.
 */
export function readNamedWorkspaces(request: FastifyRequest) {
  return {
    header: toName(request.headers['x-signpost-workspace']),
    query: isWrite(request) ? null : toName(toQuery(request)['workspaceId']),
  }
}

function toName(value: Text): string | null {
  return value === undefined ? null : String(value).slice(0, MAX_WORKSPACE_CHARS)
}

type Text = string | string[] | undefined

function toQuery({ query }: FastifyRequest): Record<string, Text> {
  return query as Record<string, Text>
}

/** A remembered key has the same list every time. */
const verdicts = new WeakMap<string[], Map<string, boolean>>()
const MAX_VERDICTS = 1_000

/** Exported for tests. An entry that is not a range allows no address. */
export function isAllowedAddress(allowed: string[], ip: string | null): boolean {
  if (allowed.length === 0) return true
  if (ip === null) return false
  let known = verdicts.get(allowed)
  if (!known || known.size >= MAX_VERDICTS) verdicts.set(allowed, (known = new Map()))
  let verdict = known.get(ip)
  if (verdict === undefined) known.set(ip, (verdict = isInRange(allowed, ip)))
  return verdict
}

function isInRange(allowed: string[], ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const ranges = allowed.map(parseRange).filter((range) => range !== null)
  return isWithin(ipaddr.process(ip), ranges)
}
