import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Caller, Session } from '../base/caller.ts'
import { ROLES, type Actor, type Role } from '../base/who.ts'

/**
 * Headers that carry an identity from the gateway's process to the services (spec, Authentication 6).
 * Only this file reads or writes them; headers of these names that a client sends are removed first.
 */
const IDENTITY_HEADERS = ['x-user-id', 'x-workspace-id', 'x-role'] as const
/** The other fields of the identity (actor, scopes, address, session, …), and the signature of all of them. */
const SEAL_HEADER = 'x-signpost-identity'
const REQUEST_ID_HEADER = 'x-request-id'

/** `v1.<milliseconds>.<base64url of the JSON>.<base64url of the HMAC-SHA256>` */
const SEAL = /^v1\.(\d{13})\.([A-Za-z0-9_-]{2,8192})\.([A-Za-z0-9_-]{43})$/
/** The largest difference between two clocks, and the time in which a captured request could be replayed. */
const SEAL_LIFE_MS = 60_000
const ID = /^[A-Za-z0-9_-]{1,64}$/
const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/
const SCOPE = /^[a-z0-9*_:-]{1,64}$/
const ORIGIN = /^https?:\/\/[^\s/?#@]{1,300}$/
const DIGEST = /^[A-Za-z0-9_-]{43}$/
const MAX_SCOPES = 100
const MAX_AGENT_CHARS = 512

/** The `www-authenticate` scheme of services that do not accept the gateway itself. */
export const BOUNDARY_CHALLENGE = 'Signpost-Internal'

/** The identity as it is sent to the services; the other two fields are in headers of the request itself. */
export type ForwardedIdentity = Omit<Caller, 'cookies' | 'wantsHtml'>

/** Method and address are part of the signature, so that it is void for any other request. */
export type SignedRequest = Pick<IncomingMessage, 'method' | 'url'>

/** Deletes identity headers that a client has sent. Node has lower-cased the names already. */
export function stripIdentity(headers: IncomingHttpHeaders): void {
  for (const name of IDENTITY_HEADERS) delete headers[name]
  delete headers[SEAL_HEADER]
}

/** SHA-256 of a request's body as base64url; null for a request without one. */
export function digestBody(body: Uint8Array | null): string | null {
  return body === null ? null : createHash('sha256').update(body).digest('base64url')
}

/**
 * The headers of an identity, valid for one method, address and body and for a minute
 * (docs/decisions/0007). Without a `who` the three identity headers are absent.
 * @param token the INTERNAL_TOKEN of both processes; it is not sent
 */
export function writeIdentity(
  caller: ForwardedIdentity,
  request: SignedRequest,
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
  const mac = computeMac(signed, request, token).toString('base64url')
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

/** An identity with a valid signature, and the digest that the body of the request must have. */
export type VerifiedIdentity = { caller: ForwardedIdentity; bodyDigest: string | null }

/**
 * The identity that the gateway wrote. Null when a header is missing or doubled, when the signature is
 * wrong, older than a minute or of another request, and when a field has the wrong shape.
 */
export function readIdentity(
  request: SignedRequest & Pick<IncomingMessage, 'headersDistinct'>,
  token: string,
  nowMs: number,
): VerifiedIdentity | null {
  const names = [SEAL_HEADER, REQUEST_ID_HEADER, ...IDENTITY_HEADERS]
  const values = names.map((name) => request.headersDistinct[name])
  if (values.some((value) => value !== undefined && value.length !== 1)) return null
  const [seal, requestId, ...identity] = values.map((value) => value?.[0] ?? null)
  const [, time = '', payload = '', mac = ''] = SEAL.exec(seal ?? '') ?? []
  if (time === '' || !REQUEST_ID.test(requestId ?? '')) return null
  const signed: Signed = { time, requestId: requestId!, identity, payload }
  if (!timingSafeEqual(Buffer.from(mac, 'base64url'), computeMac(signed, request, token)))
    return null
  if (Math.abs(nowMs - Number(time)) > SEAL_LIFE_MS) return null
  return parseVerified(signed)
}

type Signed = {
  time: string
  requestId: string
  /** User, workspace, role: all of them or none. */
  identity: readonly (string | null)[]
  payload: string
}

/** A JSON list has one reading only, so no two sets of fields have the same signature. */
function computeMac(signed: Signed, { method, url }: SignedRequest, token: string): Buffer {
  const { time, requestId, identity, payload } = signed
  const text = JSON.stringify(['v1', time, method, url, requestId, ...identity, payload])
  return createHmac('sha256', token).update(text).digest()
}

/** Checks the shape of each field, although all of them are signed. */
function parseVerified(signed: Signed): VerifiedIdentity | null {
  const fields = parseObject(Buffer.from(signed.payload, 'base64url').toString('utf8'))
  if (fields === null) return null
  const { bodyDigest } = fields
  if (bodyDigest !== null && !isText(bodyDigest, DIGEST)) return null
  const caller = parseCaller(signed, fields)
  return caller && { caller, bodyDigest }
}

function parseCaller(
  { requestId, identity }: Signed,
  fields: Record<string, unknown>,
): ForwardedIdentity | null {
  const { ip, userAgent, origin } = fields
  if (ip !== null && (typeof ip !== 'string' || isIP(ip) === 0)) return null
  if (userAgent !== null && (typeof userAgent !== 'string' || userAgent.length > MAX_AGENT_CHARS))
    return null
  if (!isText(origin, ORIGIN)) return null
  const common = { requestId, ip, userAgent }

  const session = parseSession(fields['session'])
  if (session === undefined) return null
  if (identity.every((value) => value === null)) {
    if (fields['actor'] !== null || fields['scopes'] !== null) return null
    return { ...common, origin, session, who: null }
  }
  const [userId, workspaceId, role] = identity
  const actor = parseActor(fields['actor'])
  const scopes = parseScopes(fields['scopes'])
  if (!isText(userId, ID) || !isText(workspaceId, ID) || !isRole(role)) return null
  if (!actor || scopes === undefined) return null
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

/** Undefined for a value that is not a session. */
function parseSession(value: unknown): Session | null | undefined {
  if (value === null) return null
  if (!isObject(value)) return undefined
  const { id, userId, workspaceId, createdAt } = value
  if (!isText(id, ID) || !isText(userId, ID)) return undefined
  if (workspaceId !== null && !isText(workspaceId, ID)) return undefined
  if (!Number.isSafeInteger(createdAt)) return undefined
  return { id, userId, workspaceId, createdAt: new Date(createdAt as number) }
}

/** The actor `system` sends no requests. */
function parseActor(value: unknown): Actor | null {
  if (!isObject(value)) return null
  const { type, id } = value
  return (type === 'user' || type === 'api_key') && isText(id, ID) ? { type, id } : null
}

/** Undefined for a value that is not a list of scopes. */
function parseScopes(value: unknown): string[] | null | undefined {
  if (value === null) return null
  const isList = Array.isArray(value) && value.length <= MAX_SCOPES
  return isList && value.every((scope) => isText(scope, SCOPE)) ? value : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

function isRole(value: unknown): value is Role {
  return ROLES.includes(value as Role)
}
