import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError, invalid, type ErrorDetail, itIs } from '../../platform/core/errors.ts'
import { page } from '../../platform/routes/route.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import { scopeCovers, type Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { toEntryFields, userActing } from '../../platform/audit/acting.ts'
import {
  type AuditAction,
  type Changes,
  getChanges,
  isDifferent,
} from '../../platform/audit/audit.ts'
import { announceCredentials, type Changed } from '../credentials/cache.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { DeferredAudit } from '../members/membership.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { noSuch, ownTable, requireRoom } from '../../platform/resources/ownership.ts'
import type { SecurityType } from '../../platform/audit/security.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import {
  normalizeRanges,
  isRangeWithin,
  keyPrefix,
  mintKey,
  KEY_COLUMNS,
  insertKey,
  toApiKey,
  toTarget,
  type KeyRow,
  type NewKey,
} from './key.ts'
import {
  NAME_MAX_CHARS,
  type ApiKey,
  type CreateApiKey,
  type ListApiKeys,
  type NewApiKey,
  type UpdateApiKey,
} from './schema.ts'
import { normalizeScopes } from './scopes.ts'

type Deps = Pick<
  Dependencies,
  'sql' | 'reads' | 'clock' | 'audit' | 'limit' | 'recordSecurity' | 'saveIdempotentResponse'
>

export type RevocationDeps = Pick<Dependencies, 'audit' | 'limit' | 'recordSecurity'>

export type ApiKeys = ReturnType<typeof createApiKeys>

/** Upper bound under every plan. */
const MAX_KEYS = 100

const table = ownTable<KeyRow>('api_keys', 'API key', KEY_COLUMNS)
const { find, load } = table

/** Every insert and delete of a key first locks the counter of the plan limit, and writes its audit row last. */
export const createApiKeys = (deps: Deps) =>
  bindDeps(deps, { find, get, list, create, update, rotate, revoke, replace })

async function get({ sql }: Deps, principal: Principal, id: string): Promise<ApiKey> {
  return toApiKey(await inWorkspace(sql, principal.workspaceId, (tx) => load(tx, principal, id)))
}

async function list(deps: Deps, principal: Principal, query: ListApiKeys, signal?: AbortSignal) {
  const { kind } = query
  const { rows, meta } = await table.list(deps, principal, query, signal, (tx) => [
    kind === 'app' && tx`app is not null`,
    kind === 'key' && tx`app is null`,
  ])
  return page(rows.map(toApiKey), meta)
}

async function create(deps: Deps, principal: Principal, input: CreateApiKey): Promise<NewApiKey> {
  const nowMs = deps.clock()
  const values = {
    name: checkName(input.name, 'name', NAME_MAX_CHARS),
    scopes: normalizeScopes(input.scopes),
    ipAllowlist: normalizeRanges(input.ipAllowlist),
    expiresAt: checkExpiry(input.expiresAt, nowMs),
  }
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const { row, key } = await addKey(deps, tx, principal, values)
    return deps.saveIdempotentResponse(tx, principal, { ...toApiKey(row), key })
  })
}

export type AddKeyDeps = RevocationDeps & Pick<Dependencies, 'clock'>

export async function addKey(deps: AddKeyDeps, tx: Tx, principal: Principal, values: NewKey) {
  await deps.limit(tx, principal.workspaceId, 'api_keys')
  await requireMemberWithRoom(tx, principal)
  const made = await insertKey(tx, principal, values, deps.clock())
  await record(deps, tx, principal, 'api_key.created', made.row)
  return made
}

/** @throws ApiError FORBIDDEN for another user's key that would become wider */
async function update(deps: Deps, principal: Principal, id: string, input: UpdateApiKey) {
  const { sql, clock, audit } = deps
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    const before = await load(tx, principal, id, 'for update')
    requireMatch(principal, toApiKey(before))
    refuseApp(before)
    const nowMs = clock()
    const columns = checkFields(input, before, nowMs)
    if (before.userId !== principal.userId) refuseWider(before, columns)
    if (!isDifferent(before, columns)) return toApiKey(before)
    const after = await updateRow(tx, principal, id, {
      ...columns,
      updatedAt: changeTime(nowMs, before),
    })
    const changes = getChanges(toApiKey(before), toApiKey(after), ['updatedAt'])
    await audit(tx, principal, { action: 'api_key.updated', target: toTarget(after), changes })
    await announceCredentials(tx, `key:${id}`)
    return toApiKey(after)
  })
}

/** Replaces the secret. Only the key's user may do so, since the secret grants that user's rights. */
async function rotate(deps: Deps, principal: Principal, id: string): Promise<NewApiKey> {
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const before = await load(tx, principal, id, 'for update')
    if (before.userId !== principal.userId)
      throw new ApiError(
        'FORBIDDEN',
        'Only the user to whom an API key belongs may rotate it; delete it instead.',
      )
    refuseApp(before)
    const key = mintKey()
    const after = await updateRow(tx, principal, id, {
      keyHash: hashToken(key),
      prefix: keyPrefix(key),
      updatedAt: changeTime(deps.clock(), before),
    })
    const changes = { prefix: { old: before.prefix, new: after.prefix } }
    await record(deps, tx, principal, 'api_key.rotated', after, changes)
    await announceCredentials(tx, `key:${id}`)
    return deps.saveIdempotentResponse(tx, principal, { ...toApiKey(after), key })
  })
}

async function revoke(deps: Deps, principal: Principal, id: string): Promise<void> {
  await inWorkspace(deps.sql, principal.workspaceId, (tx) => removeKey(deps, tx, principal, id))
}

export async function removeKey(
  deps: RevocationDeps,
  tx: Tx,
  principal: Principal,
  id: string,
): Promise<void> {
  await deps.limit(tx, principal.workspaceId, 'api_keys', -1)
  const [row] = await tx<KeyRow[]>`
    delete from api_keys where id = ${id} and workspace_id = ${principal.workspaceId}
    returning ${tx.unsafe(KEY_COLUMNS)}`
  if (!row) throw noSuch('API key')
  await record(deps, tx, principal, 'api_key.revoked', row)
  await announceCredentials(tx, `key:${id}`)
}

/** For an app, whose secret changes every hour, so that the log does not note it. */
export async function replaceSecret(
  { clock }: Pick<Dependencies, 'clock'>,
  tx: Tx,
  { id, workspaceId }: Pick<KeyRow, 'id' | 'workspaceId'>,
  expiresAt: Date | null,
): Promise<string> {
  const key = mintKey()
  await tx`
    update api_keys set ${tx({
      keyHash: hashToken(key),
      prefix: keyPrefix(key),
      expiresAt,
      updatedAt: new Date(clock()),
    })} where id = ${id} and workspace_id = ${workspaceId}`
  await announceCredentials(tx, `key:${id}`)
  return key
}

export async function revokeOf(
  deps: RevocationDeps,
  tx: Tx,
  principal: Principal,
  userId: string,
): Promise<DeferredAudit> {
  await deps.limit(tx, principal.workspaceId, 'api_keys', 0)
  const rows = await tx<KeyRow[]>`
    delete from api_keys where workspace_id = ${principal.workspaceId} and user_id = ${userId}
    returning ${tx.unsafe(KEY_COLUMNS)}`
  await deps.limit(tx, principal.workspaceId, 'api_keys', -rows.length)
  return async () => {
    for (const row of rows) await record(deps, tx, principal, 'api_key.revoked', row)
    await announceCredentials(tx, ...rows.map((row): Changed => `key:${row.id}`))
  }
}

/** Revokes all keys of a user. @param tx of the worker role, which sees every workspace */
export async function revokeEverywhere(
  deps: RevocationDeps,
  tx: Tx,
  caller: Caller,
  userId: string,
): Promise<void> {
  const rows = await tx<{ workspaceId: string }[]>`
    select distinct workspace_id from api_keys where user_id = ${userId} order by workspace_id`
  const audits: DeferredAudit[] = []
  for (const { workspaceId } of rows) {
    const principal = userActing(caller, userId, workspaceId, 'owner')
    audits.push(await revokeOf(deps, tx, principal, userId))
  }
  for (const auditRevoked of audits) await auditRevoked()
}

/** Replaces the caller's key of the same name. @param wanted the key itself, when the operator has chosen it */
async function replace(deps: Deps, tx: Tx, principal: Principal, name: string, wanted?: string) {
  const { workspaceId, userId } = principal
  await deps.limit(tx, workspaceId, 'api_keys', 0)
  const old = await tx<KeyRow[]>`
    delete from api_keys
    where workspace_id = ${workspaceId} and user_id = ${userId} and name = ${name}
    returning ${tx.unsafe(KEY_COLUMNS)}`
  await deps.limit(tx, workspaceId, 'api_keys', 1 - old.length)
  const values = { name, scopes: null, ipAllowlist: [], expiresAt: null }
  const { row, key } = await insertKey(tx, principal, values, deps.clock(), wanted)
  for (const former of old) await record(deps, tx, principal, 'api_key.revoked', former)
  await record(deps, tx, principal, 'api_key.created', row)
  await announceCredentials(tx, ...old.map(({ id }): Changed => `key:${id}`))
  return key
}

function refuseApp({ app }: KeyRow): void {
  if (app === null) return
  throw new ApiError('CONFLICT', 'An app holds this key. Revoke it, and allow the app again.')
}

/**
 * The counter of the plan limit is locked: creates are counted in turn, and a membership that ends later revokes
 * this key.
 */
async function requireMemberWithRoom(tx: Tx, principal: Principal): Promise<void> {
  const [member] = await tx`
    select 1 from members where workspace_id = ${principal.workspaceId} and user_id = ${principal.userId}`
  if (!member) throw new ApiError('FORBIDDEN', 'You no longer belong to this workspace.')
  await requireRoom(tx, principal, 'api_keys', 'API keys', MAX_KEYS)
}

async function record(
  { audit, recordSecurity }: Pick<Dependencies, 'audit' | 'recordSecurity'>,
  tx: Tx,
  principal: Principal,
  type: SecurityType & AuditAction,
  row: KeyRow,
  changes: Changes = {},
): Promise<void> {
  await audit(tx, principal, { action: type, target: toTarget(row), changes })
  const details = { keyId: row.id, name: row.name, prefix: row.prefix }
  await recordSecurity(tx, { ...toEntryFields(principal), type, userId: row.userId, details })
}

async function updateRow(
  tx: Tx,
  principal: Principal,
  id: string,
  columns: Partial<KeyRow & { keyHash: Buffer }>,
): Promise<KeyRow> {
  const [row] = await tx<KeyRow[]>`
    update api_keys set ${tx(columns)}
    where id = ${id} and workspace_id = ${principal.workspaceId} returning ${tx.unsafe(KEY_COLUMNS)}`
  return row!
}

function checkFields(input: UpdateApiKey, before: KeyRow, nowMs: number): Partial<KeyRow> {
  const columns: Partial<KeyRow> = {}
  if (input.name !== undefined) columns.name = checkName(input.name, 'name', NAME_MAX_CHARS)
  if (input.scopes !== undefined) columns.scopes = normalizeScopes(input.scopes)
  if (input.ipAllowlist !== undefined) columns.ipAllowlist = normalizeRanges(input.ipAllowlist)
  // An unchanged time may be in the past.
  const isSame = input.expiresAt === before.expiresAt?.toISOString()
  if (input.expiresAt !== undefined && !isSame)
    columns.expiresAt = checkExpiry(input.expiresAt, nowMs)
  return columns
}

function checkExpiry(value: string | null | undefined, nowMs: number): Date | null {
  if (value === null || value === undefined) return null
  const expiresAt = toDate(value, 'expiresAt')
  if (expiresAt.getTime() <= nowMs)
    throw invalid(
      'expiresAt',
      `expiresAt must be in the future${itIs('expiresAt', value)}.`,
      'past',
    )
  return expiresAt
}

type Rights = Pick<KeyRow, 'scopes' | 'ipAllowlist' | 'expiresAt'>

/** Whether the new value allows only requests that the old one allowed. */
const IS_NARROWER: { [Field in keyof Rights]: (before: Rights, after: Rights) => boolean } = {
  scopes: (before, after) =>
    after.scopes === null
      ? scopeCovers(before.scopes, '*')
      : after.scopes.every((scope) => scopeCovers(before.scopes, scope)),
  ipAllowlist: (before, after) =>
    before.ipAllowlist.length === 0 ||
    (after.ipAllowlist.length > 0 &&
      after.ipAllowlist.every((range) =>
        before.ipAllowlist.some((outer) => isRangeWithin(range, outer)),
      )),
  expiresAt: (before, after) =>
    before.expiresAt === null ||
    (after.expiresAt !== null && after.expiresAt.getTime() <= before.expiresAt.getTime()),
}

/** A key acts with the rights of its user, so other users may only narrow it. */
function refuseWider(before: KeyRow, changed: Partial<KeyRow>): void {
  const after = { ...before, ...changed }
  const fields = Object.keys(IS_NARROWER) as (keyof Rights)[]
  const wider = fields.filter((field) => !IS_NARROWER[field](before, after))
  if (wider.length === 0) return
  throw new ApiError(
    'FORBIDDEN',
    'Only the user to whom an API key belongs may widen it; you may narrow or delete it.',
    wider.map((path): ErrorDetail => ({ path, message: `${path} would be wider.`, code: 'wider' })),
  )
}
