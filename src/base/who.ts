import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Caller, Session } from './caller.ts'

/** Lowest first: each role may do what the ones before it may. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** What made the request: a person's session, an API key, or the program itself. */
export type Actor = { type: 'user' | 'api_key' | 'system'; id: string }

/**
 * Who asks, in which workspace and as what. Made once per request from a credential, by the
 * gateway alone, and handed to every rule as its first argument.
 */
export type Who = {
  readonly userId: string
  readonly workspaceId: string
  readonly role: Role
  readonly actor: Actor
  /** Scopes of the API key (`links:read`, …); null means everything the role may do. */
  readonly scopes: readonly string[] | null
  readonly requestId: string
  /** Client address and user agent, for the audit log. */
  readonly ip: string | null
  readonly userAgent: string | null
}

/**
 * How `Who` crosses a process border (spec, Authentication 6). This is the only file that reads or
 * writes these headers; what a client sends under these names is removed before anything reads it.
 */
const IDENTITY_HEADERS = ['x-user-id', 'x-workspace-id', 'x-role'] as const
/** What the three do not say (actor, scopes, address, session, …), and the proof of all of it. */
const SEAL_HEADER = 'x-signpost-identity'
const REQUEST_ID_HEADER = 'x-request-id'

/** `v1.<milliseconds>.<base64url of the JSON>.<base64url of the HMAC-SHA256>` */
const SEAL = /^v1\.(\d{13})\.([A-Za-z0-9_-]{2,8192})\.([A-Za-z0-9_-]{43})$/
/** How far two clocks may be apart, and how long a captured request could be sent again. */
const SEAL_LIFE_MS = 60_000
const ID = /^[A-Za-z0-9_-]{1,64}$/
const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/
const SCOPE = /^[a-z0-9*_:-]{1,64}$/
const ORIGIN = /^https?:\/\/[^\s/?#@]{1,300}$/
const DIGEST = /^[A-Za-z0-9_-]{43}$/
const MAX_SCOPES = 100
const MAX_AGENT_CHARS = 512

/** The scheme that `www-authenticate` names when it is the gateway itself that is not believed. */
export const BORDER_CHALLENGE = 'Signpost-Internal'

/** Who calls, as it goes from the gateway's process to the services': all but what a request says itself. */
export type Crossing = Omit<Caller, 'cookies' | 'wantsHtml'>

/** What the proof is bound to beside the identity: a request of another method or address refutes it. */
export type CrossingRequest = Pick<IncomingMessage, 'method' | 'url'>

/** Deletes client-sent identity headers in place. Node has lower-cased the names already. */
export function stripIdentity(headers: IncomingHttpHeaders): void {
  for (const name of IDENTITY_HEADERS) delete headers[name]
  delete headers[SEAL_HEADER]
}

/** SHA-256 of a request's body as the gateway signs it: base64url; null for a request without one. */
export function digestBody(body: Uint8Array | null): string | null {
  return body === null ? null : createHash('sha256').update(body).digest('base64url')
}

/**
 * The headers that carry an identity over the border, good for one method, address and body and for
 * a minute (docs/decisions/0007). Without a `who` the three identity headers are absent.
 * @param token the INTERNAL_TOKEN that both processes hold; it does not travel itself
 * @param bodyDigest what `digestBody` says of the body that is sent with them
 */
export function writeIdentity(
  caller: Crossing,
  request: CrossingRequest,
  token: string,
  nowMs: number,
  bodyDigest: string | null = null,
): Record<string, string> {
  const { who, session } = caller
  const payload = Buffer.from(
    JSON.stringify({
      actor: who?.actor ?? null,
      scopes: who?.scopes ?? null,
      ip: caller.ip || null,
      userAgent: caller.userAgent?.slice(0, MAX_AGENT_CHARS) ?? null,
      origin: caller.origin,
      bodyDigest,
      session: session && { ...session, createdAt: session.createdAt.getTime() },
    }),
  ).toString('base64url')
  const signed: Signed = {
    time: String(nowMs),
    requestId: caller.requestId,
    identity: [who?.userId ?? null, who?.workspaceId ?? null, who?.role ?? null],
    payload,
  }
  const mac = macOf(signed, request, token).toString('base64url')
  const headers: Record<string, string> = {
    [REQUEST_ID_HEADER]: caller.requestId,
    [SEAL_HEADER]: `v1.${signed.time}.${payload}.${mac}`,
  }
  IDENTITY_HEADERS.forEach((name, i) => {
    const value = signed.identity[i] ?? null
    if (value !== null) headers[name] = value
  })
  return headers
}

/** A caller whose proof is right, and the digest that the body of the request must have. */
export type ForwardedIdentity = { caller: Crossing; bodyDigest: string | null }

/**
 * The identity that the gateway wrote, or null when there is none to believe: a header missing or
 * doubled, the proof wrong, older than a minute or for another request, or a field out of shape.
 */
export function readIdentity(
  request: CrossingRequest & Pick<IncomingMessage, 'headersDistinct'>,
  token: string,
  nowMs: number,
): ForwardedIdentity | null {
  const names = [SEAL_HEADER, REQUEST_ID_HEADER, ...IDENTITY_HEADERS]
  const values = names.map((name) => request.headersDistinct[name])
  if (values.some((each) => each !== undefined && each.length !== 1)) return null
  const [seal, requestId, ...identity] = values.map((each) => each?.[0] ?? null)
  const [, time = '', payload = '', mac = ''] = SEAL.exec(seal ?? '') ?? []
  if (time === '' || !REQUEST_ID.test(requestId ?? '')) return null
  const signed: Signed = { time, requestId: requestId!, identity, payload }
  const given = Buffer.from(mac, 'base64url')
  if (!timingSafeEqual(given, macOf(signed, request, token))) return null
  if (Math.abs(nowMs - Number(time)) > SEAL_LIFE_MS) return null
  return parseForwarded(signed)
}

type Signed = {
  time: string
  requestId: string
  /** User, workspace, role: all of them or none. */
  identity: readonly (string | null)[]
  payload: string
}

/** A JSON list has one reading only, so no two sets of fields have the same proof. */
function macOf(signed: Signed, { method, url }: CrossingRequest, token: string): Buffer {
  const { time, requestId, identity, payload } = signed
  const text = JSON.stringify(['v1', time, method, url, requestId, ...identity, payload])
  return createHmac('sha256', token).update(text).digest()
}

/** Each field is checked by its shape, although it is signed. */
function parseForwarded(signed: Signed): ForwardedIdentity | null {
  const fields = parseObject(Buffer.from(signed.payload, 'base64url').toString('utf8'))
  if (fields === null) return null
  const { bodyDigest } = fields
  if (bodyDigest !== null && (typeof bodyDigest !== 'string' || !DIGEST.test(bodyDigest)))
    return null
  const caller = parseCrossing(signed, fields)
  return caller && { caller, bodyDigest }
}

function parseCrossing(
  { requestId, identity }: Signed,
  fields: Record<string, unknown>,
): Crossing | null {
  const { ip, userAgent, origin } = fields
  if (ip !== null && (typeof ip !== 'string' || isIP(ip) === 0)) return null
  if (userAgent !== null && (typeof userAgent !== 'string' || userAgent.length > MAX_AGENT_CHARS))
    return null
  if (typeof origin !== 'string' || !ORIGIN.test(origin)) return null
  const common = { requestId, ip, userAgent }

  const session = parseSession(fields['session'])
  if (session === undefined) return null
  if (identity.every((each) => each === null)) {
    if (fields['actor'] !== null || fields['scopes'] !== null) return null
    return { ...common, origin, session, who: null }
  }
  const [userId, workspaceId, role] = identity
  const actor = parseActor(fields['actor'])
  const scopes = parseScopes(fields['scopes'])
  if (!isId(userId) || !isId(workspaceId) || !isRole(role) || !actor || scopes === undefined)
    return null
  if (actor.type === 'user' && actor.id !== userId) return null
  if (session !== null && (session.userId !== userId || actor.type !== 'user')) return null
  return {
    ...common,
    origin,
    session,
    who: { userId, workspaceId, role, actor, scopes, ...common },
  }
}

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Null for none, undefined for what is no session. */
function parseSession(value: unknown): Session | null | undefined {
  if (value === null) return null
  if (!isObject(value)) return undefined
  const { id, userId, workspaceId, createdAt } = value
  if (!isId(id) || !isId(userId) || (workspaceId !== null && !isId(workspaceId))) return undefined
  if (!Number.isSafeInteger(createdAt)) return undefined
  return { id, userId, workspaceId, createdAt: new Date(createdAt as number) }
}

/** `system` is the program itself, which makes no requests. */
function parseActor(value: unknown): Actor | null {
  if (!isObject(value)) return null
  const { type, id } = value
  return (type === 'user' || type === 'api_key') && isId(id) ? { type, id } : null
}

function parseScopes(value: unknown): string[] | null | undefined {
  if (value === null) return null
  const isList = Array.isArray(value) && value.length <= MAX_SCOPES
  return isList && value.every((each) => typeof each === 'string' && SCOPE.test(each))
    ? value
    : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

function isRole(value: unknown): value is Role {
  return ROLES.includes(value as Role)
}

export function roleAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** True when the key's scopes cover `needed` (`links:read`); `links:write` covers `links:read`. */
export function scopeCovers(scopes: readonly string[] | null, needed: string): boolean {
  if (scopes === null) return true
  const [resource, verb] = needed.split(':')
  return scopes.some(
    (scope) =>
      scope === '*' ||
      scope === needed ||
      (verb === 'read' && (scope === '*:read' || scope === `${resource}:write`)),
  )
}
