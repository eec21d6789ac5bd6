import { randomInt } from 'node:crypto'
import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newToken } from '../../platform/core/secrets.ts'
import { requireSession, userActing } from '../../platform/audit/acting.ts'
import type { Dependencies, Limiter } from '../../platform/resources/dependencies.ts'
import { DASHBOARD_PATH } from '../../platform/http/html.ts'
import { foreignId } from '../../platform/resources/ownership.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { scopeCovers, type Principal, type Role } from '../../platform/routes/principal.ts'
import { inTransaction, type SystemSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { addKey, type AddKeyDeps } from '../api-keys/api-keys.ts'
import { normalizeScopes, SCOPES } from '../api-keys/scopes.ts'
import { requireRole } from '../members/membership.ts'
import { checkResource, OAuthError } from './answers.ts'
import {
  CLI_CLIENT,
  findClient,
  mayReturnTo,
  placeOf,
  type ClientsDeps,
  type OAuthClient,
} from './clients.ts'
import type { AllowApp, AppAnswer, AppRequest, AuthorizeQuery, StartDevice } from './schema.ts'

export type RequestsDeps = Pick<Dependencies, 'systemSql' | 'clock'> &
  AddKeyDeps &
  ClientsDeps & {
    /** Of a user who types codes of devices. */
    codeLimiter: Limiter
  }

type Row = {
  id: string
  clientId: string
  appName: string
  scopes: readonly string[]
  redirectUri: string | null
  codeChallenge: string | null
  state: string | null
  deviceHash: Buffer | null
  expiresAt: Date
}

const LIFETIME_MS = 600_000
const CODE_LIFETIME_MS = 60_000
const MAX_REQUESTS = 5_000
/** What an app gets that asks for nothing. */
const DEFAULT_SCOPES = ['*:read']
/** Without vowels, so that a code spells no word (RFC 8628, 6.1): 20^8 codes. */
const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_CHARS = 8
const POLL_SECONDS = 5
const CHALLENGE = /^[\w-]{43}$/

export type AppRequests = ReturnType<typeof createAppRequests>

/** An app or a device asks; a user answers on a page of the dashboard. */
export const createAppRequests = (deps: RequestsDeps) =>
  bindDeps(deps, { authorize, startDevice, read, allow, deny })

/**
 * Shows a page instead of sending an error back to the app: only a user's answer makes the browser leave this server,
 * so that it does not lead strangers' links anywhere (RFC 9700, 4.11.2).
 */
async function authorize(deps: RequestsDeps, { origin }: Caller, query: AuthorizeQuery) {
  const { client_id: clientId, redirect_uri: redirectUri, code_challenge: codeChallenge } = query
  try {
    if (!clientId) throw new OAuthError('invalid_request', 'client_id is missing.')
    const client = await findClient(deps, clientId)
    if (redirectUri === undefined || !mayReturnTo(client, redirectUri))
      throw new OAuthError('invalid_request', 'redirect_uri is not one that the app registered.')
    if (query.response_type !== 'code')
      throw new OAuthError('invalid_request', 'response_type must be code.')
    if (!CHALLENGE.test(codeChallenge ?? '') || query.code_challenge_method !== 'S256')
      throw new OAuthError('invalid_request', 'PKCE with the method S256 is required.')
    checkResource(query.resource, origin)
    const { token: id } = newToken()
    const state = query.state ?? null
    const kept = { redirectUri, codeChallenge: codeChallenge!, state, deviceHash: null }
    await insert(deps, { id, ...askedBy(client, query.scope), ...kept })
    return { redirect: `${DASHBOARD_PATH}allow?request=${id}` }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    throw new ApiError('VALIDATION_ERROR', `This app cannot be connected. ${error.message}`)
  }
}

/** RFC 8628, for the command line alone: anyone else could ask a user to type a code. */
async function startDevice(deps: RequestsDeps, { origin }: Caller, input: StartDevice) {
  if (input.client_id !== CLI_CLIENT.id)
    throw new OAuthError('invalid_client', `client_id must be ${CLI_CLIENT.id}.`)
  const { token: deviceCode, hash } = newToken()
  const id = Array.from(
    { length: CODE_CHARS },
    () => CODE_LETTERS[randomInt(CODE_LETTERS.length)],
  ).join('')
  const none = { redirectUri: null, codeChallenge: null, state: null }
  await insert(deps, { id, ...askedBy(CLI_CLIENT, input.scope), ...none, deviceHash: hash })
  const userCode = `${id.slice(0, 4)}-${id.slice(4)}`
  const page = `${origin}${DASHBOARD_PATH}allow`
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?request=${userCode}`,
    expires_in: LIFETIME_MS / 1_000,
    interval: POLL_SECONDS,
  }
}

/** Scopes that are unknown here, such as `offline_access`, are left out (RFC 6749, 3.3). */
function askedBy({ id, name }: OAuthClient, scope = '') {
  const asked = new Set(scope.split(' '))
  const known = SCOPES.filter((each) => asked.has(each))
  return {
    clientId: id,
    appName: name,
    scopes: known.length > 0 ? spellOut(known) : DEFAULT_SCOPES,
  }
}

/** The page shows either everything, or all reading, or single scopes. */
function spellOut(scopes: readonly string[]): readonly string[] {
  if (scopes.includes('*')) return ['*']
  if (scopes.length === 1 || !scopes.includes('*:read')) return scopes
  return SCOPES.filter(
    (each) => each !== '*:read' && (each.endsWith(':read') || scopes.includes(each)),
  )
}

async function insert({ systemSql, clock }: RequestsDeps, row: Omit<Row, 'expiresAt'>) {
  const nowMs = clock()
  await systemSql`delete from oauth_requests where expires_at <= ${new Date(nowMs)}`
  const [{ waiting }] = await systemSql<[{ waiting: number }]>`
    select count(*)::int as waiting from oauth_requests`
  if (waiting >= MAX_REQUESTS)
    throw new ApiError('UNAVAILABLE', 'Too many apps wait for an answer. Try again in ten minutes.')
  const expiresAt = new Date(nowMs + LIFETIME_MS)
  await systemSql`insert into oauth_requests ${systemSql({ ...row, expiresAt })}`
}

async function read(deps: RequestsDeps, caller: Caller, id: string) {
  const { userId } = requireSession(caller)
  const row = await find(deps, deps.systemSql, userId, id)
  const { redirectUri, appName, clientId, scopes, expiresAt } = row
  const data: AppRequest = {
    kind: redirectUri === null ? 'device' : 'app',
    name: appName,
    host: clientId.startsWith('https://') ? new URL(clientId).host : null,
    returnsTo: redirectUri === null ? null : placeOf(redirectUri),
    scopes: [...scopes],
    expiresAt: expiresAt.toISOString(),
  }
  return { data }
}

async function find(
  { clock, codeLimiter }: RequestsDeps,
  db: SystemSql | Tx,
  userId: string,
  given: string,
): Promise<Row> {
  const letters = given.toUpperCase().replaceAll(/[^A-Z]/g, '')
  const isCode = given.length <= 2 * CODE_CHARS
  if (isCode) await codeLimiter.consume(userId)
  const [row] = await db<Row[]>`
    select * from oauth_requests
    where id = ${isCode ? letters : given} and expires_at > ${new Date(clock())}`
  if (row) return row
  throw new ApiError(
    'NOT_FOUND',
    isCode
      ? 'There is no such code, or it has expired. Start again on the device.'
      : 'This request has been answered, or it has expired. Start again in the app.',
  )
}

/** The key is made here, where a plan limit can be shown, and gets its secret when the app shows the code. */
async function allow(deps: RequestsDeps, caller: Caller, id: string, input: AllowApp) {
  const { userId } = requireSession(caller)
  const row = await find(deps, deps.systemSql, userId, id)
  const principal = await requireAdmin(deps, caller, userId, input.workspaceId)
  const scopes = normalizeScopes(input.scopes)
  refuseWider(row.scopes, scopes)
  const nowMs = deps.clock()
  const { token: code, hash } = newToken()
  const isDevice = row.redirectUri === null
  const expiresAt = new Date(nowMs + (isDevice ? LIFETIME_MS : CODE_LIFETIME_MS))
  await inTransaction(deps.systemSql, async (tx) => {
    const app = row.redirectUri === null ? 'device' : placeOf(row.redirectUri)
    const values = { name: row.appName, scopes, ipAllowlist: [], expiresAt, app }
    const { row: key } = await addKey(deps, tx, principal, values)
    await take(tx, row)
    await tx`insert into oauth_grants ${tx({
      keyId: key.id,
      clientId: row.clientId,
      redirectUri: row.redirectUri,
      codeChallenge: row.codeChallenge,
      codeHash: row.deviceHash ?? hash,
      expiresAt,
    })}`
  })
  return { data: toAnswer(caller, row, { code }) }
}

async function deny(deps: RequestsDeps, caller: Caller, id: string) {
  const { userId } = requireSession(caller)
  const row = await find(deps, deps.systemSql, userId, id)
  await take(deps.systemSql, row)
  return { data: toAnswer(caller, row, { error: 'access_denied' }) }
}

/** Of two answers at the same time, the first counts. */
async function take(db: SystemSql | Tx, { id }: Row): Promise<void> {
  const rows = await db`delete from oauth_requests where id = ${id} returning 1`
  if (rows.length === 0) throw new ApiError('CONFLICT', 'This request has been answered.')
}

/** Who may make keys may allow apps. */
async function requireAdmin(
  { systemSql }: RequestsDeps,
  caller: Caller,
  userId: string,
  workspaceId: string,
): Promise<Principal> {
  const [found] = await systemSql<{ role: Role; isSuspended: boolean }[]>`
    select m.role, w.suspended_at is not null as is_suspended
    from members m join workspaces w on w.id = m.workspace_id
    where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`
  if (!found) throw foreignId('workspaceId')
  requireRole(found.role, 'admin')
  if (found.isSuspended)
    throw new ApiError('FORBIDDEN', 'This workspace is suspended. Ask the operator of this server.')
  return userActing(caller, userId, workspaceId, found.role)
}

function refuseWider(asked: readonly string[], scopes: readonly string[] | null): void {
  const wider = (scopes ?? ['*']).find((scope) => !scopeCovers(asked, scope))
  if (wider === undefined) return
  throw invalid('scopes', `The app does not ask for the scope ${wider}.`, 'wider')
}

function toAnswer(
  { origin }: Caller,
  { redirectUri, state }: Row,
  answer: { code: string } | { error: string },
): AppAnswer {
  if (redirectUri === null) return { redirectUrl: null }
  const url = new URL(redirectUri)
  // RFC 9207: an app that talks to several servers knows whose answer it has.
  const fields = { ...answer, ...(state !== null && { state }), iss: origin }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return { redirectUrl: url.href }
}
