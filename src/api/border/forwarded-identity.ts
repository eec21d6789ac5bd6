import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Ajv, type ValidateFunction } from 'ajv'
import { Type, type Static, type TSchema } from 'typebox'
import type { Caller } from '../../platform/routes/caller.ts'
import { ROLES, type Role } from '../../platform/routes/principal.ts'

/** Carry an identity from the gateway to the services. Those that a client sends are removed first. */
const IDENTITY_HEADERS = ['x-user-id', 'x-workspace-id', 'x-role'] as const
/** The other fields of the identity, and the signature of all of them. */
const SEAL_HEADER = 'x-signpost-identity'
const REQUEST_ID_HEADER = 'x-request-id'

/** `v1.<milliseconds>.<JSON>.<HMAC-SHA256>`, both in base64url. */
const SEAL = /^v1\.(\d{13})\.([A-Za-z0-9_-]{2,8192})\.([A-Za-z0-9_-]{43})$/
/** The largest difference between two clocks, and the time in which a captured request could be replayed. */
const SEAL_LIFE_MS = 60_000
const ID = /^[A-Za-z0-9_-]{1,64}$/
const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/
const MAX_AGENT_CHARS = 512
const MAX_TIME_MS = 8_640_000_000_000_000

const orNull = <S extends TSchema>(shape: S) => Type.Union([shape, Type.Null()])
const Id = Type.String({ pattern: ID.source })

const SEALED = Type.Object({
  actor: orNull(
    Type.Object({ type: Type.Union([Type.Literal('user'), Type.Literal('api_key')]), id: Id }),
  ),
  scopes: orNull(Type.Array(Type.String({ pattern: '^[a-z0-9*_:-]{1,64}$' }), { maxItems: 100 })),
  ip: orNull(Type.String()),
  userAgent: orNull(Type.String({ maxLength: MAX_AGENT_CHARS })),
  origin: Type.String({ pattern: '^https?://[^\\s/?#@]{1,300}$' }),
  bodyDigest: orNull(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
  isBodyWithheld: Type.Optional(Type.Literal(true)),
  session: orNull(
    Type.Object({
      id: Id,
      userId: Id,
      workspaceId: orNull(Id),
      createdAt: Type.Integer({ minimum: -MAX_TIME_MS, maximum: MAX_TIME_MS }),
    }),
  ),
})

/** Compiled at the first identity, since a process with every role receives none. */
let isSealed: ValidateFunction<Static<typeof SEALED>> | undefined

/** Services answer with it when they do not accept the gateway itself. */
export const BOUNDARY_CHALLENGE = 'Signpost-Internal'

/** The other fields follow from headers of the request itself. */
export type ForwardedIdentity = Omit<
  Caller,
  'cookies' | 'wantsHtml' | 'language' | 'isOnThisMachine'
>

/** Signed with the identity, so that it is void for any other request. */
export type SignedRequest = Pick<IncomingMessage, 'method' | 'url'>

type SignedBody = {
  bodyDigest: string | null
  /** The gateway left the body unread, because it is larger than the route allows. */
  isBodyWithheld: boolean
}

export function stripIdentity(headers: IncomingHttpHeaders): void {
  for (const name of IDENTITY_HEADERS) delete headers[name]
  delete headers[SEAL_HEADER]
}

export function digestBody(body: Uint8Array | null): string | null {
  return body === null ? null : createHash('sha256').update(body).digest('base64url')
}

/** Valid for one method, address and body, and for a minute (docs/decisions/0010). */
export function writeIdentity(
  caller: ForwardedIdentity,
  request: SignedRequest,
  token: string,
  nowMs: number,
  { bodyDigest = null, isBodyWithheld = false }: Partial<SignedBody> = {},
): Record<string, string> {
  const { principal, session } = caller
  const payload = Buffer.from(
    JSON.stringify({
      actor: principal?.actor ?? null,
      scopes: principal?.scopes ?? null,
      ip: caller.ip || null,
      userAgent: caller.userAgent?.slice(0, MAX_AGENT_CHARS) ?? null,
      origin: caller.origin,
      bodyDigest,
      ...(isBodyWithheld && { isBodyWithheld }),
      session: session && { ...session, createdAt: session.createdAt.getTime() },
    }),
  ).toString('base64url')
  const signed: Signed = {
    time: String(nowMs),
    requestId: caller.requestId,
    identity: [principal?.userId ?? null, principal?.workspaceId ?? null, principal?.role ?? null],
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

export type VerifiedIdentity = SignedBody & { caller: ForwardedIdentity }

/** Null when a header is missing or doubled, when the signature is wrong, older than a minute or of another request. */
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
  identity: readonly (string | null)[]
  payload: string
}

/** A JSON list can be read in one way only, so no two sets of fields share a signature. */
function computeMac(signed: Signed, { method, url }: SignedRequest, token: string): Buffer {
  const { time, requestId, identity, payload } = signed
  const text = JSON.stringify(['v1', time, method, url, requestId, ...identity, payload])
  return createHmac('sha256', token).update(text).digest()
}

/** Checks every field although all are signed. */
function parseVerified({ requestId, identity, payload }: Signed): VerifiedIdentity | null {
  const fields = parseJson(Buffer.from(payload, 'base64url').toString('utf8'))
  isSealed ??= new Ajv().compile<Static<typeof SEALED>>(SEALED)
  if (!isSealed(fields)) return null
  const { actor, scopes, ip, userAgent, origin, bodyDigest, isBodyWithheld = false } = fields
  const body: SignedBody = { bodyDigest, isBodyWithheld }
  if (ip !== null && isIP(ip) === 0) return null
  const session = fields.session && {
    ...fields.session,
    createdAt: new Date(fields.session.createdAt),
  }
  const source = { requestId, ip, userAgent }
  if (identity.every((value) => value === null)) {
    if (actor !== null || scopes !== null) return null
    return { caller: { ...source, origin, session, principal: null }, ...body }
  }
  const [userId, workspaceId, role] = identity
  if (!isId(userId) || !isId(workspaceId) || !isRole(role) || !actor) return null
  if (actor.type === 'user' && actor.id !== userId) return null
  if (session !== null && (session.userId !== userId || actor.type !== 'user')) return null
  const principal = { userId, workspaceId, role, actor, scopes, ...source }
  return { caller: { ...source, origin, session, principal }, ...body }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

function isRole(value: unknown): value is Role {
  return ROLES.includes(value as Role)
}
