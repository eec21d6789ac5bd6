import { newId } from '../../platform/core/ids.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import { showRange } from './addresses.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import { keyPrefix, mintKey } from './key.ts'
import type { ApiKey } from './schema.ts'

export type KeyRow = {
  id: string
  name: string
  prefix: string
  scopes: string[] | null
  ipAllowlist: string[]
  workspaceId: string
  userId: string
  lastUsedAt: Date | null
  lastUsedIp: string | null
  expiresAt: Date | null
  createdAt: Date
  updatedAt: Date
}

type NewKey = Pick<KeyRow, 'name' | 'scopes' | 'ipAllowlist' | 'expiresAt'>

export function columnsOf(tx: Tx) {
  return tx`id, name, prefix, scopes, ip_allowlist, workspace_id, user_id, last_used_at,
    last_used_ip, expires_at, created_at, updated_at`
}

export async function insertKey(
  tx: Tx,
  principal: Principal,
  values: NewKey,
  nowMs: number,
  key = mintKey(),
): Promise<{ row: KeyRow; key: string }> {
  const now = new Date(nowMs)
  const [row] = await tx<KeyRow[]>`
    insert into api_keys ${tx({
      id: newId('key', nowMs),
      workspaceId: principal.workspaceId,
      userId: principal.userId,
      ...values,
      prefix: keyPrefix(key),
      keyHash: hashToken(key),
      createdAt: now,
      updatedAt: now,
    })} returning ${columnsOf(tx)}`
  return { row: row!, key }
}

export function toApiKey(row: KeyRow): ApiKey {
  return { ...toIsoTimes(row), ipAllowlist: row.ipAllowlist.map(showRange) }
}

export function toTarget(row: { id: string; name: string }) {
  return { type: 'api_key', id: row.id, name: row.name }
}
