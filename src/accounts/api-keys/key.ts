import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { newId } from '../../platform/core/ids.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import type { ApiKey } from './schema.ts'
import ipaddr from 'ipaddr.js'
import { isWithin, parseRange, type IpAddress } from '../../platform/facts/ip-address.ts'
import { invalid, itIs } from '../../platform/core/errors.ts'

/** `sp_`, 34 random base-62 characters (202 bits) and their CRC-32, by which secret scanners recognize keys. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARS = 34
const CHECKSUM_CHARS = 6
const SHAPE = /^sp_[0-9A-Za-z]{40}$/

export function mintKey(): string {
  let secret = ''
  for (let i = 0; i < RANDOM_CHARS; i++) secret += BASE62[randomInt(BASE62.length)]
  return `sp_${secret}${checksum(secret)}`
}

export function isKeyShaped(key: string): boolean {
  if (!SHAPE.test(key)) return false
  const secret = key.slice(3, 3 + RANDOM_CHARS)
  return key.endsWith(checksum(secret))
}

/** `sp_AbC…wxyz`: distinguishes keys in a list, and is useless as a key. */
export function keyPrefix(key: string): string {
  return `${key.slice(0, 6)}…${key.slice(-4)}`
}

function checksum(secret: string): string {
  let rest = crc32(secret)
  let out = ''
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    out = BASE62[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}

export type KeyRow = {
  id: string
  name: string
  prefix: string
  scopes: string[] | null
  ipAllowlist: string[]
  workspaceId: string
  userId: string
  app: string | null
  lastUsedAt: Date | null
  lastUsedIp: string | null
  expiresAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export type NewKey = Pick<KeyRow, 'name' | 'scopes' | 'ipAllowlist' | 'expiresAt'> & {
  app?: string
}

export const KEY_COLUMNS = `id, name, prefix, scopes, ip_allowlist, workspace_id, user_id, app,
  last_used_at, last_used_ip, expires_at, created_at, updated_at`

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
    })} returning ${tx.unsafe(KEY_COLUMNS)}`
  return { row: row!, key }
}

export function toApiKey(row: KeyRow): ApiKey {
  return { ...toIsoTimes(row), ipAllowlist: row.ipAllowlist.map(showRange) }
}

export function toTarget(row: { id: string; name: string }) {
  return { type: 'api_key', id: row.id, name: row.name }
}

/** Unique CIDR ranges without host bits, and IPv4-mapped IPv6 as IPv4; an empty list allows every address. */
export function normalizeRanges(entries: readonly string[] | null | undefined): string[] {
  return [...new Set((entries ?? []).map(normalizeRange))]
}

/** Shows a range of one address as that address. */
function showRange(range: string): string {
  return range.includes(':') ? range.replace(/\/128$/, '') : range.replace(/\/32$/, '')
}

export function isRangeWithin(inner: string, outer: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(inner)
  const [around, aroundBits] = ipaddr.parseCIDR(outer)
  return bits >= aroundBits && isWithin(address, [[around, aroundBits]])
}

function normalizeRange(entry: string, index: number): string {
  const range = parseRange(entry.trim())
  if (range) return toNetwork(...range)
  const path = `ipAllowlist.${index}`
  throw invalid(
    path,
    `${path} must be an IP address or a CIDR range like 203.0.113.0/24 or 2001:db8::/32${itIs(path, entry)}.`,
    'format',
  )
}

/** Clears the host bits, which PostgreSQL requires of a cidr. */
function toNetwork(address: IpAddress, length: number): string {
  const bytes = address.toByteArray().map((byte, at) => {
    const kept = Math.min(Math.max(length - at * 8, 0), 8)
    return byte & (0xff << (8 - kept)) & 0xff
  })
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`
}
