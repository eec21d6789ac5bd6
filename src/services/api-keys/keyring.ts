import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import type { HeavyReads } from '../../storage/heavy-reads.ts'
import { inWorkspace, type Tx, type TenantSql } from '../../storage/postgres.ts'
import type { Audit, AuditAction, Changes } from '../audit.ts'
import { announceCredentials, type Changed } from '../credential-changes.ts'
import type { Limit } from '../limits.ts'
import type { Tell } from '../membership.ts'
import { checkName } from '../names.ts'
import { requireOwn } from '../own.ts'
import type { RecordSecurity, SecurityType } from '../security.ts'
import { clampLimit, toDate } from '../shapes.ts'
import { normalizeRanges } from './addresses.ts'
import { hashKey, keyPrefix, mintKey } from './key.ts'
import { refuseWider } from './narrowing.ts'
import { columnsOf, insertKey, targetOf, toApiKey, type KeyRow } from './row.ts'
import type { ApiKey, CreateApiKey, ListApiKeys, NewApiKey, UpdateApiKey } from './schema.ts'
import { normalizeScopes } from './scopes.ts'

type Deps = {
  sql: TenantSql
  reads: Pick<HeavyReads, 'read'>
  clock: Clock
  audit: Audit
  limit: Limit
  security: RecordSecurity
}

export type Keyring = ReturnType<typeof createKeyring>

/** Whatever the plan says. */
const MAX_KEYS = 100
const NAME_MAX_CHARS = 50
const CHECKED_FIELDS = ['name', 'scopes', 'ipAllowlist', 'expiresAt'] as const

/**
 * The keys of a workspace, as its admins make and end them. Keys come and go under the lock of
 * their counter, which is therefore taken first, and audit rows are written last.
 */
export function createKeyring({ sql, reads, clock, audit, limit, security }: Deps) {
  return { find, get, list, create, update, rotate, revoke, revokeOf, revokeEverywhere }

  function find(who: Who, params: Record<string, string>): Promise<void> {
    return requireOwn(sql, who, 'api_keys', params['id'], 'API key')
  }

  async function get(who: Who, id: string): Promise<ApiKey> {
    return toApiKey(await inWorkspace(sql, who.workspaceId, (tx) => load(tx, who, id)))
  }

  async function list(who: Who, query: ListApiKeys, signal?: AbortSignal) {
    const limitRows = clampLimit(query.limit)
    const [rows, [count]] = await reads.read(who, signal, (tx) =>
      Promise.all([
        tx<KeyRow[]>`
          select ${columnsOf(tx)} from api_keys where workspace_id = ${who.workspaceId}
          order by created_at desc, id desc limit ${limitRows} offset ${query.offset}`,
        tx<{ total: number }[]>`
          select count(*) as total from api_keys where workspace_id = ${who.workspaceId}`,
      ]),
    )
    return page(rows.map(toApiKey), { total: count!.total, limit: limitRows, offset: query.offset })
  }

  /** The answer holds the key, this once. */
  async function create(who: Who, input: CreateApiKey): Promise<NewApiKey> {
    const nowMs = clock()
    const values = {
      name: checkName(input.name, 'name', NAME_MAX_CHARS),
      scopes: normalizeScopes(input.scopes),
      ipAllowlist: normalizeRanges(input.ipAllowlist),
      expiresAt: checkExpiry(input.expiresAt, nowMs),
    }
    return inWorkspace(sql, who.workspaceId, async (tx) => {
      await limit(tx, who.workspaceId, 'api_keys')
      await requireRoom(tx, who)
      const { row, key } = await insertKey(tx, who, values, nowMs)
      await record(tx, who, 'api_key.created', row)
      return { ...toApiKey(row), key }
    })
  }

  /**
   * Changes what was sent and differs. When nothing differs nothing is written or audited.
   * @throws ApiError FORBIDDEN for another person's key that would be wider (narrowing.ts)
   */
  async function update(who: Who, id: string, input: UpdateApiKey): Promise<ApiKey> {
    return inWorkspace(sql, who.workspaceId, async (tx) => {
      const before = await load(tx, who, id, true)
      const nowMs = clock()
      const columns = checkedColumns(input, before, nowMs)
      if (before.userId !== who.userId) refuseWider(before, columns)
      if (!isDifferent(before, columns)) return toApiKey(before)
      const [after] = await tx<KeyRow[]>`
        update api_keys set ${tx({ ...columns, updatedAt: new Date(nowMs) })}
        where id = ${id} and workspace_id = ${who.workspaceId} returning ${columnsOf(tx)}`
      const changes = changedFields(toApiKey(before), toApiKey(after!))
      await audit(tx, who, { action: 'api_key.updated', target: targetOf(after!), changes })
      await announceCredentials(tx, `key:${id}`)
      return toApiKey(after!)
    })
  }

  /**
   * A new secret under the same id; the old one is void at once. Only for the person that the key
   * acts as: the secret would give anybody else that person's rights.
   */
  async function rotate(who: Who, id: string): Promise<NewApiKey> {
    return inWorkspace(sql, who.workspaceId, async (tx) => {
      const before = await load(tx, who, id, true)
      if (before.userId !== who.userId)
        throw new ApiError(
          'FORBIDDEN',
          'A key is rotated by the person it belongs to; delete it instead.',
        )
      const key = mintKey()
      const [row] = await tx<KeyRow[]>`
        update api_keys set ${tx({
          keyHash: hashKey(key),
          prefix: keyPrefix(key),
          updatedAt: new Date(clock()),
        })}
        where id = ${id} and workspace_id = ${who.workspaceId} returning ${columnsOf(tx)}`
      const changes = { prefix: { old: before.prefix, new: row!.prefix } }
      await record(tx, who, 'api_key.rotated', row!, changes)
      await announceCredentials(tx, `key:${id}`)
      return { ...toApiKey(row!), key }
    })
  }

  async function revoke(who: Who, id: string): Promise<void> {
    await inWorkspace(sql, who.workspaceId, async (tx) => {
      await limit(tx, who.workspaceId, 'api_keys', -1)
      const [row] = await tx<KeyRow[]>`
        delete from api_keys where id = ${id} and workspace_id = ${who.workspaceId}
        returning ${columnsOf(tx)}`
      if (!row) throw new ApiError('NOT_FOUND', 'There is no such API key.')
      await record(tx, who, 'api_key.revoked', row)
      await announceCredentials(tx, `key:${id}`)
    })
  }

  /** Ends all keys that one person has in the caller's workspace, in the transaction that ends the membership. */
  async function revokeOf(tx: Tx, who: Who, userId: string): Promise<Tell> {
    await limit(tx, who.workspaceId, 'api_keys', 0)
    const rows = await tx<KeyRow[]>`
      delete from api_keys where workspace_id = ${who.workspaceId} and user_id = ${userId}
      returning ${columnsOf(tx)}`
    await limit(tx, who.workspaceId, 'api_keys', -rows.length)
    return async () => {
      for (const row of rows) await record(tx, who, 'api_key.revoked', row)
      await announceCredentials(tx, ...rows.map((row): Changed => `key:${row.id}`))
    }
  }

  /**
   * Ends all keys of a person, in every workspace: whoever held the account was somebody else.
   * @param tx of the worker role, which sees every workspace
   */
  async function revokeEverywhere(tx: Tx, caller: Caller, userId: string): Promise<void> {
    const rows = await tx<{ workspaceId: string }[]>`
      select distinct workspace_id from api_keys where user_id = ${userId} order by workspace_id`
    const tells: Tell[] = []
    for (const { workspaceId } of rows) {
      const who: Who = {
        ...caller,
        userId,
        workspaceId,
        role: 'owner',
        scopes: null,
        ...actorOf(userId),
      }
      tells.push(await revokeOf(tx, who, userId))
    }
    for (const tell of tells) await tell()
  }

  /**
   * The counter's row is locked: parallel creates are counted one after the other, and whoever is a
   * member still will have this key ended with the membership.
   */
  async function requireRoom(tx: Tx, who: Who): Promise<void> {
    const [member] = await tx`
      select 1 from members where workspace_id = ${who.workspaceId} and user_id = ${who.userId}`
    if (!member) throw new ApiError('FORBIDDEN', 'You no longer belong to this workspace.')
    const [count] = await tx<{ total: number }[]>`
      select count(*) as total from api_keys where workspace_id = ${who.workspaceId}`
    if (count!.total >= MAX_KEYS)
      throw new ApiError('PLAN_LIMIT_REACHED', `A workspace has at most ${MAX_KEYS} API keys.`, {
        limit: 'api_keys',
        max: MAX_KEYS,
      })
  }

  async function record(
    tx: Tx,
    who: Who,
    type: SecurityType & AuditAction,
    row: KeyRow,
    changes?: Changes,
  ): Promise<void> {
    await audit(tx, who, { action: type, target: targetOf(row), ...(changes && { changes }) })
    await security(tx, {
      type,
      userId: row.userId,
      workspaceId: who.workspaceId,
      actor: who.actor,
      ip: who.ip,
      userAgent: who.userAgent,
      requestId: who.requestId,
      details: { keyId: row.id, name: row.name, prefix: row.prefix },
    })
  }

  async function load(tx: Tx, who: Who, id: string, isForUpdate = false): Promise<KeyRow> {
    const [row] = await tx<KeyRow[]>`
      select ${columnsOf(tx)} from api_keys
      where id = ${id} and workspace_id = ${who.workspaceId}
      ${isForUpdate ? tx`for update` : tx``}`
    if (!row) throw new ApiError('NOT_FOUND', 'There is no such API key.')
    return row
  }
}

function actorOf(userId: string): Pick<Who, 'actor'> {
  return { actor: { type: 'user', id: userId } }
}

function checkedColumns(input: UpdateApiKey, before: KeyRow, nowMs: number): Partial<KeyRow> {
  const columns: Partial<KeyRow> = {}
  if (input.name !== undefined) columns.name = checkName(input.name, 'name', NAME_MAX_CHARS)
  if (input.scopes !== undefined) columns.scopes = normalizeScopes(input.scopes)
  if (input.ipAllowlist !== undefined) columns.ipAllowlist = normalizeRanges(input.ipAllowlist)
  // Sent back as it was read it is no change, also when it is over.
  const isSame = input.expiresAt === before.expiresAt?.toISOString()
  if (input.expiresAt !== undefined && !isSame)
    columns.expiresAt = checkExpiry(input.expiresAt, nowMs)
  return columns
}

function checkExpiry(value: string | null | undefined, nowMs: number): Date | null {
  if (value === null || value === undefined) return null
  const expiresAt = toDate(value, 'expiresAt')
  if (expiresAt.getTime() <= nowMs)
    throw invalid('expiresAt', 'expiresAt must be in the future.', 'past')
  return expiresAt
}

function isDifferent(before: KeyRow, columns: Partial<KeyRow>): boolean {
  return Object.entries(columns).some(
    ([name, value]) => JSON.stringify(before[name as keyof KeyRow]) !== JSON.stringify(value),
  )
}

function changedFields(before: ApiKey, after: ApiKey): Changes {
  const changed = CHECKED_FIELDS.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, { old: before[name], new: after[name] }]))
}
